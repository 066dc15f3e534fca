import fc from 'fast-check'

/** A program from the grammar with an input for it, both as text that jq reads. */
export interface Sample {
  readonly program: string
  readonly input: string
}

/** One of the words of a text. */
function words(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(...text.trim().split(/\s+/))
}

const key = fc.constantFrom('a', 'b', 'c', 'd')
const variable = fc.constantFrom('$x', '$y', '$z')
const scalar = fc.constantFrom(
  'null',
  'true',
  'false',
  '0',
  '1',
  '2',
  '3',
  '-1',
  '0.5',
  '10',
  '"a"',
  '"b"',
  '"ab"',
  '""',
  '"a,b"',
  '"é😀"',
  '"1"',
  '" x "',
)

const path = fc.oneof(
  { weight: 4, arbitrary: key.map((name) => `.${name}`) },
  fc.constantFrom(
    '.',
    '.',
    '.[]',
    '.[]?',
    '.[0]',
    '.[-1]',
    '.[1]',
    '..',
    '.[1:]',
    '.[:-1]',
    '.[0:2]',
    '.a.b',
    '.[0].a',
    '.a[]',
    '.a?',
    '.["a"]',
    '."b"',
    '.[0]?',
    'first',
    'last',
    '.[]?.a',
    '.a[1:]',
  ),
)

/** Built-ins without arguments that end, say nothing about the host and print no number differently. */
const nullary = words(`
  length utf8bytelength not keys keys_unsorted to_entries from_entries add any all flatten floor sqrt abs fabs ceil round
  trunc tostring tonumber toboolean type sort unique min max reverse tojson fromjson explode implode ascii_downcase
  ascii_upcase trim ltrim rtrim transpose first last values nulls booleans numbers strings arrays objects iterables
  scalars empty error paths tostream combinations isnan isinfinite isnormal isfinite gmtime todate recurse nan infinite
  significand logb frexp modf exp10 exp2 finites normals
`)

const unary = words(`
  map select sort_by group_by unique_by min_by max_by map_values with_entries path paths del pick first last any all
  isempty has in inside contains join split index rindex indices startswith endswith ltrimstr rtrimstr trimstr flatten nth
  walk add error getpath delpaths range IN INDEX bsearch
`)
const binary = fc.constantFrom(
  'limit',
  'skip',
  'nth',
  'setpath',
  'range',
  'any',
  'all',
  'IN',
  'INDEX',
  'pow',
  'atan2',
  'ldexp',
  'fmin',
  'fmax',
)
const operator = fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'and', 'or', '//')
const update = fc.constantFrom('=', '|=', '+=', '-=', '*=', '/=', '%=', '//=')
const format = fc.constantFrom('@text', '@json', '@html', '@uri', '@csv', '@tsv', '@sh', '@base64', '@base64d', '@urid')
const pattern = fc.constantFrom(
  '$x',
  '$y',
  '[$x, $y]',
  '{a: $x}',
  '{$a, b: $y}',
  '{"b": $z}',
  '[$x, {b: $y}]',
  '{(.a | tostring): $x}',
  '{$a: [$x]}',
  '[[$x], $y] ?// $x',
  '{a: $x} ?// [$x]',
)
const regex = fc.constantFrom('"a"', '"[a-c]"', '"(?<x>a)b?"', '"a|b"', '"^a"', '"b$"', '"."', '""', '"[^a]+"', '"(a)(b)?"', '"\\\\d+"')
const flags = fc.constantFrom('null', '""', '"g"', '"gi"', '"n"', '"gn"')
const regexCall = fc
  .tuple(fc.constantFrom('test', 'match', 'capture', 'scan', 'split', 'splits'), regex, flags)
  .map(([name, re, flag]) => `${name}(${re}; ${flag})`)

/** A bare use of a variable only makes sense where one is bound, so everything runs inside three bindings. */
const { expression } = fc.letrec<{ expression: string; term: string }>((tie) => ({
  term: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: path },
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: variable },
    { weight: 3, arbitrary: nullary },
    { weight: 1, arbitrary: format },
    { weight: 1, arbitrary: regexCall },
    { weight: 2, arbitrary: tie('expression').map((inner) => `(${inner})`) },
    { weight: 3, arbitrary: fc.tuple(unary, tie('expression')).map(([name, inner]) => `${name}(${inner})`) },
    { weight: 2, arbitrary: fc.tuple(binary, tie('expression'), tie('expression')).map(([name, a, b]) => `${name}(${a}; ${b})`) },
    { weight: 2, arbitrary: tie('expression').map((inner) => `[${inner}]`) },
    { weight: 2, arbitrary: fc.tuple(key, tie('term'), key, tie('term')).map(([a, x, b, y]) => `{${a}: ${x}, ${b}: ${y}}`) },
    { weight: 1, arbitrary: fc.tuple(tie('expression'), tie('term')).map(([name, value]) => `{(${name}): ${value}}`) },
    { weight: 1, arbitrary: fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `"<\\(${a})-\\(${b})>"`) },
    { weight: 1, arbitrary: fc.tuple(format, tie('expression')).map(([name, inner]) => `${name} "=\\(${inner})"`) },
    { weight: 1, arbitrary: tie('term').map((inner) => `-(${inner})`) },
    { weight: 1, arbitrary: tie('term').map((inner) => `(${inner})?`) },
    { weight: 1, arbitrary: fc.tuple(tie('term'), path).map(([target, step]) => `(${target} | ${step})`) },
    { weight: 1, arbitrary: fc.tuple(tie('term'), tie('expression')).map(([target, at]) => `(${target})[${at}]`) },
    { weight: 1, arbitrary: fc.tuple(tie('term'), tie('term'), tie('term')).map(([target, from, to]) => `(${target})[${from}:${to}]`) },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(([c, a, b]) => `if ${c} then ${a} else ${b} end`),
    },
    { weight: 1, arbitrary: fc.tuple(tie('term'), tie('term')).map(([body, handler]) => `(try ${body} catch ${handler})`) },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('term'), tie('expression'), tie('expression')).map(([s, i, u]) => `reduce ${s} as $x (${i}; ${u})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('term'), tie('expression'), tie('expression'), tie('expression'))
        .map(([s, i, u, e]) => `foreach ${s} as $x (${i}; ${u}; ${e})`),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('expression'), tie('expression')).map(([body, after]) => `(label $out | ${body}, break $out, ${after})`),
    },
    { weight: 1, arbitrary: fc.tuple(regex, tie('expression')).map(([re, to]) => `gsub(${re}; ${to})`) },
  ),
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: tie('term') },
    { weight: 3, arbitrary: fc.tuple(tie('term'), tie('term')).map(([a, b]) => `${a} | ${b}`) },
    { weight: 2, arbitrary: fc.tuple(tie('term'), tie('term')).map(([a, b]) => `${a}, ${b}`) },
    { weight: 3, arbitrary: fc.tuple(tie('term'), operator, tie('term')).map(([a, op, b]) => `${a} ${op} ${b}`) },
    { weight: 2, arbitrary: fc.tuple(tie('term'), update, tie('term')).map(([a, op, b]) => `${a} ${op} ${b}`) },
    { weight: 1, arbitrary: fc.tuple(tie('term'), pattern, tie('expression')).map(([source, p, body]) => `(${source} as ${p} | ${body})`) },
    { weight: 1, arbitrary: fc.tuple(tie('expression'), tie('expression')).map(([body, use]) => `(def f: ${body}; ${use} | f)`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('expression'), tie('expression'), tie('expression'))
        .map(([b, a, use]) => `(def f(g; $v): ${b} | g; ${use} | f(${a}; 1, 2))`),
    },
  ),
}))

const json = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '0',
    '1',
    '-1',
    '2.5',
    '"a"',
    '"abc"',
    '"a,b"',
    '"é😀x"',
    '[]',
    '{}',
    '[1,2,3]',
    '["a","b"]',
    '[[1,2],[3]]',
    '[null,1,"a"]',
    '{"a":1,"b":2}',
    '{"a":{"b":[1,{"c":2}]}}',
  ),
  fc.constantFrom(
    '{"a":[1,2,{"b":3}],"b":"x"}',
    '[{"a":1,"b":2},{"a":3},{"b":null}]',
    '[{"key":"a","value":1}]',
    '[3,1,2,1]',
    '{"a":null,"b":false}',
    '"1"',
    '[[],{},"",0]',
    '{"a":"x","b":"y","c":[true]}',
  ),
)

export const samples: fc.Arbitrary<Sample> = fc.record({
  program: expression.map((body) => `1 as $x | "a" as $y | [1, {"a": 2}] as $z | ${body}`),
  input: json,
})

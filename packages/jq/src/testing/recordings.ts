import type { Sample } from './generate-program.ts'

/** Programs and inputs whose outcome is recorded. */
export interface Recording {
  readonly name: string
  readonly title: string
  readonly cases: readonly Sample[]
}

const values = [
  'null',
  'false',
  'true',
  '0',
  '1',
  '-1.5',
  '""',
  '"a"',
  '"a,b"',
  '"é😀"',
  '[]',
  '[1,2]',
  '[[1],["a",2]]',
  '{}',
  '{"a":1}',
  '{"a":{"b":[1]},"b":null}',
]
const numbers = ['0', '1', '-1', '2.5', '-2.5', '10', '0.1', '1000000', '3', '-0.5']

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

function lines(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim())
}

function cross(programs: readonly string[], inputs: readonly string[]): Sample[] {
  return programs.flatMap((program) => inputs.map((input) => ({ program, input })))
}

const nullary = words(`
  length utf8bytelength not keys keys_unsorted to_entries from_entries add any all flatten floor sqrt abs fabs ceil round trunc tostring
  tonumber toboolean type sort unique min max reverse tojson fromjson explode implode ascii_downcase ascii_upcase trim ltrim rtrim transpose
  first last values nulls booleans numbers strings arrays objects iterables scalars empty error paths tostream combinations isnan isinfinite
  isnormal isfinite todate recurse significand logb frexp modf finites normals @text @json @html @uri @urid @csv @tsv @sh @base64 @base64d
  .[] .[]? .a .a? .[0] .[-1] .. -. .[1:] .[:-1] path(..) del(.[0]?) gmtime
`)
const unary = words(`
  map select sort_by group_by unique_by min_by max_by map_values path paths del pick first last any all isempty has inside contains join split
  index rindex indices startswith endswith ltrimstr rtrimstr trimstr flatten nth walk add error getpath delpaths range IN INDEX bsearch
`)
const operators = words('+ - * / % == != < <= > >= and or //')
const updates = lines(`
  .a = 1
  .a |= 2
  .a += 1
  .a //= 3
  .[0] = 1
  .[-1] |= 5
  .[] += 1
  .[] |= empty
  .[]? |= [.]
  .a.b.c = 1
  .a[1] = 2
  .[1:] = ["x"]
  .[:1] |= map(.)
  (.a, .b) = 1
  (.. | numbers) |= . + 1
  (.[]? | select(. == 1)) = 9
  .["a","b"] = 0
  getpath(["a","b"]) = 1
  del(.a)
  del(.[0], .[1])
  del(.[]?)
  del(..)
  to_entries?
  with_entries(.value |= tostring)
  map_values(. , 1)
  setpath(["a", 0]; 1)
  delpaths([["a"], [0]])
  [paths]
  [paths(type == "number")]
  [path(.. | select(type == "number"))]
  pick(.a)
  pick(.[1]?)
  (.a | .b) |= 1
  (if . then .a else .b end) = 1
  (.a // .b) = 1
  first(.[]?) = 7
  limit(1; .[]?) = 7
  (reduce 1 as $x (.; .)) = 2
  [tostream]
  fromstream(tostream)
  .[2] = 1
  .a[2].b = 1
  . = 1
  . |= empty
  .a = (1, 2)
  .a += (1, 2)
  [.[]? = 1]
  .a[0] += 1
`)
const bindings = lines(`
  . as $x | [$x, $x]
  . as [$x, $y] | [$x, $y]
  . as {a: $x} | $x
  . as {$a, b: $y} | [$a, $y]
  . as [$x] ?// $x | [$x]
  . as {a: [$x]} ?// {a: $x} ?// $x | [$x]
  [.[]? as $x | $x]
  reduce .[]? as $x (0; . + 1)
  reduce .[]? as [$x, $y] (null; . + $x)
  [foreach .[]? as $x (0; . + 1; [$x, .])]
  [foreach .[]? as $x (0; . + 1)]
  [label $out | .[]? | ., break $out]
  [limit(2; .[]?)]
  [skip(1; .[]?)]
  [first(.[]?)]
  [last(.[]?)]
  [nth(1; .[]?)]
  try error catch .
  try (.a | error) catch [.]
  (.a? // "none")
  [.[]? // 1]
  if .a? then "a" elif . then "b" else "c" end
  [if (true, false) then . else 1 end]
  def f: . ; f
  def f(g): [g, g]; f(.a?)
  def f($x): [$x, x]; f(.)
  def f(g): def h: g; [h]; f(.)
  def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; try fac catch "no"
  {a: .} | .a
  {"x": 1, (type): .}
  {(type, "k"): (1, 2)}
  "<\\(.)>"
  @json "<\\(.)>"
  [.. | type]
  [recurse(.[]?; . != null)]
  [range(3)] | map(. * 2)
  [range(0; 10; 3)], [range(5; 0; -2)]
  [while(type == "number" and . < 5; . + 1)]
  [.] | until(length > 3; . + [1])
  [splits("a")?]
  isempty(.[]?), any(.[]?; . == 1), all(.[]?; . == 1)
  (1, 2) as $x | [$x, .]
  [.[]?] | length
  $__loc__
`)
const patterns = words('a [a-c]+ (?<x>a)b? (a)(b)? a|b ^a . [^a] a* b+ \\\\d \\\\w+ \\\\s A [[:alpha:]]+ (?:ab)+ a{1,2} \\\\.')
const formats = words(
  '%Y-%m-%dT%H:%M:%SZ %A %a %B %b %C %d %D %e %F %G %g %H %I %j %k %l %M %m %p %P %r %R %s %S %T %u %U %V %w %W %y %Y %c %x %X %h %Z %z',
)
const bounds = ['null', '0', '1', '-1', '2', '5', '-5', '1.5', '-1.5']

export const recordings: readonly Recording[] = [
  { name: 'nullary', title: 'built-ins without arguments have the outcomes of jq for every kind of value', cases: cross(nullary, values) },
  {
    name: 'unary',
    title: 'built-ins with one argument have the outcomes of jq',
    cases: cross(
      unary.flatMap((name) => ['.', '.[0]?', '"a"', '1', '.a?'].map((argument) => `${name}(${argument})`)),
      values,
    ),
  },
  {
    name: 'operators',
    title: 'operators have the outcomes of jq for every pair of kinds',
    cases: operators.flatMap((operator) =>
      values.flatMap((left) => values.map((right) => ({ program: `.[0] ${operator} .[1]`, input: `[${left},${right}]` }))),
    ),
  },
  { name: 'updates', title: 'paths and updates have the outcomes of jq', cases: cross(updates, values) },
  { name: 'bindings', title: 'bindings, loops and definitions have the outcomes of jq', cases: cross(bindings, values) },
  {
    name: 'slices',
    title: 'slices have the outcomes of jq for every kind of bound',
    cases: cross(
      bounds.flatMap((from) => bounds.map((to) => `.[${from}:${to}]`)),
      ['null', '"aé😀b"', '[1,2,3]', '[]', '{}', '1', '"ab"'],
    ),
  },
  {
    name: 'regex',
    title: 'regular expressions have the outcomes of jq',
    cases: cross(
      patterns.flatMap((re) => [
        `[match("${re}"; "g")]`,
        `test("${re}"; "i")`,
        `[scan("${re}")]`,
        `gsub("${re}"; "<\\(.x? // "-")>")`,
        `[splits("${re}")]`,
        `capture("${re}")`,
      ]),
      ['"abcab"', '"xa ab 12"', '"é😀"', '""', '"A.b"', '"aaa"'],
    ),
  },
  {
    name: 'dates',
    title: 'dates have the outcomes of jq',
    cases: cross(
      formats.map((format) => `strftime("${format}")`),
      ['0', '1425599507.25', '1700000000', '951782400', '1230768000', '253402300799'],
    ),
  },
  {
    name: 'mathematics',
    title: 'mathematical functions have the outcomes of jq',
    cases: [
      ...cross(words('floor ceil round trunc rint nearbyint sqrt fabs significand logb frexp modf exp2 exp10 log2 cbrt'), numbers),
      ...words('pow atan2 fmin fmax fdim fmod ldexp copysign drem nextafter hypot').flatMap((name) =>
        numbers.flatMap((a) => numbers.map((b) => ({ program: `${name}(.[0]; .[1])`, input: `[${a},${b}]` }))),
      ),
    ],
  },
]

import fc from 'fast-check'

/** Values that a step puts into the state: new ones, ones bound outside, and parts of the state itself. */
const put = fc.constantFrom(
  '1',
  '"t"',
  'null',
  '[]',
  '{}',
  '[1]',
  '{"b": 1}',
  '$x',
  '[$x]',
  '{b: $x}',
  '{a: [$x]}',
  '$s',
  '[$s]',
  '.a',
  '[.a]',
  '.',
  '[., .]',
  '{b: .}',
  'length',
  '[length]',
  '(.a // [])',
  '(.a // {} | .b)',
)

const place = fc.constantFrom(
  '.',
  '.a',
  '.b',
  '.a.b',
  '.a.b.a',
  '.[0]',
  '.a[0]',
  '.a[-1]',
  '.[$x]?',
  '.["a"]',
  '.["a", "b"]',
  '.a[1:]',
  '.a[0:][1]',
  '.a[]?',
  '.[]?',
)
const key = fc.constantFrom('"a"', '"b"', '0', '1', '$x', '-1', '"\\($x)"', '(.a | length)', 'empty')

/** Steps of a fold that write, read, keep and drop parts of the state in every way that there is. */
const { step } = fc.letrec<{ step: string }>((tie) => {
  const inner = tie('step')
  return {
    step: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 4, arbitrary: fc.tuple(place, put).map(([at, value]) => `(${at} = ${value})`) },
      { weight: 4, arbitrary: fc.tuple(place, put).map(([at, value]) => `(${at} += ${value})`) },
      { weight: 2, arbitrary: fc.tuple(key, put).map(([at, value]) => `(.[${at}] = ${value})`) },
      { weight: 2, arbitrary: fc.tuple(key, put).map(([at, value]) => `(.[${at}] += ${value})`) },
      { weight: 2, arbitrary: fc.tuple(place, put).map(([at, value]) => `(${at} = (${at} + ${value}))`) },
      { weight: 1, arbitrary: fc.tuple(place, put).map(([at, value]) => `(${at} = ((${at} // ${value}) + ${value}))`) },
      { weight: 3, arbitrary: put.map((value) => `(. + ${value})`) },
      { weight: 1, arbitrary: put.map((value) => `(. * ${value})`) },
      { weight: 1, arbitrary: put.map((value) => `(. // ${value})`) },
      { weight: 1, arbitrary: fc.tuple(key, put).map(([at, value]) => `setpath(["a", ${at}]; ${value})`) },
      { weight: 3, arbitrary: fc.tuple(place, inner).map(([at, update]) => `(${at} |= ${update})`) },
      { weight: 4, arbitrary: fc.tuple(inner, inner).map(([a, b]) => `(${a} | ${b})`) },
      { weight: 1, arbitrary: fc.tuple(inner, inner).map(([a, b]) => `(${a}, ${b})`) },
      { weight: 2, arbitrary: fc.tuple(put, inner).map(([value, rest]) => `(${value} as $s | ${rest})`) },
      { weight: 1, arbitrary: fc.tuple(put, inner).map(([value, rest]) => `(${value} as {a: $s} | ${rest})`) },
      { weight: 1, arbitrary: fc.tuple(put, inner).map(([value, rest]) => `(${value} as [$s] ?// $s | ${rest})`) },
      { weight: 1, arbitrary: fc.tuple(put, inner, inner).map(([c, a, b]) => `(if ${c} then ${a} else ${b} end)`) },
      { weight: 1, arbitrary: inner.map((body) => `(try ${body} catch .)`) },
      { weight: 1, arbitrary: inner.map((body) => `(try (${body} | error) catch .)`) },
      { weight: 1, arbitrary: fc.tuple(inner, inner).map(([a, b]) => `((${a})? // ${b})`) },
      { weight: 1, arbitrary: inner.map((body) => `first(${body}, .)`) },
      { weight: 2, arbitrary: inner.map((body) => `(reduce ($x, 5) as $x (.; ${body}))`) },
      { weight: 1, arbitrary: inner.map((body) => `(reduce .[]? as $x (.; ${body}))`) },
      { weight: 1, arbitrary: fc.tuple(inner, inner).map(([a, b]) => `(reduce ($x, 6) as $x (${a}; ${b}, .))`) },
      { weight: 1, arbitrary: fc.tuple(inner, put).map(([body, value]) => `([foreach ($x, 7) as $x (.; ${body}; ${value})])`) },
      { weight: 1, arbitrary: inner.map((body) => `last(foreach ($x, 8) as $x (.; ${body}))`) },
      { weight: 1, arbitrary: inner.map((body) => `([., 0] | until(.[1] > 2; .[1] += 1 | .[0] |= ${body}) | .[0])`) },
      { weight: 1, arbitrary: fc.tuple(put, put).map(([a, b]) => `{a: (.a + ${a}), b: (.b // ${b})}`) },
      { weight: 1, arbitrary: fc.tuple(put, put).map(([a, b]) => `{a: (.b + ${a}), b: (.a | . + ${b}), c: $s}`) },
      { weight: 1, arbitrary: fc.tuple(put, put).map(([a, b]) => `{a: (.a + ${a}), b: (.a + ${b})}`) },
      { weight: 1, arbitrary: inner.map((body) => `(${body} | if $x == null then . else error($x) end)`) },
      { weight: 1, arbitrary: inner.map((body) => `(def f: ${body}; f | f)`) },
      { weight: 1, arbitrary: inner.map((body) => `(def f(g): g | g; f(${body}))`) },
      { weight: 1, arbitrary: inner.map((body) => `(def f($n): if $n > 0 then ${body} | f($n - 1) else . end; f(2))`) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '.a',
          '[.a, .a]',
          '{a: ., b: .}',
          'del(.a)',
          'empty',
          '.',
          '$s',
          'map_values(.)',
          '[.[]?]',
          '(.a |= empty)',
        ),
      },
    ),
  }
})

const source = fc.constantFrom('range(4)', '.[]?', '(1, [2], {"a": 3}, "t")', '("a", "b", "a")', '(0, 1, 0, -1)', '([], [1], [[2]])')
const start = fc.constantFrom('{}', '[]', 'null', '.', '.[0]?', '{a: [1]}', '{a: {b: [1]}}', '[[1], [2]]', '""', '0', '({}, [1])')

/** A program about one fold, with everything that it hands out on the way. */
export const foldPrograms: fc.Arbitrary<string> = fc
  .oneof(
    fc.tuple(source, start, step).map(([from, first, body]) => `reduce ${from} as $x (${first}; ${body})`),
    fc.tuple(source, start, step).map(([from, first, body]) => `foreach ${from} as $x (${first}; ${body})`),
    fc.tuple(source, start, step, put).map(([from, first, body, out]) => `foreach ${from} as $x (${first}; ${body}; ${out}, .)`),
    fc.tuple(source, start, step, put).map(([from, first, body, out]) => `foreach ${from} as [$x] ?// $x (${first}; ${body}; ${out})`),
    fc.tuple(source, start, step).map(([from, first, body]) => `reduce ${from} as [$x] ?// $x (${first}; ${body})`),
    fc.tuple(start, step).map(([first, body]) => `1 as $x | [${first}, 0] | until(.[1] > 3; .[1] += 1 | .[0] |= ${body})`),
  )
  .map((fold) => `. as $s | (${fold}), .`)

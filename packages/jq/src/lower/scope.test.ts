import { describe, expect, test } from 'vitest'
import { compile, type Json } from '#src/index.ts'

function run(source: string, input: Json = null, variables: Readonly<Record<string, Json>> = {}): Json[] {
  return compile(source, { variables: Object.keys(variables) }).run(input, variables)
}

describe('closures', () => {
  test.each([
    ['a closure sees the names of where it was written, not of where it runs', '1 as $x | def f(g): 2 as $x | g; f($x)', [1]],
    ['a closure runs on the input of where it is called', 'def f(g): 10 | g; 5 | f(. + 1)', [11]],
    ['a closure may have many outputs, and each of its callers receives all', 'def f(g): [g, g]; f(1, 2)', [[1, 2, 1, 2]]],
    ['a closure is evaluated anew each time', 'def f(g): (1 | g), (2 | g); f(. * 10)', [10, 20]],
    ['a closure that is handed on still sees its own names', '7 as $x | def f(g): g; def h(g): 8 as $x | f(g); h($x)', [7]],
    ['a closure inside a closure', 'def f(g): def h(k): k + g; h(10); f(1)', [11]],
    ['a closure over an outer parameter survives recursion', 'def f(g; $n): if $n == 0 then g else f(g + 1; $n - 1) end; f(0; 5)', [5]],
    ['each level of recursion has its own closure', 'def f(g): if . > 2 then [g] else . + 1 | f(g, .) end; 0 | f(9)', [[9, 3, 3, 3]]],
    ['a definition inside closes over the parameters outside', 'def f($a; g): def h: $a + g; h * 2; f(1; 2)', [6]],
    ['a closure is not the function of the same name outside', 'def g: 1; def f(g): g; f(2)', [2]],
    ['a parameter of one arity leaves the others alone', 'def g(x): x + 100; def f(g): g(g); f(2)', [102]],
    ['an unused closure never runs', 'def f(g): 1; f(error("x"))', [1]],
    ['a closure used as a path', 'def at(f): path(f); {a: {b: 1}} | at(.a.b)', [['a', 'b']]],
    ['a closure updated through', 'def up(f): f |= . + 1; {a: 1, b: 1} | up(.a)', [{ a: 2, b: 1 }]],
    ['a closure that breaks out of the label where it was written', 'def f(g): 1, g, 3; [label $l | f(2, break $l)]', [[1, 2]]],
    [
      'a closure that raises inside the try of where it was written',
      'def f(g): try g catch "inner"; [try f(error("x")) catch "outer"]',
      [['inner']],
    ],
  ])('%s', (_name, source, outputs) => {
    expect(run(source)).toEqual(outputs)
  })
})

describe('value parameters', () => {
  test.each([
    ['the body runs once for each value', '[def f($x): $x * 10; f(1, 2)]', [[10, 20]]],
    [
      'the first of several parameters changes slowest',
      '[def f($a; $b): [$a, $b]; f(1, 2; 3, 4)]',
      [
        [
          [1, 3],
          [1, 4],
          [2, 3],
          [2, 4],
        ],
      ],
    ],
    ['a value parameter is a function too', 'def f($x): x + $x; f(3)', [6]],
    ['as a function it runs on the input of where it stands', '[def f($x): 1, 2 | x; 0 | f(. + 5)]', [[6, 7]]],
    ['value parameters and closures mix', '[def f($a; g; $b): [$a, (2 | g), $b]; f(1; . * 10; 3)]', [[[1, 20, 3]]]],
    ['no value, no run', '[def f($x): 1; f(empty)]', [[]]],
    ['the arguments see the input of the call', '5 | def f($x): 7 | $x; f(.)', [5]],
    [
      'a recursive definition keeps its values apart',
      '[def f($n): $n, (if $n > 0 then f($n - 1) else empty end), $n; f(2)]',
      [[2, 1, 0, 0, 1, 2]],
    ],
  ])('%s', (_name, source, outputs) => {
    expect(run(source)).toEqual(outputs)
  })
})

describe('shadowing', () => {
  test.each([
    ['an inner variable hides an outer one, and only inside', '1 as $x | (2 as $x | $x), $x', [2, 1]],
    ['a variable that is bound from its own old value', '1 as $x | ($x + 1) as $x | $x', [2]],
    ['a reduce hides its variable from its start but not from its update', '5 as $x | reduce (1, 2) as $x ($x; . + $x)', [8]],
    [
      'a foreach hides it from its start alone',
      '[5 as $x | foreach (1, 2) as $x ($x; . + $x; [$x, .])]',
      [
        [
          [1, 6],
          [2, 8],
        ],
      ],
    ],
    ['a later definition hides an earlier one', 'def f: 1; def f: 2; f', [2]],
    ['what was defined before keeps what it called', 'def f: 1; def g: f; def f: 2; g, f', [1, 2]],
    ['an inner definition ends with its bracket', 'def f: 1; (def f: 2; f), f', [2, 1]],
    ['the arity belongs to the name', 'def f: 1; def f(x): x + 1; f, f(f)', [1, 2]],
    ['a definition hides a built-in', 'def length: "mine"; [1, 2] | length', ['mine']],
    ['a built-in does not see the definition that hides another built-in', 'def select(f): "mine"; [1, null] | map(values)', [[1]]],
    ['a definition of its own name with another arity is no recursion', 'def map(f; $n): map(f) | .[$n]; [1, 2] | map(. * 2; 1)', [4]],
    ['a parameter hides a definition', 'def g: 1; def f(g): g; f(3)', [3]],
    ['a definition in a body hides a parameter', 'def f(g): def g: 4; g; f(3)', [4]],
    ['an inner label hides an outer one', '[label $l | (label $l | 1, break $l, 2), 3]', [[1, 3]]],
    ['a label and a variable of one name live side by side', '[label $l | 5 as $l | $l, break $l, 6]', [[5]]],
    ['a binding hides a variable of the host', '$x, (9 as $x | $x), $x', [1, 9, 1]],
    ['the variable of a pattern hides the same further out', '{a: 2} | 1 as $a | . as {$a} | $a', [2]],
  ])('%s', (_name, source, outputs) => {
    expect(run(source, null, { x: 1 })).toEqual(outputs)
  })
})

describe('recursion', () => {
  test.each([
    ['factorial', 'def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; 10 | fac', [3_628_800]],
    ['Fibonacci', 'def fib: if . < 2 then . else (. - 1 | fib) + (. - 2 | fib) end; 15 | fib', [610]],
    ['Ackermann', 'def a($m; $n): if $m == 0 then $n + 1 elif $n == 0 then a($m - 1; 1) else a($m - 1; a($m; $n - 1)) end; a(2; 3)', [9]],
    ['a tree', 'def depth: if type == "array" then 1 + ([.[] | depth] | max // 0) else 0 end; [[1], [[2]], 3] | depth', [3]],
    [
      'many outputs on every level',
      '[def bits: if . == 0 then "" else (. - 1 | bits) | (. + "0"), (. + "1") end; 2 | bits]',
      [['00', '01', '10', '11']],
    ],
    [
      'mutual recursion through a closure',
      'def even(odd): if . == 0 then true else . - 1 | odd end; def odd: if . == 0 then false else . - 1 | even(odd) end; 7 | odd',
      [true],
    ],
    [
      'towers of Hanoi',
      '[def h($n; $a; $b; $c): if $n > 0 then h($n - 1; $a; $c; $b), [$a, $c], h($n - 1; $b; $a; $c) else empty end; h(2; 1; 2; 3)]',
      [
        [
          [1, 2],
          [1, 3],
          [2, 3],
        ],
      ],
    ],
    [
      'permutations',
      '[def perms: if length == 0 then [] else . as $all | range(length) as $i | ($all | del(.[$i]) | perms) as $rest | [$all[$i]] + $rest end; [1, 2, 3] | perms] | length',
      [6],
    ],
    [
      'a definition that is recursive inside another one',
      'def outer($n): def inner: if . >= $n then . else . + 1 | inner end; 0 | inner; outer(5), outer(7)',
      [5, 7],
    ],
    ['the sum of a long list', 'def sum: if length == 0 then 0 else .[0] + (.[1:] | sum) end; [range(200)] | sum', [19_900]],
  ])('%s', (_name, source, outputs) => {
    expect(run(source)).toEqual(outputs)
  })
})

describe('destructuring', () => {
  test.each([
    ['an array by place', '[1, [2, 3]] as [$a, [$b, $c]] | [$a, $b, $c]', [[1, 2, 3]]],
    ['what is not there is null', '[1] as [$a, $b, [$c]] | [$a, $b, $c]', [[1, null, null]]],
    ['null has everything', 'null as [$a, {b: $c}] | [$a, $c]', [[null, null]]],
    ['an object by name', '{a: 1, b: {c: 2}} as {a: $x, b: {c: $y}} | [$x, $y]', [[1, 2]]],
    ['a short form', '{a: 1} as {$a} | $a', [1]],
    ['a short form with more inside', '{a: [5]} as {$a: [$first]} | [$a, $first]', [[[5], 5]]],
    ['a key in quotes', '{"a b": 1} as {"a b": $x} | $x', [1]],
    ['a key that is computed from what is taken apart', '{k: "v", v: 1} as {(.k): $x} | $x', [1]],
    ['a key with interpolation', '{k: 1, k1: 3} as {"k\\(.k)": $x} | $x', [3]],
    ['a short form with a pattern reads the field of its own name', '"k" as $name | {k: 4} as {$name: $x} | [$name, $x]', [[null, null]]],
    ['a key with several outputs binds once for each', '[{a: 1, b: 2} as {("a", "b"): $x} | $x]', [[1, 2]]],
    ['a keyword as a key', '{if: 1} as {if: $x} | $x', [1]],
    [
      'several keys in one pattern',
      '[{a: 1, b: 2} as {("a", "b"): $x, ("b", "a"): $y} | [$x, $y]]',
      [
        [
          [1, 2],
          [1, 1],
          [2, 2],
          [2, 1],
        ],
      ],
    ],
    ['the same variable twice takes the last', '[1, 2] as [$x, $x] | $x', [2]],
    ['in a reduce', 'reduce ([1, 2], [3, 4]) as [$a, $b] (0; . + $a * $b)', [14]],
    ['in a foreach', '[foreach ({a: 1}, {a: 2}) as {$a} (0; . + $a)]', [[1, 3]]],
  ])('%s', (_name, source, outputs) => {
    expect(run(source)).toEqual(outputs)
  })

  test.each([
    ['an array pattern on an object', '{a: 1} as [$x] | $x', 'Cannot index object with number (0)'],
    ['an object pattern on an array', '[1] as {a: $x} | $x', 'Cannot index array with string ("a")'],
    ['a pattern on a number', '5 as [$x] | $x', 'Cannot index number with number (0)'],
    ['a key that is no text', '{} as {(.a): $x} | $x', 'Cannot index object with null'],
  ])('%s fails', (_name, source, message) => {
    expect(() => run(source)).toThrow(message)
  })
})

describe('alternative patterns', () => {
  test.each([
    ['the first that fits', '[[1, 2]] | .[] as [$a, $b] ?// $a | [$a, $b]', [[1, 2]]],
    ['the next when one fails, with the variables of the others null', '{a: 1} as [$x] ?// {a: $y} | [$x, $y]', [[null, 1]]],
    ['three of them', '[[1], {a: 2}, 3] | [.[] as [$x] ?// {a: $x} ?// $x | $x]', [[1, 2, 3]]],
    ['the next when the body fails', '[[1, 2]] | .[] as [$x] ?// $x | if ($x | type) == "number" then error("no") else $x end', [[1, 2]]],
    [
      'outputs before the failure stay',
      '[[[3]] | .[] as [$x] ?// $x | $x, if ($x | type) == "number" then error("no") else "ok" end]',
      [[3, [3], 'ok']],
    ],
    ['a variable of every pattern exists in the body', '5 as [$a] ?// {b: $b} ?// $c | [$a, $b, $c]', [[null, null, 5]]],
    ['in a reduce', 'reduce ([1], 2) as [$x] ?// $x (0; . + $x)', [3]],
    ['in a foreach', '[foreach ([1], 2) as [$x] ?// $x (0; . + $x)]', [[1, 3]]],
  ])('%s', (_name, source, outputs) => {
    expect(run(source)).toEqual(outputs)
  })

  test('the failure of the last pattern is the failure of all', () => {
    expect(() => run('5 as [$x] ?// {a: $x} | $x')).toThrow('Cannot index number with string ("a")')
    expect(() => run('[5] as [$x] ?// $x | error("both: \\($x)")')).toThrow('both: [5]')
  })
})

describe('labels', () => {
  test.each([
    ['break ends the outputs of its label', '[label $out | 1, 2, break $out, 3]', [[1, 2]]],
    ['the expression after the label continues', '[(label $out | 1, break $out), 2]', [[1, 2]]],
    ['break leaves all labels inside', '[label $a | label $b | 1, break $a, 2]', [[1]]],
    ['each entry of a label is one of its own', '[range(3) | label $l | ., break $l, 9]', [[0, 1, 2]]],
    ['break out of a reduce gives nothing of it', '[label $l | reduce range(5) as $i (0; if $i > 2 then break $l else . + $i end)]', [[]]],
    [
      'break out of a foreach keeps what it gave',
      '[label $l | foreach range(9) as $i (0; . + $i; if . > 5 then ., break $l else . end)]',
      [[0, 1, 3, 6]],
    ],
    ['break passes through try', '[label $l | try (1, break $l) catch "caught"]', [[1]]],
    ['break passes through the question mark', '[label $l | (1, break $l)?, 2]', [[1]]],
    [
      'a label in a recursive definition is new on every level',
      '[def f: label $l | if . > 2 then break $l else ., (. + 1 | f), break $l, 9 end; 0 | f]',
      [[0, 1, 2]],
    ],
    ['first is a label in disguise', '[first(range(10; 0; -1))]', [[10]]],
  ])('%s', (_name, source, outputs) => {
    expect(run(source)).toEqual(outputs)
  })
})

import { describe, expect, test } from 'vitest'
import { compile } from './index.ts'

describe('as native jq 1.8.2 has it', () => {
  test.each<[string, string, unknown]>([
    ['the flag m', '"ABC" | test("b"; "mi")', true],
    ['with which a dot is any character', '"a\\nb" | [test("a.b"), test("a.b"; "m")]', [false, true]],
    ['the class R, any end of a line', '"a\\r\\nb\\u2028c" | [match("\\\\R"; "g").length]', [2, 1]],
    ['a boolean contains itself', 'true | contains(true)', true],
    ['a boolean in an array is contained or not', '[true] | [contains([false]), contains([true])]', [false, true]],
    ['a fractional depth never reaches zero', '[[[[1]]]] | flatten(1.5)', [1]],
    [
      'remainders of 64-bit integers',
      '[infinite % -infinite % 256, -infinite % 5, 5 % infinite, 5 % -1, -infinite % -1, -7 % 3, 7 % -3]',
      [255, -3, 5, 0, 0, -1, 1],
    ],
    [
      'a fraction of an exponent',
      '[2.5 | scalb(.; 0.5), scalb(.; 2), scalb(.; -infinite), scalb(.; infinite)]',
      [null, 10, 0, Number.MAX_VALUE],
    ],
    ['slices that are assigned one by one', '[range(50000)] | .[range(length) | {start: ., end: (. + 1)}] = [1] | add', 50_000],
    [
      'slices that are assigned others of another length',
      '[range(5)] | .[{start: 1, end: 2}, {start: 3, end: 5}] = ["a", "b"]',
      [0, 'a', 'b', 'a', 'b', 4],
    ],
    ['recursion at the end of a definition', 'def f: if . > 0 then . - 1 | f else . end; 100000 | f', 0],
    ['recursion with a value', 'def fact($n): if $n < 1 then 1 else $n * fact($n - 1) end; fact(2000) | isinfinite', true],
    ['recursion before the end of a definition', 'def s: if . > 0 then . + (. - 1 | s) else 0 end; 2500 | s', 3_126_250],
    [
      'walking what nests deeply',
      'reduce range(9000) as $i (1; [.]) | walk(.) | [recurse(if type == "array" then .[0] else empty end)] | length',
      9_001,
    ],
  ])('%s', (_name, program, output) => {
    expect(compile(program).first(null)).toEqual(output)
  })

  test('two different booleans cannot have their containment checked', () => {
    expect(() => compile('false | contains(true)').first(null)).toThrow(
      'boolean (false) and boolean (true) cannot have their containment checked',
    )
  })
})

describe('calls with values', () => {
  test.each<[string, string, unknown[]]>([
    ['of one output each', 'def f($a; $b): if $a > 3 then [$a, $b, a, b] else f($a + 1; $b * 2) end; f(1; 1)', [[4, 8, 4, 8]]],
    [
      'of several outputs',
      'def f($a; $b): if $a > 1 then [$a, $b] else f($a + 1; $b, 5) end; f(0, 1; 7)',
      [
        [2, 7],
        [2, 5],
        [2, 5],
        [2, 5],
        [2, 7],
        [2, 5],
      ],
    ],
    ['of none', 'def f($a): if $a > 1 then "end" else f(empty) end; f(0)', []],
    ['that fail', 'def f($a): if $a > 1 then error("x") else try f($a + 1) catch "caught \\($a)" end; f(0)', ['caught 1']],
    ['made of the input of the call', 'def f($a): if $a > 3 then . else 10 | f($a + .) end; 1 | f(.)', [10]],
    ['in a path', 'def f($k): if $k == "c" then .c else .[$k] | f("c") end; [path(f("a"))]', [['a', 'c']].map((path) => [path])],
    ['beside closures', 'def f($a; g): if $a > 2 then [g] else f($a + 1; g, $a) end; f(0; "x")', [['x', 0, 1, 2]]],
    [
      'of definitions inside one another',
      'def f($a): def g($b): if $b > 2 then [$a, $b] else g($b + $a) end; if $a > 2 then g(0) else f($a + 1) end; f(1)',
      [[3, 3]],
    ],
  ])('%s', (_name, program, outputs) => {
    expect(compile(program).run(program.includes('.c') ? { a: { c: 1 } } : null)).toEqual(outputs)
  })
})

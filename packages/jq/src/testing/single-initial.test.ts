import { describe, expect, test } from 'vitest'
import { compile } from '#src/index.ts'
import { withSingleInitials } from './single-initial.ts'

describe('writing a reduce with one start at a time', () => {
  test.each([
    ['reduce .[] as $x (0, 10; . + $x)', [1, 2], [3, 13]],
    ['[reduce .[] as [$a, $b] ((1, 2) | . * 2; . + $a * $b)]', [[2, 3]], [[8, 10]]],
    ['reduce .[] as $x (reduce .[] as $y (0, 1; . + $y), 5; . + $x)', [1, 2], [6, 7, 8]],
    ['reduce .[] as $x ("\\(1, 2)"; . + "\\(reduce (1, 2) as $y ((0, 1); . + $y))")', [1], ['14', '24']],
    ['def f(g): reduce g as {a: $x} ?// $x ((1, 2); . + $x); [f(.[])]', [1, { a: 2 }], [[4, 5]]],
    ['reduce empty as $x (empty; 1), 7', null, [7]],
  ])('%s means the same afterwards', (program, input, outputs) => {
    const rewritten = withSingleInitials(program) ?? ''
    expect(rewritten).not.toBe(program)
    expect(compile(rewritten).run(input).length).toBe(compile(program).run(input).length)
    expect(compile(rewritten).run(input)).toEqual(compile(program).run(input))
    expect(compile(program).run(input)).toEqual(outputs)
  })

  test('a program without one is left alone', () => {
    expect(withSingleInitials('foreach .[] as $x (0, 1; . + $x)')).toBeUndefined()
    expect(withSingleInitials('1 as $x | reduce .[] as $y ($x; . + $y)')).toBeUndefined()
  })
})

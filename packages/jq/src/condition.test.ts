import { expect, test } from 'vitest'
import { finalUpdate } from './condition.ts'

test.each([
  ['.a = 1', '='],
  ['.a |= . + 1', '|='],
  ['.x | .a = 1', '='],
  ['.ok and .a = 1', '='],
  ['.a as $b | .c += $b', '+='],
  ['def f: 1; .a = f', '='],
])('%s ends in the update %s', (source, operator) => {
  expect(finalUpdate(source)).toMatchObject({ operator })
})

test.each(['.a == 1', '.a', '(.a = 1) | .a == 1', '[.a = 1] | length > 0', 'if .a then true else false end'])(
  '%s gives no result of an update',
  (source) => {
    expect(finalUpdate(source)).toBeUndefined()
  },
)

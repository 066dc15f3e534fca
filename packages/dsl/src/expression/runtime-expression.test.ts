import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { describe, expect, test } from 'vitest'
import { isRuntimeExpression, locateExpression, unwrapExpression } from './runtime-expression.ts'

describe('isRuntimeExpression', () => {
  test.each(['${ .a }', '${.a}', '  ${ .a }\n', '${ .a\n| .b }', '${ "}" }', '${ { a: 1 } }', '${ .a } and ${ .b }'])(
    '%j is one',
    (value) => {
      expect(isRuntimeExpression(value)).toBe(true)
    },
  )

  test.each(['', '.a', '${}', 'x ${ .a }', '${ .a } x', '$ { .a }', '{ .a }', '${ .a', 5, null, undefined, ['${ .a }']])(
    '%j is not a runtime expression',
    (value) => {
      expect(isRuntimeExpression(value)).toBe(false)
    },
  )
})

describe('unwrapExpression', () => {
  test.each([
    ['${ .a }', ' .a '],
    ['${.a}', '.a'],
    ['  ${ .a }  ', ' .a '],
    ['${ "}" }', ' "}" '],
    ['.a > 1', '.a > 1'],
    ['', ''],
  ])('%j has the source %j', (value, source) => {
    expect(unwrapExpression(value)).toBe(source)
  })

  test('the offset leads back into the string', () => {
    const value = '  ${ .order.total }'
    const { source, offset } = locateExpression(value)
    expect(value.slice(offset, offset + source.length)).toBe(source)
  })

  test('long runs of blanks and braces are read in linear time', () => {
    const started = startProcessorTime()
    isRuntimeExpression(`\${${'} '.repeat(100_000)}x`)
    isRuntimeExpression(`${' '.repeat(100_000)}x`)
    expect(started()).toBeLessThan(500)
  })
})

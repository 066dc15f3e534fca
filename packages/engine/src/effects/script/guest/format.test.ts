import { format as nodeFormat } from 'node:util'
import { describe, expect, test } from 'vitest'
import { format } from './format.ts'
import { inspect } from './inspect.ts'

class Money {
  readonly amount = 5
  toString() {
    return '5 EUR'
  }
}

function circle(): object {
  const one: Record<string, unknown> = {}
  one['self'] = one
  return one
}

const argumentLists: readonly (readonly unknown[])[] = [
  [],
  ['text'],
  [''],
  ['one', 'two', 3],
  [1, 'two', { three: 3 }],
  [{ a: 'b' }],
  [null, undefined, true],
  ['%s', 'text'],
  ['%s', 1],
  ['%s', -0],
  ['%s', 1n],
  ['%s', Symbol('s')],
  ['%s', undefined],
  ['%s', null],
  ['%s', { a: { b: 1 } }],
  ['%s', [1, [2]]],
  ['%s', new Money()],
  ['%s', () => 1],
  ['%d', 42],
  ['%d', '42'],
  ['%d', 'none'],
  ['%d', 42n],
  ['%d', Symbol('s')],
  ['%d', {}],
  ['%d', -0],
  ['%i', 42.9],
  ['%i', '42.9'],
  ['%i', 42n],
  ['%i', Symbol('s')],
  ['%i', {}],
  ['%f', '42.5'],
  ['%f', 42],
  ['%f', Symbol('s')],
  ['%j', { a: [1] }],
  ['%j', undefined],
  ['%j', circle()],
  ['%O', { a: { b: { c: { d: 1 } } } }],
  ['%c styled', 'color: red'],
  ['100%%', 1],
  ['100%', 1],
  ['%%s', 'x'],
  ['%x', 1],
  ['%s and %s', 'one'],
  ['%s', 'one', 'two', { three: 3 }],
  ['%s %d %i %j', 'a', 1.5, 2.5, [3]],
  ['no directive', { a: 1 }, [2]],
  [new Map([[1, 2]]), 'text'],
]

describe('values are written as Node writes them', () => {
  test.each(argumentLists.map((values) => ({ values, name: nodeFormat(...values) })))('$name', ({ values }) => {
    expect(format(inspect, values)).toBe(nodeFormat(...values))
  })
})

test('a way of its own to become JSON that fails is not hidden', () => {
  const broken = {
    toJSON() {
      throw new RangeError('broken')
    },
  }
  expect(() => format(inspect, ['%j', broken])).toThrow('broken')
})

test('what %o shows goes deeper than what %O shows', () => {
  const deep = { a: { b: { c: { d: { e: 1 } } } } }
  expect(format(inspect, ['%o', deep])).toContain('e: 1')
  expect(format(inspect, ['%O', deep])).not.toContain('e: 1')
})

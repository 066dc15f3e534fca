import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '#core/json.ts'
import { failureOf } from '#effects/http/testing-outcome.ts'
import { resolve, resolveObject } from './reference.ts'

const root: JsonObject = {
  a: { b: { c: 1 } },
  'with/slash': { 'and~tilde': 2 },
  'per cent': 3,
  list: ['zero', { in: 'one' }],
  chain: { $ref: '#/middle' },
  middle: { $ref: '#/a/b' },
  self: { $ref: '#/self' },
  ping: { $ref: '#/pong' },
  pong: { $ref: '#/ping' },
  '': 'empty',
  nothing: null,
}

describe('a reference', () => {
  test.each<[string, Json]>([
    ['#/a/b', { c: 1 }],
    ['#/a/b/c', 1],
    ['#/with~1slash/and~0tilde', 2],
    ['#/per%20cent', 3],
    ['#/list/0', 'zero'],
    ['#/list/1/in', 'one'],
    ['#/chain', { c: 1 }],
    ['#/', 'empty'],
    ['#/nothing', null],
    ['#', root],
  ])('%s leads to what stands there', (reference, value) => {
    expect(resolve(root, { $ref: reference })).toEqual(value)
  })

  test.each([
    ['#/self', 'leads in a circle'],
    ['#/ping', 'leads in a circle'],
    ['#/missing', 'leads to nothing'],
    ['#/a/b/c/d', 'leads to nothing'],
    ['#/list/2', 'leads to nothing'],
    ['#/list/-1', 'leads to nothing'],
    ['#/list/length', 'leads to nothing'],
    ['#/constructor', 'leads to nothing'],
    ['#/__proto__', 'leads to nothing'],
    ['#/a/toString', 'leads to nothing'],
    ['#anchor', 'is not a JSON Pointer'],
    ['#/%zz', 'is not a JSON Pointer'],
    ['other.yaml#/a', 'leads out of the document; bundle the document'],
    ['http://169.254.169.254/latest', 'leads out of the document'],
    ['file:///etc/passwd', 'leads out of the document'],
    ['', 'leads out of the document'],
  ])('%s %s', async (reference, problem) => {
    const error = await failureOf((async () => resolve(root, { $ref: reference }))())
    expect(error.kind).toBe('configuration')
    expect(error.message).toContain(`The reference ${JSON.stringify(reference)} of the OpenAPI document ${problem}`)
  })

  test('that is endless is not shown in full', async () => {
    const error = await failureOf((async () => resolve(root, { $ref: `#/${'x'.repeat(10_000)}` }))())
    expect(error.message.length).toBeLessThan(400)
  })
})

test.each<[Json | undefined]>([[undefined], [null], ['text'], [[1]], [{ a: 1 }], [{ $ref: 1 }]])('%j is itself', (value) => {
  expect(resolve(root, value)).toBe(value)
})

test.each<[Json]>([['text'], [null], [{ $ref: '#/a/b/c' }]])('%j is refused where an object is needed', (value) => {
  expect(() => resolveObject(root, value, 'a parameter')).toThrow('a parameter must be an object')
})

test('ten thousand references in a row are followed without a stack', () => {
  const long: Record<string, Json> = { end: 'here' }
  for (let index = 0; index < 10_000; index++) long[`r${index}`] = { $ref: index === 9_999 ? '#/end' : `#/r${index + 1}` }
  expect(resolve(long, { $ref: '#/r0' })).toBe('here')
})

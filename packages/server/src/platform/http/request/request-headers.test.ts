import { expect, test } from 'vitest'
import { ifMatchOf, preferOf, requestIdOf } from './request-headers.ts'

test.each([
  ['wait=10', 10],
  ['respond-async, wait=0', 0],
  ['Wait = "30"; x=1', 30],
  ['handling=lenient; wait=5', 5],
])('Prefer: %s waits for %i seconds', (header, waitSeconds) => {
  expect(preferOf(header)).toEqual({ waitSeconds })
})

test.each([undefined, '', 'await=5', 'handling=lenient'])('Prefer: %s asks for nothing', (header) => {
  expect(preferOf(header)).toEqual({})
})

const refusalOf = (name: string) =>
  expect.objectContaining({ details: { errors: [expect.objectContaining({ pointer: `/${name}`, in: 'header' })] } })

test.each(['wait', 'wait=', 'wait=-1', 'wait=1.5', 'wait=soon', 'wait=99999999999'])('Prefer: %s is refused', (header) => {
  expect(() => preferOf(header)).toThrow(refusalOf('prefer'))
})

test('If-Match names revisions; without one, or with *, any will do', () => {
  expect(ifMatchOf(undefined)).toBeUndefined()
  expect(ifMatchOf(' * ')).toBeUndefined()
  expect(ifMatchOf('"7"')).toEqual([7])
  expect(ifMatchOf('"7", "8"')).toEqual([7, 8])
})

test('a weak or foreign tag in If-Match matches no revision, and one without quotes is refused', () => {
  for (const header of ['W/"7"', '"abc"', '"1e3"']) expect(ifMatchOf(header)).toEqual([])
  for (const header of ['7', '', '"7', '"7", 8', 'W/7']) expect(() => ifMatchOf(header)).toThrow(refusalOf('if-match'))
})

test('a proper X-Request-ID is kept, any other is replaced', () => {
  const next = () => 'new'
  for (const kept of ['a', 'A-z_0.9:x', 'x'.repeat(128)]) expect(requestIdOf(kept, next)).toBe(kept)
  for (const replaced of [undefined, '', 'x'.repeat(129), 'a b', 'a,b', 'ä', '<x>', 'a\n', ['a', 'b']])
    expect(requestIdOf(replaced, next)).toBe('new')
})

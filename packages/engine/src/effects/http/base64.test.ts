import { expect, test } from 'vitest'
import { base64Bytes, toBase64 } from './body.ts'

test('bytes go there and back', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
  expect(new Uint8Array(base64Bytes({ base64: toBase64(bytes) }) ?? [])).toEqual(bytes)
})

test('a view gives its own bytes and not those of its buffer', () => {
  const whole = Uint8Array.from([1, 2, 3, 4, 5])
  expect(toBase64(whole.subarray(1, 3))).toBe(toBase64(Uint8Array.from([2, 3])))
})

test('the URL alphabet and missing padding are understood', () => {
  expect(base64Bytes({ base64: '_-8' })).toEqual(Buffer.from([0xff, 0xef]))
})

test.each([[null], ['AQI='], [{}], [{ base64: 5 }], [['base64']], [{ bytes: 'AQI=' }]])('%j gives no bytes', (value) => {
  expect(base64Bytes(value)).toBeUndefined()
})

test.each(['a b', 'é', '====', 'ab=cd', 'data:;base64,AQI='])('%j is refused', (base64) => {
  expect(() => base64Bytes({ base64 })).toThrow('is not base64')
})

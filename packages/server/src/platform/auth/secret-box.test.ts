import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox, deriveKey } from './secret-box.ts'

const secretKey = randomBytes(32)
const plain = Buffer.from('a private key')

test('sealed bytes are opened under the same key, purpose and context', () => {
  const sealed = createSecretBox(secretKey, 'tests', randomBytes).seal(plain, 'row 1')
  expect(createSecretBox(secretKey, 'tests', randomBytes).open(sealed, 'row 1')).toEqual(plain)
  expect(sealed.includes(plain)).toBe(false)
})

test('sealed bytes are not opened under another key, purpose or context', () => {
  const sealed = createSecretBox(secretKey, 'tests', randomBytes).seal(plain, 'row 1')
  expect(createSecretBox(randomBytes(32), 'tests', randomBytes).open(sealed, 'row 1')).toBeUndefined()
  expect(createSecretBox(secretKey, 'others', randomBytes).open(sealed, 'row 1')).toBeUndefined()
  expect(createSecretBox(secretKey, 'tests', randomBytes).open(sealed, 'row 2')).toBeUndefined()
})

test('a changed byte, wherever it is, keeps the box shut', () => {
  const box = createSecretBox(secretKey, 'tests', randomBytes)
  const sealed = box.seal(plain, 'row 1')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(box.open(changed, 'row 1')).toBeUndefined()
  }
  for (const length of [0, 11, 27]) expect(box.open(sealed.subarray(0, length), 'row 1')).toBeUndefined()
})

test('the same bytes are sealed differently each time', () => {
  const box = createSecretBox(secretKey, 'tests', randomBytes)
  expect(box.seal(plain, 'row 1')).not.toEqual(box.seal(plain, 'row 1'))
})

test('a secret key that is too short is refused', () => {
  expect(() => deriveKey(randomBytes(31), 'tests')).toThrow('31 bytes')
})

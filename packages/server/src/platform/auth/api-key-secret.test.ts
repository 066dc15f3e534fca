import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { apiKeyPrefixLength, mintApiKey, readApiKey } from './api-key-secret.ts'

test('a key that was made is read, with its prefix and its digest', () => {
  for (let i = 0; i < 100; i++) {
    const text = mintApiKey(randomBytes)
    expect(text).toMatch(/^mlr_[0-9A-Za-z]{36}$/)
    expect(readApiKey(text)).toEqual({ prefix: text.slice(0, apiKeyPrefixLength), hash: createHash('sha256').update(text).digest() })
  }
})

test('the last six characters are the CRC-32 of the thirty before them', () => {
  const text = mintApiKey(() => new Uint8Array(30))
  expect(text).toBe(`mlr_${'0'.repeat(30)}${crcBase62('0'.repeat(30))}`)
})

test('a key with one changed character fails its checksum, so a typing error costs no query', () => {
  const text = mintApiKey(randomBytes)
  for (let at = 4; at < text.length; at++) {
    const other = text[at] === 'a' ? 'b' : 'a'
    expect(readApiKey(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined()
  }
})

test('a text with another prefix, length or alphabet is not a key', () => {
  const text = mintApiKey(randomBytes)
  for (const wrong of [
    '',
    'mlr_',
    text.slice(1),
    `${text}0`,
    text.slice(0, -1),
    text.replace('mlr_', 'MLR_'),
    ` ${text}`,
    `${text}\n`,
    text.replace(/.$/, 'ä'),
  ])
    expect(readApiKey(wrong)).toBeUndefined()
})

/** CRC-32 bit by bit, as in ISO 3309, written out anew. */
function crcBase62(text: string): string {
  let crc = 0xffffffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  let rest = BigInt((crc ^ 0xffffffff) >>> 0)
  let digits = ''
  for (let i = 0; i < 6; i++, rest /= 62n)
    digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.charAt(Number(rest % 62n)) + digits
  return digits
}

import { roundOfRun } from '#src/compile/machine.ts'
import { describe, raise } from '#src/values/describe.ts'
import { fromUtf8, toUtf8 } from './utf8.ts'

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Writes bytes in groups of `bits`, padded with `=` to whole blocks of `block` letters. */
function encode(text: string, alphabet: string, bits: number, block: number): string {
  const bytes = toUtf8(text)
  const letters = new Uint8Array(Math.ceil((bytes.length * 8) / bits))
  let length = 0
  let buffer = 0
  let pending = 0
  for (let at = 0; at < bytes.length; at++) {
    roundOfRun(at, bytes.length, 16)
    buffer = ((buffer << 8) | (bytes[at] ?? 0)) & 0xffff
    pending += 8
    while (pending >= bits) {
      pending -= bits
      letters[length++] = alphabet.charCodeAt((buffer >> pending) & (alphabet.length - 1))
    }
  }
  if (pending > 0) letters[length] = alphabet.charCodeAt((buffer << (bits - pending)) & (alphabet.length - 1))
  const encoded = fromUtf8(letters)
  return encoded.padEnd(Math.ceil(encoded.length / block) * block, '=')
}

/** The value of each letter of an alphabet by its character code; -1 for other characters. */
function digitsOf(alphabet: string): Int8Array {
  const digits = new Int8Array(128).fill(-1)
  for (let digit = 0; digit < alphabet.length; digit++) digits[alphabet.charCodeAt(digit)] = digit
  return digits
}

/** Reads groups of `bits` up to the padding; `undefined` when a letter is not of the alphabet. */
function decode(text: string, alphabet: string, bits: number): Uint8Array | undefined {
  const letters = text.replace(/=.*$/s, '')
  const bytes = new Uint8Array(Math.floor((letters.length * bits) / 8))
  let buffer = 0
  let pending = 0
  let length = 0
  const digits = digitsOf(alphabet)
  for (let at = 0; at < letters.length; at++) {
    roundOfRun(at, letters.length, 16)
    const digit = digits[letters.charCodeAt(at)] ?? -1
    if (digit < 0) return undefined
    buffer = ((buffer << bits) | digit) & 0xffff
    pending += bits
    if (pending >= 8) {
      pending -= 8
      bytes[length++] = (buffer >> pending) & 0xff
    }
  }
  return bytes
}

export function toBase64(text: string): string {
  return encode(text, base64Alphabet, 6, 4)
}

export function toBase32(text: string): string {
  return encode(text, base32Alphabet, 5, 8)
}

export function fromBase64(text: string): string {
  const bytes = decode(text, base64Alphabet, 6)
  if (bytes === undefined) return raise(`${describe(text)} is not valid base64 data`)
  if (text.replace(/=.*$/s, '').length % 4 === 1) return raise(`${describe(text)} trailing base64 byte found`)
  return fromUtf8(bytes)
}

export function fromBase32(text: string): string {
  const bytes = decode(text, base32Alphabet, 5)
  return bytes === undefined ? raise(`${describe(text)} is not valid base32 data`) : fromUtf8(bytes)
}

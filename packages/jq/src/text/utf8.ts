import { workOfRun } from '#src/compile/machine.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** The bytes of a string; a lone surrogate becomes U+FFFD. */
export function toUtf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** The string of bytes; what is not UTF-8 becomes U+FFFD, and so does all the rest where a character is cut off at the end. */
export function fromUtf8(bytes: Uint8Array): string {
  return strictUtf8(bytes) ?? repair(bytes)
}

/** The string of bytes; `undefined` where they are not UTF-8. */
export function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1
  if (lead >= 0xc2 && lead < 0xe0) return 2
  if (lead >= 0xe0 && lead < 0xf0) return 3
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0
}

/** Bytes are repaired in lots of so many. */
const lot = 4_096

function repair(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let from = 0; from < bytes.length; ) {
    workOfRun(Math.min(lot, bytes.length - from) >> 2)
    const { text, end } = repairLot(bytes, from)
    pieces.push(text)
    from = end
  }
  return pieces.join('')
}

function repairLot(bytes: Uint8Array, from: number): { readonly text: string; readonly end: number } {
  let text = ''
  let at = from
  while (at < bytes.length && at < from + lot) {
    const length = sequenceLength(bytes[at] ?? 0)
    if (length === 0) {
      text += '\ufffd'
      at++
      continue
    }
    if (at + length > bytes.length) return { text: `${text}\ufffd`, end: bytes.length }
    let valid = 1
    while (valid < length && ((bytes[at + valid] ?? 0) & 0xc0) === 0x80) valid++
    text += valid === length ? decodeSequence(bytes, at, length) : '\ufffd'
    at += valid
  }
  return { text, end: at }
}

/** A whole sequence can still be an overlong form, a surrogate or too large. */
function decodeSequence(bytes: Uint8Array, at: number, length: number): string {
  let codePoint = length === 1 ? (bytes[at] ?? 0) : (bytes[at] ?? 0) & (0x7f >> length)
  for (let next = 1; next < length; next++) codePoint = (codePoint << 6) | ((bytes[at + next] ?? 0) & 0x3f)
  const least = leastOf[length] ?? 0
  const valid = codePoint >= least && codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff)
  return valid ? String.fromCodePoint(codePoint) : '\ufffd'
}

/** The smallest code point that takes so many bytes. */
const leastOf: readonly number[] = [0, 0, 0x80, 0x800, 0x10000]

/** The number of bytes of a string in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      bytes += 4
      at++
    } else bytes += 3
  }
  return bytes
}

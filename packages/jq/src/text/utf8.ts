const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** The bytes of a string; a lone surrogate becomes U+FFFD. */
export function toUtf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** The string of bytes; what is not UTF-8 becomes U+FFFD, and so does all the rest where a character is cut off at the end. */
export function fromUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    return repair(bytes)
  }
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1
  if (lead >= 0xc2 && lead < 0xe0) return 2
  if (lead >= 0xe0 && lead < 0xf0) return 3
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0
}

function repair(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] ?? 0)
    if (length === 0) {
      text += '\ufffd'
      at++
      continue
    }
    if (at + length > bytes.length) return `${text}\ufffd`
    let valid = 1
    while (valid < length && ((bytes[at + valid] ?? 0) & 0xc0) === 0x80) valid++
    text += valid === length ? decodeSequence(bytes.subarray(at, at + length)) : '\ufffd'
    at += valid
  }
  return text
}

/** A whole sequence can still be an overlong form, a surrogate or too large. */
function decodeSequence(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    return '\ufffd'
  }
}

/** How many bytes the string takes in UTF-8. */
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

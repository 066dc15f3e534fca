const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The bytes of a string; a lone surrogate becomes U+FFFD. */
export function toUtf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** The string of bytes; what is not UTF-8 becomes U+FFFD. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes)
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

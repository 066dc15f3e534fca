const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Makes `length` random characters of 0-9, A-Z and a-z, uniformly distributed. */
export function randomBase62(length: number, randomBytes: (size: number) => Uint8Array): string {
  let text = ''
  // 248 is the largest multiple of 62 in a byte; larger bytes would make the first characters more likely, so 3 in 100 bytes are skipped.
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
  return text
}

/** Writes a number in base 62, padded with zeros on the left. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = alphabet.charAt(rest % 62) + text
  return text.padStart(length, '0')
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Makes `length` characters out of 0-9, A-Z and a-z, each as likely as any other. */
export function randomBase62(length: number, randomBytes: (size: number) => Uint8Array): string {
  let text = ''
  // 248 is the largest multiple of 62 in a byte; what lies above would make the first characters likelier. 3 in 100 bytes are lost.
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
  return text
}

/** Writes a number in base 62, filled up with zeros from the left. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = alphabet.charAt(rest % 62) + text
  return text.padStart(length, '0')
}

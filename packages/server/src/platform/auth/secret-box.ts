import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

const ivLength = 12
const tagLength = 16
const secretLengthMin = 32

/** Encrypts bytes that are stored in the database. */
export interface SecretBox {
  /** `context` identifies the row of the bytes; they are decrypted only under the same one, so that rows cannot be exchanged. */
  seal(plain: Uint8Array, context: string): Buffer
  /** `undefined` when the bytes were not encrypted under this key and context. */
  open(sealed: Uint8Array, context: string): Buffer | undefined
}

/** Derives the key of one purpose from the secret key of the installation (HKDF, RFC 5869). */
export function deriveKey(secretKey: Uint8Array, purpose: string): Buffer {
  if (secretKey.length < secretLengthMin) throw new Error(`The secret key has ${secretKey.length} bytes; it needs ${secretLengthMin}.`)
  return Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(0), `millrace/${purpose}`, 32))
}

/** Makes a box of AES-256-GCM for one purpose. */
export function createSecretBox(secretKey: Uint8Array, purpose: string, randomBytes: (size: number) => Uint8Array): SecretBox {
  const key = deriveKey(secretKey, purpose)
  return {
    seal(plain, context) {
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, context) {
      if (sealed.length < ivLength + tagLength) return undefined
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivLength))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(-tagLength))
      const plain = decipher.update(sealed.subarray(ivLength, -tagLength))
      try {
        return Buffer.concat([plain, decipher.final()])
      } catch {
        return undefined // The tag does not match, which node:crypto reports by an exception.
      }
    },
  }
}

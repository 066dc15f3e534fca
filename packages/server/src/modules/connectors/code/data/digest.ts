import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { type Json, type JsonObject, textOf } from '@millrace/engine'
import { DataError } from './data-error.ts'
import { bytesOf } from './limits.ts'

const nonceBytes = 12
const tagBytes = 16

/** `crypto.hash`. */
export function hash({ algorithm, encoding, ...given }: JsonObject): Json {
  return {
    digest: encoded(
      createHash(textOf(algorithm) ?? 'sha256')
        .update(contentOf(given))
        .digest(),
      encoding,
    ),
  }
}

/** `crypto.hmac`. */
export function hmac({ algorithm, encoding, key, keyBase64, ...given }: JsonObject): Json {
  const bytes = keyBase64 === undefined ? Buffer.from(textOf(key) ?? '', 'utf8') : bytesOf(keyBase64, '/keyBase64')
  return {
    digest: encoded(
      createHmac(textOf(algorithm) ?? 'sha256', bytes)
        .update(contentOf(given))
        .digest(),
      encoding,
    ),
  }
}

/** `crypto.random`: bytes that cannot be guessed. */
export function random({ bytes, encoding }: JsonObject): Json {
  return { value: encoded(randomBytes(typeof bytes === 'number' ? bytes : 32), encoding), uuid: randomUUID() }
}

/** `crypto.encrypt`: AES-256-GCM; nonce, ciphertext and tag one after the other. */
export function encrypt({ keyBase64, ...given }: JsonObject): Json {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(keyBase64), nonce, { authTagLength: tagBytes })
  const sealed = Buffer.concat([nonce, cipher.update(contentOf(given)), cipher.final(), cipher.getAuthTag()])
  return { encryptedBase64: sealed.toString('base64') }
}

/** `crypto.decrypt`: of what `crypto.encrypt` gave. */
export function decrypt({ keyBase64, encryptedBase64, as }: JsonObject): Json {
  const sealed = bytesOf(encryptedBase64, '/encryptedBase64')
  if (sealed.length < nonceBytes + tagBytes) throw new DataError('/encryptedBase64 is too short to be the output of crypto.encrypt.')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(keyBase64), sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const content = decrypted(() => Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]))
  return as === 'base64' ? { contentBase64: content.toString('base64') } : { text: content.toString('utf8') }
}

function decrypted(read: () => Buffer): Buffer {
  try {
    return read()
  } catch {
    throw new DataError('It was encrypted by another key, or changed.')
  }
}

function keyOf(keyBase64: Json | undefined): Buffer {
  const key = bytesOf(keyBase64, '/keyBase64')
  if (key.length !== 32) throw new DataError(`/keyBase64 has ${key.length} bytes and must have 32.`)
  return key
}

function contentOf({ text, contentBase64 }: JsonObject): Buffer {
  if ((text === undefined) === (contentBase64 === undefined)) throw new DataError('Give either text or contentBase64.')
  return contentBase64 === undefined ? Buffer.from(textOf(text) ?? '', 'utf8') : bytesOf(contentBase64, '/contentBase64')
}

function encoded(bytes: Buffer, encoding: Json | undefined): string {
  return bytes.toString(encoding === 'base64' || encoding === 'base64url' ? encoding : 'hex')
}

import { isObject, type Json } from '#core/json.ts'
import { invalidArgument } from './http-call-error.ts'

/** The bytes of `{ base64: "…" }`, the way to give bytes in JSON; undefined when the value is something else. */
export function base64Bytes(value: Json): Uint8Array | undefined {
  if (!isObject(value) || typeof value['base64'] !== 'string') return undefined
  const text = value['base64']
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw invalidArgument('The "base64" of a body is not base64.')
  return Buffer.from(text, 'base64')
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

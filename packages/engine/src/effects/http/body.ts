import { isArray, isObject, type Json } from '#core/json.ts'
import { checkHeaderValue } from './headers.ts'
import { invalidArgument } from './http-call-error.ts'
import { formType, isJsonType, type MediaType, parseMediaType } from './media-type.ts'

export interface EncodedBody {
  readonly body: string | Uint8Array
  readonly contentType: string
}

/**
 * Turns the `body` argument into bytes, as the `content-type` header says.
 *
 * Without the header: strings go as text, everything else as JSON. With it: JSON types serialise everything but strings, forms
 * (urlencoded, multipart) take an object, and every type takes a string, which goes as it is, or `{ base64 }`, which goes as the bytes.
 * A null body is no body.
 */
export function encodeBody(argument: Json | undefined, contentType: string | undefined, boundary: () => string): EncodedBody | undefined {
  if (argument === undefined || argument === null) return undefined
  const type = contentType === undefined ? undefined : parseMediaType(contentType)
  if (contentType === undefined || type === undefined) return encodeUntyped(argument, contentType)
  if (typeof argument === 'string') return { body: encodeText(argument, type), contentType }
  if (isJsonType(type.essence)) return { body: JSON.stringify(argument), contentType }
  if (type.essence === formType) return { body: encodeForm(argument), contentType }
  if (type.essence === 'multipart/form-data') return encodeMultipart(argument, boundary())
  const bytes = base64Bytes(argument)
  if (bytes !== undefined) return { body: bytes, contentType }
  if (typeof argument === 'object') {
    throw invalidArgument(`A body of type ${type.essence} must be a string, or an object with the bytes as "base64".`)
  }
  return { body: encodeText(String(argument), type), contentType }
}

function encodeUntyped(argument: Json, contentType: string | undefined): EncodedBody {
  if (contentType !== undefined)
    throw invalidArgument(`The content type ${JSON.stringify(contentType)} is not one: it must be type/subtype.`)
  if (typeof argument === 'string') return { body: argument, contentType: 'text/plain; charset=utf-8' }
  return { body: JSON.stringify(argument), contentType: 'application/json' }
}

function encodeText(text: string, type: MediaType): string | Uint8Array {
  const charset = type.charset ?? 'utf-8'
  if (charset === 'utf-8' || charset === 'utf8') return text
  if (charset === 'iso-8859-1' || charset === 'latin1' || charset === 'us-ascii') return latin1Bytes(text, charset)
  throw invalidArgument(`A body cannot be written in the charset "${charset}": use utf-8 or iso-8859-1.`)
}

function latin1Bytes(text: string, charset: string): Uint8Array {
  const highest = charset === 'us-ascii' ? 0x7f : 0xff
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > highest) throw invalidArgument(`The body has characters that the charset "${charset}" lacks.`)
  }
  return Buffer.from(text, 'latin1')
}

function encodeForm(argument: Json): string {
  if (!isObject(argument)) throw invalidArgument('A form body must be an object of names and values, or a string.')
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(argument)) {
    for (const item of isArray(value) ? value : [value]) {
      if (item === null) continue
      form.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item))
    }
  }
  return form.toString()
}

/**
 * Writes an object as multipart/form-data.
 *
 * A property is a field, an array a field per item, `{ base64, filename?, contentType? }` a file, any other object a field of JSON;
 * null is left out. Source: RFC 7578, names escaped as browsers do.
 */
export function encodeMultipart(argument: Json, boundary: string): { readonly body: Uint8Array; readonly contentType: string } {
  if (!isObject(argument)) throw invalidArgument('A multipart body must be an object of names and values, or a string.')
  const chunks: Uint8Array[] = []
  for (const [name, value] of Object.entries(argument)) {
    for (const item of isArray(value) ? value : [value]) {
      if (item === null) continue
      const part = partOf(item)
      chunks.push(utf8(`--${boundary}\r\n${partHead(name, part)}\r\n\r\n`), part.bytes, utf8('\r\n'))
    }
  }
  chunks.push(utf8(`--${boundary}--\r\n`))
  return { body: Buffer.concat(chunks), contentType: `multipart/form-data; boundary=${boundary}` }
}

interface Part {
  readonly bytes: Uint8Array
  readonly filename?: string
  readonly contentType?: string
}

function partOf(value: Json): Part {
  const file = base64Bytes(value)
  if (file !== undefined && isObject(value)) {
    const filename = typeof value['filename'] === 'string' ? value['filename'] : 'file'
    const contentType = typeof value['contentType'] === 'string' ? value['contentType'] : 'application/octet-stream'
    return { bytes: file, filename, contentType: checkHeaderValue(`The content type of the file "${filename}"`, contentType) }
  }
  if (typeof value === 'object') return { bytes: utf8(JSON.stringify(value)), contentType: 'application/json' }
  return { bytes: utf8(String(value)) }
}

function partHead(name: string, part: Part): string {
  const filename = part.filename === undefined ? '' : `; filename="${escape(part.filename)}"`
  const type = part.contentType === undefined ? '' : `\r\ncontent-type: ${part.contentType}`
  return `content-disposition: form-data; name="${escape(name)}"${filename}${type}`
}

function escape(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function utf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8')
}

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

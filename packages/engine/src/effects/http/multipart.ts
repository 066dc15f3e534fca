import { isArray, isObject, type Json } from '#core/json.ts'
import { base64Bytes } from './base64.ts'
import { checkHeaderValue } from './headers.ts'
import { invalidArgument } from './http-call-error.ts'

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

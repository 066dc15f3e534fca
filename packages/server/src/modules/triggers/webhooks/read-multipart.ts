import type { Json } from '@millrace/engine'
import { collect, malformed, textOf } from './form-values.ts'

export const partsMax = 100
export const partHeadBytesMax = 4 * 1024
const blankLine = Buffer.from('\r\n\r\n')

/**
 * Reads a form of several parts in one pass over its bytes. Text fields are texts, files are objects with their content in base64.
 *
 * Source: RFC 7578.
 */
export function readMultipart(contentType: string, body: Buffer): Json {
  const delimiter = delimiterOf(contentType)
  // The first delimiter may be at the very beginning.
  const bytes = Buffer.concat([Buffer.from('\r\n'), body])
  const pairs: (readonly [string, Json])[] = []
  let at = bytes.indexOf(delimiter)
  while (at !== -1) {
    const start = at + delimiter.length
    if (bytes.subarray(start, start + 2).toString('latin1') === '--') return collect(pairs)
    const end = bytes.indexOf(delimiter, start)
    if (end === -1) break
    if (pairs.length >= partsMax) throw malformed(`The form has more than ${partsMax} parts.`)
    pairs.push(readPart(bytes.subarray(start, end)))
    at = end
  }
  throw malformed('The form ends before its closing boundary.')
}

/** What comes before each part and at the end, from the content type of the form. */
export function delimiterOf(contentType: string): Buffer {
  const boundary = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i
    .exec(contentType)
    ?.slice(1)
    .find((value) => value !== undefined)
  if (boundary === undefined) throw malformed('The form has no boundary in Content-Type.')
  return Buffer.from(`\r\n--${boundary}`)
}

/** A part from the end of its delimiter to the next one. */
function readPart(part: Buffer): readonly [string, Json] {
  const headEnd = part.indexOf(blankLine)
  if (headEnd === -1 || headEnd > partHeadBytesMax) throw longHead()
  const { name, filename, type } = readPartHead(part.subarray(0, headEnd))
  const content = part.subarray(headEnd + blankLine.length)
  const text = filename === undefined ? textOf(content) : undefined
  if (text !== undefined) return [name, text]
  return [name, { filename: filename ?? null, contentType: type, bytes: content.length, base64: content.toString('base64') }]
}

export const longHead = () => malformed('The form has a part without a head, or with one that is too long.')

/** What the head of a part says about it. */
export interface PartHead {
  readonly name: string
  /** Of a file; empty where none was chosen. */
  readonly filename: string | undefined
  readonly type: string
}

export function readPartHead(bytes: Buffer): PartHead {
  const head = textOf(bytes)
  const disposition = head?.split('\r\n').find((line) => /^content-disposition\s*:/i.test(line)) ?? ''
  const name = parameter(disposition, 'name')
  if (head === undefined || name === undefined) throw malformed('The form has a part without a name.')
  const type = /^content-type\s*:\s*(\S{1,200})/im.exec(head)?.[1] ?? 'application/octet-stream'
  return { name, filename: parameter(disposition, 'filename'), type }
}

function parameter(line: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(line)
  return match?.[1] ?? match?.[2]
}

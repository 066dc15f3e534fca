import { Readable } from 'node:stream'
import { type AskedRange, type ByteRange, byteRangeOf } from './byte-range.ts'

export type { ByteRange } from './byte-range.ts'

/** Headers that a handler may add. */
export type ExtraHeaders = Readonly<Record<string, string>>

/** A page for the browser of a person. */
export class Page {
  readonly html: string

  constructor(html: string) {
    this.html = html
  }
}

/** The return value of a handler that adds headers. */
export class ResponseWithHeaders<T> {
  readonly value: T | Readable | Page
  readonly headers: ExtraHeaders
  /** 206 for a part of a file. */
  readonly status: 200 | 206

  constructor(value: T | Readable | Page, headers: ExtraHeaders, status: 200 | 206 = 200) {
    this.value = value
    this.headers = headers
    this.status = status
  }
}

/** The return value of a handler that produces its response after the audit row is written. */
export class DeferredResponse<T> {
  readonly produce: () => Promise<T | ResponseWithHeaders<T>>

  constructor(produce: () => Promise<T | ResponseWithHeaders<T>>) {
    this.produce = produce
  }
}

/**
 * Responds with the result of `produce`, which is called after the audit row is written. For responses that wait: when the process dies
 * during the wait, the audit log still has the effect. Only for operations that open their own transactions.
 */
export function respondLater<T>(produce: () => Promise<T | ResponseWithHeaders<T>>): DeferredResponse<T> {
  return new DeferredResponse(produce)
}

/** Responds with `value` and further headers, such as `etag` or `location`. */
export function respond<T>(value: T, extras: { readonly headers: ExtraHeaders }): ResponseWithHeaders<T> {
  return new ResponseWithHeaders(value, extras.headers)
}

/** Responds with a stream, whose `content-type` is among the headers. */
export function respondStream(stream: Readable, extras: { readonly headers: ExtraHeaders }): ResponseWithHeaders<never> {
  return new ResponseWithHeaders<never>(stream, extras.headers)
}

/** Responds with a file to keep. Characters of the name that a header cannot have are replaced. */
export function respondFile(
  content: Buffer,
  { media, name }: { readonly media: string; readonly name: string },
): ResponseWithHeaders<never> {
  const filename = name.replaceAll(/[^\w.-]+/g, '-')
  return respondStream(Readable.from([content], { objectMode: false }), {
    headers: {
      'content-type': media,
      'content-length': String(content.length),
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
    },
  })
}

/** A file that is kept in the database. */
export interface StoredDownload {
  readonly media: string
  /** Of the file that the caller keeps; it has only characters that a header can have. */
  readonly name: string
  readonly bytes: number
  /** The name with all its characters, for callers that understand it (RFC 6266). */
  readonly fullName?: string
  /** Of the content, as hexadecimal digits. */
  readonly sha256: string
  readonly open: (range: ByteRange) => Readable
}

/** Pictures of pixels alone, which a browser may show: SVG has scripts, and nothing else is needed. */
const shownMedia: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Whether a file is a picture that a browser shows by itself, as its sender says. */
export function isPicture(media: string): boolean {
  return shownMedia.has(media.toLowerCase())
}

/** What a file may do that is opened as a page: nothing. */
const filePolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** As `respondDownload`, but for a picture, which the browser shows in its page. */
export function respondShown(asked: AskedRange, file: StoredDownload): ResponseWithHeaders<never> {
  const response = respondDownload(asked, file)
  if (!isPicture(file.media)) return response
  const disposition = response.headers['content-disposition']?.replace(/^attachment/, 'inline') ?? 'inline'
  return new ResponseWithHeaders<never>(response.value, { ...response.headers, 'content-disposition': disposition }, response.status)
}

/** Responds with a stored file, or with the part of it that is asked for, so that a download that broke off can be resumed. */
export function respondDownload(
  asked: AskedRange,
  { media, name, fullName, bytes, sha256, open }: StoredDownload,
): ResponseWithHeaders<never> {
  const tag = `"${sha256}"`
  const part = byteRangeOf(asked, { bytes, etag: tag })
  const { from, to } = part ?? { from: 0, to: bytes }
  const headers = {
    'content-type': media,
    'content-length': String(to - from),
    'content-disposition': `attachment; filename="${name}"${fullName === undefined ? '' : `; filename*=UTF-8''${encoded(fullName)}`}`,
    'cache-control': 'no-store',
    'content-security-policy': filePolicy,
    'accept-ranges': 'bytes',
    etag: tag,
    ...(part === undefined ? {} : { 'content-range': `bytes ${from}-${to - 1}/${bytes}` }),
  }
  return new ResponseWithHeaders<never>(open({ from, to }), headers, part === undefined ? 200 : 206)
}

/** As RFC 8187 encodes a value. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*!]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Responds with a page. The content policy of JSON applies unless the headers replace it: the page loads and runs nothing. */
export function respondPage(html: string, extras: { readonly headers: ExtraHeaders }): ResponseWithHeaders<never> {
  return new ResponseWithHeaders<never>(new Page(html), extras.headers)
}

/** The `ETag` of a revision. */
export function etag(revision: number): string {
  return `"${revision}"`
}

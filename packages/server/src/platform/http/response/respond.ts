import { Readable } from 'node:stream'

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

  constructor(value: T | Readable | Page, headers: ExtraHeaders) {
    this.value = value
    this.headers = headers
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

/** Responds with a page. The content policy of JSON applies unless the headers replace it: the page loads and runs nothing. */
export function respondPage(html: string, extras: { readonly headers: ExtraHeaders }): ResponseWithHeaders<never> {
  return new ResponseWithHeaders<never>(new Page(html), extras.headers)
}

/** The `ETag` of a revision. */
export function etag(revision: number): string {
  return `"${revision}"`
}

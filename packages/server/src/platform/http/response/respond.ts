import type { Readable } from 'node:stream'

/** Headers that a handler may add. */
export type ExtraHeaders = Readonly<Record<string, string>>

/** A handler's answer with headers. */
export class Respond<T> {
  readonly value: T | Readable
  readonly headers: ExtraHeaders

  constructor(value: T | Readable, headers: ExtraHeaders) {
    this.value = value
    this.headers = headers
  }
}

/** An answer that comes only after what was done is on record. */
export class Later<T> {
  readonly make: () => Promise<T | Respond<T>>

  constructor(make: () => Promise<T | Respond<T>>) {
    this.make = make
  }
}

/**
 * Answers with what `make` gives, which is asked for once the audit row is written: for answers that wait, so that a process that dies while one
 * does leaves nothing done without a trace. Only for operations that open their own transactions.
 */
export function respondLater<T>(make: () => Promise<T | Respond<T>>): Later<T> {
  return new Later(make)
}

/** Answers with `value` and further headers, such as `etag` or `location`. */
export function respond<T>(value: T, extras: { readonly headers: ExtraHeaders }): Respond<T> {
  return new Respond(value, extras.headers)
}

/** Answers with a stream, whose `content-type` is among the headers. */
export function respondStream(stream: Readable, extras: { readonly headers: ExtraHeaders }): Respond<never> {
  return new Respond<never>(stream, extras.headers)
}

/** The `ETag` of a revision. */
export function etag(revision: number): string {
  return `"${revision}"`
}

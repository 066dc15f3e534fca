import { withRawJson } from '#platform/http/response/raw-json.ts'

/** How long a browser waits before it reconnects. */
const reconnectMs = 1_000

/** The first piece of a stream of server-sent events. */
export const retryText = `retry: ${reconnectMs}\n\n`

/** A comment that keeps the connection open. */
export const heartbeatText = ': still there\n\n'

/** Headers of every stream of server-sent events. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx, and proxies that honour its header, then do not buffer the stream.
  'x-accel-buffering': 'no',
} as const

export interface ServerEvent {
  readonly name: string
  /** Absent in streams that cannot be resumed. */
  readonly id?: string
  readonly data: object
}

/** The text of one event. */
export function eventText({ name, id, data }: ServerEvent): string {
  // A line break in JSON is between its parts, never within a string.
  const line = withRawJson(() => JSON.stringify(data)).replaceAll(/[\r\n]+/g, ' ')
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${line}\n\n`
}

import type { ReadStream, WriteStream } from 'node:tty'

/** The streams, clock and signals of a command. Results go to `stdout`, everything else to `stderr`, so that commands can be piped. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>
  readonly stdout: Output
  readonly stderr: Output
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly newId: () => string
  /** Calls back at every Ctrl-C (SIGINT) and SIGTERM until the returned function is called. Without a listener they end the process. */
  onInterrupt(listener: () => void): () => void
  /** Calls back when the process is idle: no timer, no connection, no input that is read. */
  onIdle(listener: () => void): () => void
  /** Ends the process at once, for what cannot wait. */
  exit(code: number): never
}

/** A stream to write to, which may be a terminal or a pipe. */
export type Output = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

/** The width in columns; 80 where the stream is not a terminal or its size is unknown. */
export function columnsOf({ columns = 0 }: Output): number {
  return columns === 0 ? 80 : Math.max(40, columns)
}

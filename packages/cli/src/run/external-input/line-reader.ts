import { createInterface } from 'node:readline'
import type { Terminal } from '#terminal/terminal.ts'

/** Standard input line by line. It is read only while `next` is pending, so that unread input does not keep the process alive. */
export interface LineReader {
  /** @returns undefined at the end of the input; rejects when the signal is aborted */
  next(signal: AbortSignal): Promise<string | undefined>
  close(): void
}

/** Also reads a terminal, which edits its lines itself; Ctrl-C stays a signal. */
export function createLineReader(stdin: Terminal['stdin']): LineReader {
  const lines: string[] = []
  let isOver = false
  let waiting: (() => void) | undefined
  const input = createInterface({ input: stdin, terminal: false, crlfDelay: Number.POSITIVE_INFINITY })
  const notice = (): void => waiting?.()
  input.pause()
  input.on('line', (line) => (lines.push(line), notice()))
  const end = (): void => ((isOver = true), notice())
  input.on('close', end)
  // For example, the terminal was closed.
  input.on('error', end)
  return {
    async next(signal) {
      signal.throwIfAborted()
      if (lines.length === 0 && !isOver) {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting = resolve
        signal.addEventListener('abort', notice, { once: true })
        input.resume()
        await promise
        signal.removeEventListener('abort', notice)
        waiting = undefined
        if (!isOver) input.pause()
        signal.throwIfAborted()
      }
      return lines.shift()
    },
    close() {
      input.close()
      stdin.pause()
    },
  }
}

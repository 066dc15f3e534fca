import type { Terminal } from '#terminal/terminal.ts'
import { createLineSplitter } from '#terminal/text-lines.ts'

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
  const splitter = createLineSplitter()
  const notice = (): void => waiting?.()
  const take = (chunk: Buffer | string): void => {
    lines.push(...splitter.take(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
    if (lines.length > 0) notice()
  }
  const end = (): void => {
    if (!isOver) lines.push(...splitter.end())
    close()
  }
  const close = (): void => ((isOver = true), notice())
  stdin.pause()
  stdin.on('data', take)
  stdin.on('end', end)
  stdin.on('close', end)
  // For example, the terminal was closed.
  stdin.on('error', end)
  return {
    async next(signal) {
      signal.throwIfAborted()
      if (lines.length === 0 && !isOver) {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting = resolve
        signal.addEventListener('abort', notice, { once: true })
        stdin.resume()
        await promise
        signal.removeEventListener('abort', notice)
        waiting = undefined
        if (!isOver) stdin.pause()
        signal.throwIfAborted()
      }
      return lines.shift()
    },
    close() {
      stdin.off('data', take)
      close()
      stdin.pause()
    },
  }
}

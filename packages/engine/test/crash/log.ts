import { createWriteStream } from 'node:fs'

/** A log file; every line has its time. */
export function openLog(path: string): { write(line: string): void; close(): void } {
  const stream = createWriteStream(path)
  return {
    write: (line) => void stream.write(`${new Date().toISOString()} ${line}\n`),
    close: () => void stream.end(),
  }
}

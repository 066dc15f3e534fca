import { createWriteStream } from 'node:fs'

/** A file with a line for everything that is said, with the time of it. */
export function openLog(path: string): { write(line: string): void; close(): void } {
  const stream = createWriteStream(path)
  return {
    write: (line) => void stream.write(`${new Date().toISOString()} ${line}\n`),
    close: () => void stream.end(),
  }
}

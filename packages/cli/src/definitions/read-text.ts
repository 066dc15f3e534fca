import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { messageOf, systemCodeOf, usageFailure } from '#command/failure.ts'
import type { Terminal } from '#terminal/terminal.ts'

/** Stands for standard input where a file is asked for. */
export const standardInput = '-'

/** Reads a file that the user named, or standard input. Throws a usage failure that says why it cannot be read. */
export async function readText(path: string, stdin: Terminal['stdin'], what: string): Promise<string> {
  if (path === standardInput) return readAll(stdin)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw usageFailure(`${path}: ${reason(error, what)}`)
  }
}

function reason(error: unknown, what: string): string {
  switch (systemCodeOf(error)) {
    case 'ENOENT':
      return `there is no such file; ${what} was to be read from it.`
    case 'EISDIR':
      return 'is a directory; name the files in it.'
    case 'EACCES':
      return 'may not be read by this user.'
    default:
      return `cannot be read: ${messageOf(error)}.`
  }
}

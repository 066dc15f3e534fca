import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { Writable } from 'node:stream'
import { usageFailure } from '#command/failure.ts'
import type { Terminal } from '#terminal/terminal.ts'

/** Asks for a line on the terminal; a usage failure without one. */
export async function ask({ stdin, stderr }: Terminal, label: string): Promise<string> {
  if (stdin.isTTY !== true)
    throw usageFailure(`${label} cannot be asked for: standard input is not a terminal.`, 'Use --email and --password-stdin.')
  const lines = createInterface({ input: stdin, output: stderr, terminal: true })
  try {
    return (await lines.question(`${label}: `)).trim()
  } finally {
    lines.close()
  }
}

/** Asks for a line that is not shown; without a terminal, reads all of standard input. */
export async function readSecret(terminal: Terminal, label: string): Promise<string> {
  const secret = terminal.stdin.isTTY === true ? await askHidden(terminal, label) : (await readAll(terminal.stdin)).replace(/\r?\n$/, '')
  if (secret === '') throw usageFailure(`${label} is empty.`)
  return secret
}

async function askHidden({ stdin, stderr }: Terminal, label: string): Promise<string> {
  stderr.write(`${label}: `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    stderr.write('\n')
  }
}

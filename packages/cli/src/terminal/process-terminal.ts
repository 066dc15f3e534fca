import { randomUUID } from 'node:crypto'
import { systemCodeOf } from '#command/failure.ts'
import type { Terminal } from './terminal.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

/** The terminal that this process was started in. */
export function createProcessTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) {
    // The reader has closed the pipe, as `head` does.
    stream.on('error', (error) => {
      if (systemCodeOf(error) !== 'EPIPE') throw error
      process.exit()
    })
  }
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: Date.now,
    newId: randomUUID,
    exit: (code) => process.exit(code),
    onIdle(listener) {
      process.on('beforeExit', listener)
      return () => void process.off('beforeExit', listener)
    },
    onInterrupt(listener) {
      for (const signal of signals) process.on(signal, listener)
      return () => {
        for (const signal of signals) process.off(signal, listener)
      }
    },
  }
}

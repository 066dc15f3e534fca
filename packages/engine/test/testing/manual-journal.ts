import type { Journal, Write, Written } from '#durable/ports/journal.ts'

interface PendingWrite {
  readonly write: Write
  readonly resolve: (written: Written) => void
  readonly reject: (error: Error) => void
}

/** A journal whose writes stay pending until the test commits, refuses or fails them. */
export interface ManualJournal extends Journal {
  /** All submitted writes, in order. */
  readonly submitted: readonly Write[]
  /** The pending writes, oldest first. */
  readonly pending: readonly Write[]
  /** Commits the oldest pending write, or the next one, and waits until the run has reacted to it. */
  commit(): Promise<Write>
  refuse(): Promise<void>
  fail(error?: Error): Promise<void>
}

export function createManualJournal(): ManualJournal {
  const submitted: Write[] = []
  const pending: PendingWrite[] = []
  /** Takes the oldest pending write, or the next one within a second. */
  async function oldest(): Promise<PendingWrite> {
    const deadlineMs = performance.now() + 1_000
    while (pending.length === 0 && performance.now() < deadlineMs) await new Promise((resolve) => setImmediate(resolve))
    const next = pending.shift()
    if (next === undefined) throw new Error('no write was submitted')
    return next
  }
  return {
    submitted,
    get pending() {
      return pending.map(({ write }) => write)
    },
    write(write) {
      submitted.push(write)
      return new Promise((resolve, reject) => pending.push({ write, resolve, reject }))
    },
    async commit() {
      const { write, resolve } = await oldest()
      resolve({ refused: false })
      await settled()
      return write
    },
    async refuse() {
      const { resolve } = await oldest()
      resolve({ refused: true })
      await settled()
    },
    async fail(error = new Error('the connection was lost')) {
      const { reject } = await oldest()
      reject(error)
      await settled()
    },
  }
}

/** Resolves when all ready callbacks have run. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
}

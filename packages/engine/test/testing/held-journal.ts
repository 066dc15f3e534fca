import type { Journal, Write, Written } from '#durable/ports/journal.ts'

interface Held {
  readonly write: Write
  readonly resolve: (written: Written) => void
  readonly reject: (error: Error) => void
}

/** A journal whose writes wait until the test says what becomes of them. */
export interface HeldJournal extends Journal {
  /** Everything that was ever submitted, in order. */
  readonly submitted: readonly Write[]
  /** What waits to be settled, oldest first. */
  readonly held: readonly Write[]
  /** Commits the oldest write that waits, or the next that comes, and lets all that follows from it happen. */
  commit(): Promise<Write>
  refuse(): Promise<void>
  fail(error?: Error): Promise<void>
}

export function createHeldJournal(): HeldJournal {
  const submitted: Write[] = []
  const held: Held[] = []
  /** The oldest write that waits, or the next that comes within a second. */
  async function oldest(): Promise<Held> {
    const deadlineMs = performance.now() + 1_000
    while (held.length === 0 && performance.now() < deadlineMs) await new Promise((resolve) => setImmediate(resolve))
    const next = held.shift()
    if (next === undefined) throw new Error('no write came')
    return next
  }
  return {
    submitted,
    get held() {
      return held.map(({ write }) => write)
    },
    write(write) {
      submitted.push(write)
      return new Promise((resolve, reject) => held.push({ write, resolve, reject }))
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

/** Resolves when everything that was ready to happen has happened. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
}

import type { PreparedWrite } from './prepare-write.ts'

/** A write that waits for its batch, with the promise that it settles. */
export interface Waiting {
  readonly prepared: PreparedWrite
  readonly resolve: (written: { readonly refused: boolean }) => void
  readonly reject: (cause: unknown) => void
}

/** Waiting writes by account. Accounts take turns, so that one with many writes does not delay the others. */
export interface WriteQueue {
  readonly size: number
  add(waiting: Waiting): void
  /** Takes one of each account in turn, until there are so many, or so many bytes; at least one, where there is any. */
  take(countMax: number, bytesMax: number): readonly Waiting[]
}

interface Line {
  readonly writes: Waiting[]
  /** The next write; those before it are taken. */
  at: number
}

/** An array is cut after so many of its writes are taken. */
const CUT = 1_024

export function createWriteQueue(): WriteQueue {
  // In the order of the turns: an account goes to the end after its turn.
  const lines = new Map<string, Line>()
  let size = 0

  function next(): Waiting | undefined {
    for (const [accountId, line] of lines) {
      const waiting = line.writes[line.at]
      line.at += 1
      lines.delete(accountId)
      if (line.at < line.writes.length) lines.set(accountId, line.at < CUT ? line : { writes: line.writes.slice(line.at), at: 0 })
      return waiting
    }
    return undefined
  }

  return {
    get size() {
      return size
    },
    add(waiting) {
      const { accountId } = waiting.prepared.write
      const line = lines.get(accountId)
      if (line === undefined) lines.set(accountId, { writes: [waiting], at: 0 })
      else line.writes.push(waiting)
      size += 1
    },
    take(countMax, bytesMax) {
      const taken: Waiting[] = []
      for (let bytes = 0; taken.length < countMax && bytes < bytesMax; ) {
        const waiting = next()
        if (waiting === undefined) break
        size -= 1
        bytes += waiting.prepared.bytes
        taken.push(waiting)
      }
      return taken
    },
  }
}

import type { PreparedWrite } from './prepare-write.ts'

/** A write that waits for its batch. The functions settle the promise of its caller. */
export interface QueuedWrite {
  readonly prepared: PreparedWrite
  /** The id under which this process was registered when it wrote this. */
  readonly processId: string
  readonly resolve: (written: { readonly refused: boolean }) => void
  readonly reject: (cause: unknown) => void
}

/** Queued writes by account. Accounts take turns, so that one with many writes does not delay the others. */
export interface WriteQueue {
  size(): number
  add(waiting: QueuedWrite): void
  /** Removes one write of each account in turn until a maximum is reached; at least one, unless the queue is empty. */
  take(countMax: number, bytesMax: number): readonly QueuedWrite[]
}

interface Line {
  readonly writes: QueuedWrite[]
  /** Index of the next write; the writes before it were taken. */
  at: number
}

/** After this many writes were taken from a line, its array is copied without them. */
const TAKEN_MAX = 1_024

export function createWriteQueue(): WriteQueue {
  // By account, in the order of their turns: an account moves to the end after its turn.
  const lines = new Map<string, Line>()
  let size = 0

  function next(): QueuedWrite | undefined {
    for (const [accountId, line] of lines) {
      const waiting = line.writes[line.at]
      line.at += 1
      lines.delete(accountId)
      if (line.at < line.writes.length) lines.set(accountId, line.at < TAKEN_MAX ? line : { writes: line.writes.slice(line.at), at: 0 })
      return waiting
    }
    return undefined
  }

  return {
    size: () => size,
    add(waiting) {
      const { accountId } = waiting.prepared.write
      const line = lines.get(accountId)
      if (line === undefined) lines.set(accountId, { writes: [waiting], at: 0 })
      else line.writes.push(waiting)
      size += 1
    },
    take(countMax, bytesMax) {
      const taken: QueuedWrite[] = []
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

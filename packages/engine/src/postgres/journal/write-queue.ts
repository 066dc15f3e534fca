import type { PreparedWrite } from './prepare-write.ts'

/** Writes that wait for a statement, with what is to be told when they are through. */
export interface Waiting {
  readonly prepared: PreparedWrite
  readonly resolve: (written: { readonly refused: boolean }) => void
  readonly reject: (cause: unknown) => void
}

/** Writes by account, each of which has its turn: how much one has to write does not hold up another. */
export interface WriteQueue {
  readonly size: number
  add(waiting: Waiting): void
  /** Takes one of each account in turn, until there are so many, or so many bytes; at least one, where there is any. */
  take(countMax: number, bytesMax: number): readonly Waiting[]
}

interface Line {
  readonly writes: Waiting[]
  /** Those before it are taken. */
  at: number
}

/** An array whose beginning is taken is cut when so much of it is. */
const CUT = 1_024

export function createWriteQueue(): WriteQueue {
  // In the order of the turns: whoever has had its turn goes to the end.
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

import { type AuditEntry, type DayLink, hashEntry, hashFirstLeaf, isErased } from './audit-entry.ts'
import { changedStates, type RevealedChanges } from './changes.ts'
import { type NoteKey, parseCheckpoint, signatureBy, toHex } from './checkpoint.ts'
import { appendLeaf, emptyTree, type Hash, isSame, rootOf, type TreeState } from './merkle.ts'

/** One thing that does not match. */
export interface AuditFinding {
  readonly kind: (typeof findingKinds)[number]
  /** The place in the log of the day; null where it has none. */
  readonly index: number | null
  /** UUID of the event; null where it has none. */
  readonly event: string | null
  readonly detail: string
}

export const findingKinds = [
  'row_changed',
  'row_missing',
  'row_inserted',
  'row_moved',
  'change_differs',
  'leaf_changed',
  'leaf_missing',
  'leaf_inserted',
  'root_differs',
  'checkpoint_invalid',
  'checkpoint_missing',
  'day_changed',
  'day_missing',
  'anchor_invalid',
] as const

/** A leaf with the event that it covers. */
export interface StoredLeaf {
  readonly index: number
  readonly hash: Uint8Array
  /** UUID; null for the first leaf of the day. */
  readonly event: string | null
  /** Undefined when the row does not exist. */
  readonly entry: AuditEntry | undefined
  /** What a change changed, if that is revealed. */
  readonly revealed?: RevealedChanges | undefined
}

/** What is on record about a day. */
export interface StoredDay {
  readonly log: string
  readonly date: string
  readonly previous: DayLink | null
  readonly size: number
  readonly root: Uint8Array
  /** Size at the last checkpoint. */
  readonly signedSize: number
  readonly signedCount: number
  readonly checkpoints: readonly { readonly size: number; readonly note: string }[]
}

export interface CheckDeps {
  readonly hash: Hash
  readonly keys: readonly NoteKey[]
  readonly verifySignature: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean
}

export interface DayReport {
  readonly date: string
  /** Leaves that were compared with their rows, the first leaf of the day included. */
  readonly leaves: number
  readonly checkpoints: number
  /** Events whose address and details were erased: their leaves show that they happened, and no more what they said. */
  readonly erased: number
  /** Of the leaves on record, as hexadecimal digits. */
  readonly root: string
  readonly findings: readonly AuditFinding[]
  /** Whether there are more findings than reported. */
  readonly truncated: boolean
}

const findingsMax = 100
const movedMax = 64

/** Compares the log of one day with its rows: leaves are added in order, then `finish` reports. */
export function createDayCheck(deps: CheckDeps, day: StoredDay) {
  const { hash } = deps
  const findings: AuditFinding[] = []
  const mismatches: StoredLeaf[] = []
  const changed: StoredLeaf[] = []
  const bySize = Map.groupBy(day.checkpoints, ({ size }) => size)
  let stored: TreeState = emptyTree
  let walked: TreeState = emptyTree
  let next = 0
  let isBroken = false
  let signed = 0
  let erased = 0
  let lastGood = 0

  const find = (kind: AuditFinding['kind'], index: number | null, event: string | null, detail: string) =>
    void findings.push({ kind, index, event, detail })

  function add(leaf: StoredLeaf): void {
    while (next < leaf.index) {
      find('leaf_missing', next, null, `The log of ${day.date} has no leaf ${next}.`)
      isBroken = true
      next += 1
    }
    if (leaf.index < next) {
      find('leaf_inserted', leaf.index, leaf.event, `The log of ${day.date} has a second leaf ${leaf.index}.`)
      return
    }
    next = leaf.index + 1
    if (leaf.index >= day.size) {
      find('leaf_inserted', leaf.index, leaf.event, `Leaf ${leaf.index} is behind the end of the log, which has ${day.size} leaves.`)
      return
    }
    const own = hashOf(leaf)
    if (own === undefined) find('row_missing', leaf.index, leaf.event, 'The log has a leaf for this event, and its row does not exist.')
    else if (!isSame(own, leaf.hash)) mismatches.push(leaf)
    if (leaf.entry !== undefined && isErased(leaf.entry)) erased += 1
    compareChanges(leaf)
    stored = appendLeaf(hash, stored, leaf.hash)
    walked = appendLeaf(hash, walked, own ?? leaf.hash)
    compareCheckpoints()
  }

  function compareChanges({ index, event, entry, revealed }: StoredLeaf): void {
    if (revealed === undefined) return
    const different = changedStates(hash, entry?.details ?? null, revealed)
    if (different.length > 0)
      find('change_differs', index, event, `What the event is said to have changed is not what it commits to: ${different.join(', ')}.`)
  }

  function hashOf({ index, entry, event }: StoredLeaf): Uint8Array | undefined {
    if (index === 0) return event === null ? hashFirstLeaf(hash, day.log, day.date, day.previous) : undefined
    return entry === undefined ? undefined : hashEntry(hash, entry, index)
  }

  function compareCheckpoints(): void {
    for (const { size, note } of bySize.get(next) ?? []) {
      signed += 1
      const problem = problemOf(note, size)
      if (problem !== undefined) find('checkpoint_invalid', size, null, `The checkpoint at size ${size} ${problem}.`)
      else if (!isBroken) compareRoot(note, size)
    }
  }

  function compareRoot(note: string, size: number): void {
    const root = parseCheckpoint(note)?.root ?? new Uint8Array(0)
    if (isSame(root, rootOf(hash, stored))) {
      nameMismatches('row_changed')
    } else if (isSame(root, rootOf(hash, walked))) {
      nameMismatches('leaf_changed')
    } else {
      nameMismatches('row_changed')
      const where = lastGood === 0 ? `leaves 0 to ${size - 1}` : `leaves ${lastGood} to ${size - 1}`
      find(
        'root_differs',
        size,
        null,
        `The signed root at size ${size} does not follow from the leaves: something in ${where} was replaced, and its leaf with it.`,
      )
      isBroken = true
    }
    lastGood = size
  }

  /** Notes the leaves that differ from their rows, once a signed root has decided which of the two is right. */
  function nameMismatches(kind: 'row_changed' | 'leaf_changed'): void {
    for (const leaf of mismatches.splice(0)) {
      if (kind === 'row_changed') changed.push(leaf)
      else find(kind, leaf.index, leaf.event, 'The row is the one that was logged; its leaf was changed.')
    }
  }

  /** Only at the end, since a row may have moved behind a checkpoint. */
  function nameChanged(): void {
    for (const leaf of changed) {
      const { index, event } = leaf
      if (index === 0) find('day_changed', 0, null, 'The first leaf does not match the day before, or its date or log.')
      else if (isMoved(leaf)) find('row_moved', index, event, `The event at ${index} belongs to another place of the log.`)
      else find('row_changed', index, event, 'The row is not the one that was logged.')
    }
  }

  function isMoved({ entry }: StoredLeaf): boolean {
    if (entry === undefined) return false
    return changed.slice(0, movedMax).some((leaf) => leaf.entry !== entry && isSame(hashEntry(hash, entry, leaf.index), leaf.hash))
  }

  function problemOf(note: string, size: number): string | undefined {
    const checkpoint = parseCheckpoint(note)
    if (checkpoint === undefined) return 'is not a signed checkpoint'
    if (!checkpoint.origin.endsWith(`/${day.log}/${day.date}`)) return `names another log (${checkpoint.origin})`
    if (checkpoint.size !== size) return `states another size (${checkpoint.size})`
    const message = new TextEncoder().encode(checkpoint.text)
    const isSigned = deps.keys.some((key) => {
      const signature = signatureBy(hash, checkpoint, key)
      return signature !== undefined && deps.verifySignature(key.publicKey, message, signature)
    })
    return isSigned ? undefined : 'has no valid signature of the key of this installation'
  }

  function finish(): DayReport {
    nameMismatches('row_changed')
    nameChanged()
    const counted = next
    while (next < day.size) {
      find('leaf_missing', next, null, `The log of ${day.date} has no leaf ${next}.`)
      isBroken = true
      next += 1
      if (findings.length > findingsMax) break
    }
    for (const [size, notes] of bySize) {
      if (size > 0 && size <= counted) continue
      for (const _ of notes) signed += 1
      find('checkpoint_invalid', size, null, `The checkpoint at size ${size} is for more leaves than the log has.`)
    }
    if (!isBroken && !isSame(rootOf(hash, stored), day.root))
      find('day_changed', null, null, `The root on record for ${day.date} does not follow from its leaves.`)
    if (signed !== day.signedCount)
      find('checkpoint_missing', null, null, `${day.signedCount} checkpoints of ${day.date} were signed, and ${signed} exist.`)
    else if (day.signedSize > 0 && !bySize.has(day.signedSize))
      find('checkpoint_missing', day.signedSize, null, `The checkpoint at size ${day.signedSize} does not exist.`)
    return {
      date: day.date,
      leaves: counted,
      checkpoints: signed,
      erased,
      root: toHex(rootOf(hash, stored)),
      findings: findings.slice(0, findingsMax),
      truncated: findings.length > findingsMax,
    }
  }

  return { add, finish }
}

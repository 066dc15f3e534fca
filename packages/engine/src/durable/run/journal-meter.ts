import { type ErrorData, standardError } from '#core/error.ts'
import { payloadSize } from '#core/payload.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'

/** A bound, and the name of its setting for the error. */
export interface Bound {
  readonly max: number
  readonly name: string
}

/** Bounds of the journal of one execution. */
export interface JournalLimits {
  readonly entries: Bound
  /** Characters of the entries as JSON, with 100 for each entry. */
  readonly bytes: Bound
}

/** Adds up the size of the journal of one execution. */
export interface JournalMeter {
  /** Adds an entry. @returns the fault of the execution if the journal is too large now. */
  add(entry: JournalEntry): ErrorData | undefined
}

/** The title of the fault of an execution whose journal is too large. */
export const TOO_LARGE = 'Execution too large'
const ENTRY_BYTES = 100

/** @param stored entries of earlier runs. */
export function createJournalMeter({ entries, bytes }: JournalLimits, stored: readonly JournalEntry[]): JournalMeter {
  let count = stored.length
  let size = stored.reduce((sum, entry) => sum + sizeOf(entry), 0)
  return {
    add(entry) {
      count += 1
      size += sizeOf(entry)
      if (count > entries.max) return tooLarge(entry, `more than ${entries.max} entries`, entries)
      return size > bytes.max ? tooLarge(entry, `more than ${bytes.max} bytes`, bytes) : undefined
    },
  }
}

function sizeOf({ value, position, decisions }: JournalEntry): number {
  return ENTRY_BYTES + position.length + decisions.length + payloadSize(value)
}

function tooLarge({ position }: JournalEntry, more: string, { name }: Bound): ErrorData {
  const detail = `its journal would have ${more}, which is what ${name} allows; split the work over several executions, or raise ${name}`
  return { ...standardError('runtime', detail, position).data, title: TOO_LARGE }
}

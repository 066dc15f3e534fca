import type { JsonValue } from '@millrace/contract'
import type { JournalEntry } from '@millrace/engine'

/** A journal entry as the evidence pack has it. */
export function entryOf(entry: JournalEntry): JsonValue {
  const { seq, position, phase, kind, ok, value, decisions, startedAtMs, endedAtMs } = entry
  return { seq, position, phase, kind, ok, value, decisions, startedAt: timeOf(startedAtMs), endedAt: timeOf(endedAtMs) }
}

export function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}

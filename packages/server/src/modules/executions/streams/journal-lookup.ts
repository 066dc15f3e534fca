import type { JournalEntry } from '@millrace/engine'
import type { ExecutionReader, JournalPart } from '@millrace/engine/storage'
import { createBatcher } from '#platform/batching/batcher.ts'

/** Reads parts of journals, with those that other streams read at the same time in one statement. */
export function createJournalLookup(
  reader: Pick<ExecutionReader, 'journalParts'>,
): (part: JournalPart) => Promise<readonly JournalEntry[]> {
  return createBatcher({ load: reader.journalParts, lanes: 2, keysMax: 20 })
}

import type { JsonValue } from '@millrace/contract'
import type { JournalEntry } from '@millrace/engine'
import type { StoredExecution } from '@millrace/engine/storage'
import { digestOf, digestOfJson, type InclusionProof } from '#modules/audit/index.ts'
import { entryOf } from './journal-entry.ts'

/** The event that an erasure writes to the audit log for each execution in which it has replaced data. */
export const erasedEvent = 'execution.erased'

/** What an erasure may have replaced of an execution. */
export type Recorded = Pick<StoredExecution, 'state' | 'input' | 'output' | 'error' | 'reply' | 'decisions'>

/** The digests of all that is kept of an ended execution. */
export function digestsOf(
  { state, input, output, error, reply, decisions }: Recorded,
  journal: readonly JournalEntry[],
): Readonly<Record<string, JsonValue>> {
  return {
    state,
    inputDigest: digestOfJson(input),
    outputDigest: output === undefined ? null : digestOfJson(output),
    replyDigest: reply === undefined ? null : digestOfJson(reply),
    errorDigest: error === undefined ? null : digestOfJson(JSON.stringify(error)),
    decisionsDigest: digestOf(decisions),
    journalDigest: digestOf(journal.map(entryOf)),
  }
}

/** What is known of an execution in which data of a person was erased. */
export interface Remains {
  readonly erasureId: string
  readonly at: Date
  /** `unchanged`: the record is what the erasure left, as the audit log says. `unsealed`: the log does not say what it left. */
  readonly remains: 'unchanged' | 'changed' | 'unsealed'
  /** The members that are not what the erasure left. */
  readonly differences: readonly string[]
}

/** Compares an execution with what its erasure left. */
export function remainsOf(
  erased: { readonly erasureId: string; readonly at: Date },
  execution: Recorded,
  journal: readonly JournalEntry[],
  proof: InclusionProof | undefined,
): Remains {
  const logged = proof?.entry.event === erasedEvent ? proof.entry.details : undefined
  const { erasureId, at } = erased
  // Details that a later erasure erased are an empty object.
  if (logged === undefined || logged === null || typeof logged !== 'object' || Array.isArray(logged) || !('journalDigest' in logged))
    return { erasureId, at, remains: 'unsealed', differences: [] }
  const members: Readonly<Record<string, JsonValue | undefined>> = { ...logged }
  const differences = Object.entries(digestsOf(execution, journal)).flatMap(([member, digest]) =>
    members[member] === digest ? [] : [member.replace(/Digest$/, '')],
  )
  return { erasureId, at, remains: differences.length === 0 ? 'unchanged' : 'changed', differences }
}

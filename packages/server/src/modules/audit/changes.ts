import type { JsonValue } from '@millrace/contract'
import { bytesOf, commitmentOfState, type RevealedChanges, type RevealedState } from '@millrace/contract/transparency'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { sha256 } from './log/evidence-keys.ts'

type State = Readonly<Record<string, JsonValue>>

/** A change as the event states it, and what reveals it. */
export interface CommittedChange {
  /** Commitments by member; null where there was nothing. */
  readonly commitments: Readonly<Record<string, { readonly before: string | null; readonly after: string | null }>>
  readonly revealed: RevealedChanges
}

const saltBytes = 16

/** Commits to the members that differ between two states. Undefined if none does. */
export function commitChange(before: State, after: State, randomBytes: (size: number) => Buffer): CommittedChange | undefined {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((field) => !isSame(before[field], after[field]))
  if (fields.length === 0) return undefined
  const stateOf = (value: JsonValue | undefined): RevealedState | undefined =>
    value === undefined ? undefined : { salt: randomBytes(saltBytes).toString('hex'), value }
  const revealed = fields.map((field) => ({ field, before: stateOf(before[field]), after: stateOf(after[field]) }))
  return {
    commitments: Object.fromEntries(
      revealed.map((change) => [change.field, { before: commitmentTo(change, 'before'), after: commitmentTo(change, 'after') }]),
    ),
    revealed: Object.fromEntries(revealed.map(({ field, ...states }) => [field, states])),
  }
}

function commitmentTo(
  change: { readonly field: string; readonly before: RevealedState | undefined; readonly after: RevealedState | undefined },
  side: 'before' | 'after',
): string | null {
  const state = change[side]
  return state === undefined ? null : commitmentOfState(sha256, change.field, side, state)
}

function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === undefined || right === undefined) return left === right
  return Buffer.compare(bytesOf(left), bytesOf(right)) === 0
}

/** The values of changes, without their salts. */
export function shownChanges(revealed: RevealedChanges | null) {
  if (revealed === null) return null
  const shown = Object.entries(revealed).map(([field, { before, after }]) => [
    field,
    { ...(before === undefined ? {} : { before: before.value }), ...(after === undefined ? {} : { after: after.value }) },
  ])
  return Object.fromEntries(shown)
}

export async function deleteChanges(db: Kysely<Rows>, accountId: string, eventIds: readonly string[]): Promise<void> {
  await sql`delete from audit_changes where account_id = ${accountId} and event_id = any(${[...eventIds]}::uuid[])`.execute(db)
}

export async function deleteChangesOf(db: Kysely<Rows>, accountId: string): Promise<void> {
  await sql`delete from audit_changes where account_id = ${accountId}`.execute(db)
}

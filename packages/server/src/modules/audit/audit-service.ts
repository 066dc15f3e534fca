import { Fault } from '@millrace/contract'
import { type AuditEntry, proveConsistency, proveInclusion, type RevealedChanges, toHex } from '@millrace/contract/transparency'
import type { Database, Tx } from '#platform/db/database.ts'
import { fromTypeId } from '#platform/ids.ts'
import { anchorOf } from './anchoring/anchorer.ts'
import { type EvidenceKey, type EvidenceKeys, sha256 } from './log/evidence-keys.ts'
import { findDay, findLeaf, listCheckpoints, listHashes, listLeaves } from './log/log-store.ts'
import type { Sequencer } from './log/sequencer.ts'
import { type LogVerifier, storedDay, type Verification, type VerifiedDay } from './log/verification.ts'
import type { EventNames, KnownNames } from './query/event-names.ts'
import {
  type AuditCount,
  countEvents,
  type EventFilter,
  type FoundEvents,
  listEnded,
  listLatestEnded,
  type Position,
  positionAfter,
  searchEvents,
} from './query/query-store.ts'

/** Reads and verifies the audit log. */
export interface AuditReading {
  events(
    tx: Tx,
    accountId: string,
    filter: EventFilter,
    page: { readonly before: Position | undefined; readonly limit: number },
  ): Promise<NamedEvents>
  /** All events that match, as pages, newest first. Each is read by itself, so that a slow reader needs no connection. Throws when the signal aborts. */
  pages(accountId: string, filter: EventFilter, signal: AbortSignal): AsyncGenerator<NamedEvents>
  verify(accountId: string, from: string | undefined): Promise<Verification>
  verifyDay(accountId: string, date: string): Promise<{ readonly report: VerifiedDay; readonly checkpoint: string | undefined }>
  /** Lines of a file that verifies offline, from leaf `from` on. */
  exportDay(
    accountId: string,
    date: string,
    part: { readonly from: number; readonly reveal: readonly string[] },
  ): Promise<{ readonly lines: readonly string[]; readonly next: number | undefined }>
  /** The proof that an event is in the log; undefined when there is no such event. */
  prove(accountId: string, eventId: string): Promise<InclusionProof | undefined>
  /** Ids (UUIDs) of executions that ended in a period, oldest first. */
  endedExecutions(accountId: string, from: Date, to: Date, limit: number): Promise<readonly string[]>
  /** The same, newest first. */
  latestExecutions(accountId: string, from: Date, to: Date, limit: number): Promise<readonly string[]>
  /** The events of a period by day, event and state. */
  counts(accountId: string, from: Date, to: Date): Promise<readonly AuditCount[]>
  keys(): Promise<readonly EvidenceKey[]>
}

/** Events that were found, with the names of what they name by id. */
export interface NamedEvents extends FoundEvents, KnownNames {}

/** The proof that one event is in the log that a checkpoint signs. */
export interface InclusionProof {
  readonly date: string
  readonly index: number
  readonly size: number
  /** Hashes as hexadecimal digits, from the leaf to the root. */
  readonly path: readonly string[]
  readonly checkpoint: string
  readonly entry: AuditEntry
}

export interface AuditReadingDeps {
  readonly database: Pick<Database, 'system' | 'account'>
  readonly keys: EvidenceKeys
  readonly sequencer: Pick<Sequencer, 'settle'>
  readonly verifier: LogVerifier
  readonly names: EventNames
}

const linesMax = 2_000
/** Events in a page of an export. */
const pageMax = 500

export function createAuditReading({ database, keys, sequencer, verifier, names }: AuditReadingDeps): AuditReading {
  const db = database.system

  async function events(tx: Tx, accountId: string, filter: EventFilter, page: Parameters<AuditReading['events']>[3]) {
    const named = filter.text === undefined ? [] : await names.find(tx, accountId, filter.text)
    const found = await searchEvents(tx, accountId, { ...filter, named }, page)
    return { ...found, ...(await names.of(tx, accountId, found.events)) }
  }

  return {
    events,
    async *pages(accountId, filter, signal) {
      // Events of the last second get their leaves.
      await sequencer.settle(accountId)
      for (let before: Position | undefined; ; ) {
        signal.throwIfAborted()
        const page = await database.account(accountId, (tx) => events(tx, accountId, filter, { before, limit: pageMax }))
        yield page
        before = positionAfter(page, pageMax)
        if (before === undefined) return
      }
    },
    verify: (accountId, from) => verifier.days(accountId, from),

    async verifyDay(accountId, date) {
      const report = await verifier.day(accountId, date)
      if (report === undefined) throw new Fault('not_found', { detail: `The log has no events on ${date}.` })
      const checkpoints = await listCheckpoints(db, accountId, date)
      return { report, checkpoint: checkpoints.at(-1)?.note }
    },

    async exportDay(accountId, date, part) {
      if (part.from === 0) await sequencer.settle(accountId)
      return db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((tx) => exportPart(tx, accountId, date, part))
    },

    async prove(accountId, eventId) {
      await sequencer.settle(accountId)
      return db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((tx) => proveEvent(tx, accountId, eventId))
    },

    async endedExecutions(accountId, from, to, limit) {
      await sequencer.settle(accountId)
      return executionIdsOf(await listEnded(db, accountId, { from, to, limit }))
    },

    async latestExecutions(accountId, from, to, limit) {
      await sequencer.settle(accountId)
      return executionIdsOf(await listLatestEnded(db, accountId, { from, to, limit }))
    },

    async counts(accountId, from, to) {
      await sequencer.settle(accountId)
      return countEvents(db, accountId, from, to)
    },

    async keys() {
      // Who saves the keys before the first receipt has the key of receipts too.
      await keys.signer('checkpoint')
      await keys.signer('receipt')
      return keys.all()
    },
  }
}

function executionIdsOf(targets: readonly string[]): readonly string[] {
  return targets.flatMap((target) => fromTypeId('exec', target) ?? [])
}

async function exportPart(
  tx: Tx,
  accountId: string,
  date: string,
  { from, reveal }: { readonly from: number; readonly reveal: readonly string[] },
) {
  const row = await findDay(tx, accountId, date)
  if (row === undefined) throw new Fault('not_found', { detail: `The log has no events on ${date}.` })
  const leaves = await listLeaves(tx, accountId, date, { from, limit: linesMax + 1 })
  const part = leaves.slice(0, linesMax).map(({ index, hash, event, entry, revealed }) => {
    const shown = revealedPart(revealed, reveal)
    return { leaf: { index, hash: toHex(hash), event, entry: entry ?? null, ...(shown === undefined ? {} : { revealed: shown }) } }
  })
  const last = part.at(-1)
  const hasMore = leaves.length > linesMax
  const closing = hasMore ? [] : [await endLine(tx, accountId, date)]
  return {
    lines: [...part, ...closing].map((line) => JSON.stringify(line)),
    next: hasMore && last !== undefined ? last.leaf.index + 1 : undefined,
  }
}

/** What is to be revealed of a change: the named members, or all by `*`. */
function revealedPart(revealed: RevealedChanges | undefined, fields: readonly string[]): RevealedChanges | undefined {
  if (revealed === undefined || fields.length === 0) return undefined
  const shown = Object.entries(revealed).filter(([field]) => fields.includes('*') || fields.includes(field))
  return shown.length === 0 ? undefined : Object.fromEntries(shown)
}

/** The last line has what the leaves are compared with, at the time of the last part. */
async function endLine(tx: Tx, accountId: string, date: string) {
  const row = await findDay(tx, accountId, date)
  if (row === undefined) throw new Fault('not_found')
  const { root, size, checkpoints, signedSize, ...day } = await storedDay(tx, row)
  const oldest = checkpoints.find((checkpoint) => checkpoint.size > 0 && checkpoint.size < signedSize)?.size
  const hashes = await listHashes(tx, accountId, date, signedSize)
  const consistency =
    oldest === undefined || hashes.length !== signedSize
      ? null
      : { from: oldest, to: signedSize, proof: proveConsistency(sha256, hashes, oldest).map(toHex) }
  const anchor = await anchorOf(tx, accountId, date)
  return { day: { format: 'millrace-audit/1', ...day, size, root: toHex(root), signedSize, checkpoints, consistency, anchor } }
}

async function proveEvent(tx: Tx, accountId: string, eventId: string): Promise<InclusionProof | undefined> {
  const leaf = await findLeaf(tx, accountId, eventId)
  if (leaf === undefined) return undefined
  const checkpoint = (await listCheckpoints(tx, accountId, leaf.day)).findLast(({ size }) => size > leaf.index)
  const [found] = await listLeaves(tx, accountId, leaf.day, { from: leaf.index, limit: 1 })
  if (checkpoint === undefined || found?.entry === undefined) return undefined
  const hashes = await listHashes(tx, accountId, leaf.day, checkpoint.size)
  if (hashes.length !== checkpoint.size) return undefined
  const path = proveInclusion(sha256, hashes, leaf.index).map(toHex)
  return { date: leaf.day, index: leaf.index, size: checkpoint.size, path, checkpoint: checkpoint.note, entry: found.entry }
}

import { createLoop } from '@millrace/engine'
import type { Kysely } from 'kysely'
import { eventView } from '#modules/audit/views.ts'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { Rows } from '#platform/db/rows.ts'
import { toTypeId } from '#platform/ids.ts'
import type { AuditDestination, LogPosition } from './destination.ts'
import {
  claimDestinations,
  type ClaimedDestination,
  type LeafWithEvent,
  listFrom,
  postponeDestination,
  releaseDestination,
  saveDelivered,
  saveFailed,
} from './destination-store.ts'
import { openSecret } from './destination-secret.ts'
import { objectKey } from './send-objects.ts'
import { type Line, sendBatch, type SendBatchDeps } from './send-batch.ts'

export interface StreamerDeps extends SendBatchDeps {
  readonly db: Kysely<Rows>
  readonly box: SecretBox
  readonly newId: () => string
  /** Between 0 and 1. */
  readonly chance: () => number
  /** Called in the transaction that pauses a destination. */
  readonly onPaused: (tx: Kysely<Rows>, destination: AuditDestination, reason: string) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Sends the log to its destinations, in the background. */
export interface Streamer {
  start(): void
  /** Stops claiming. Attempts that are not finished after `deadlineMs` are aborted and their claims released. */
  stop(deadlineMs: number): Promise<void>
}

const idleMs = 500
const attemptsMax = 32
/** Much longer than an attempt. */
const leaseMs = 60_000
const linesMax = 100
/** Also the most that is examined for personal data as a whole. */
const charactersMax = 100_000
/** Of an object. */
const objectLinesMax = 1_000
/** Events wait for so long for others that belong to their object. */
const objectDelayMs = 10_000
const delayMsMin = 5_000
const delayMsMax = 15 * 60_000
const pauseAfterMs = 3 * 24 * 60 * 60_000

export function createStreamer(deps: StreamerDeps): Streamer {
  const { db } = deps
  const attempts = new Set<Promise<void>>()
  const abort = new AbortController()
  const loop = createLoop(idleMs, async () => {
    await startAttempts().catch(deps.onError)
    return false
  })

  async function deliver(claimed: ClaimedDestination): Promise<void> {
    const { id, accountId, target, position } = claimed
    const limit = target.kind === 's3' ? objectLinesMax : linesMax
    const leaves = await listFrom(db, accountId, position, limit)
    const { lines, next } = batchOf(accountId, target.kind === 's3' ? ofOneDay(leaves) : leaves, position)
    if (target.kind === 's3' && isWaiting(leaves, next, limit, claimed.dueAt)) return postponeDestination(db, claimed, objectDelayMs)
    if (lines.length === 0) return saveDelivered(db, claimed, next, false)
    // The id names the lines: a receiver that drops an id that it knows loses nothing.
    const batchId = `${toTypeId('adst', id)}.${position.day}.${position.index}.${next.day}.${next.index}`
    const key = target.kind === 's3' ? objectKey(target, toTypeId('acct', accountId), firstOf(leaves, position)) : ''
    const batch = { id: batchId, accountId, target, key, secret: openSecret(deps.box, claimed), lines }
    const failure = await sendBatch(deps, batch, abort.signal)
    if (failure === undefined) return saveDelivered(db, claimed, next, true)
    await db.transaction().execute(async (tx) => {
      const failed = {
        error: failure.error,
        delayMs: delayAfter(claimed.attempts, deps.chance()),
        pauseAfterMs: failure.isGone ? 0 : pauseAfterMs,
      }
      const reason = await saveFailed(tx, claimed, failed)
      if (reason !== undefined) await deps.onPaused(tx, claimed, reason)
    })
  }

  async function attempt(claimed: ClaimedDestination): Promise<void> {
    try {
      await deliver(claimed)
    } catch (error) {
      if (!abort.signal.aborted) throw error
      await releaseDestination(db, claimed)
    }
  }

  async function startAttempts(): Promise<void> {
    const limit = attemptsMax - attempts.size
    if (limit <= 0) return
    for (const claimed of await claimDestinations(db, { claim: deps.newId(), limit, leaseMs })) {
      const running: Promise<void> = attempt(claimed)
        .catch(deps.onError)
        .finally(() => {
          attempts.delete(running)
          loop.wake()
        })
      attempts.add(running)
    }
  }

  return {
    start: () => loop.start(),
    async stop(deadlineMs) {
      await loop.stop()
      const timer = setTimeout(() => abort.abort(new Error('the server is shutting down')), Math.max(0, deadlineMs))
      await Promise.all(attempts)
      clearTimeout(timer)
    },
  }
}

function ofOneDay(leaves: readonly LeafWithEvent[]): readonly LeafWithEvent[] {
  return leaves.filter(({ day }) => day === leaves[0]?.day)
}

/** The place of the first event of an object; the first leaf of a day has no event. */
function firstOf(leaves: readonly LeafWithEvent[], position: LogPosition): LogPosition {
  const first = leaves.find(({ id }) => id !== null)
  return first === undefined ? position : { day: first.day, index: first.index }
}

/** Whether the object is neither full nor followed by something else, and was not postponed since its first event. */
function isWaiting(leaves: readonly LeafWithEvent[], next: LogPosition, limit: number, dueAt: Date): boolean {
  const last = leaves.at(-1)
  const isWhole = leaves.length < limit && last !== undefined && last.day === next.day && last.index + 1 === next.index
  const oldest = leaves.find(({ id }) => id !== null)
  return isWhole && oldest !== undefined && dueAt.getTime() <= Date.parse(oldest.at)
}

/** What fits into one batch, at least one leaf, and the position after it. */
export function batchOf(accountId: string, leaves: readonly LeafWithEvent[], from: LogPosition) {
  const lines: Line[] = []
  let next = from
  let characters = 0
  for (const leaf of leaves) {
    const line = lineOf(accountId, leaf)
    characters += line === undefined ? 0 : line.text.length + 1
    if (lines.length > 0 && characters > charactersMax) break
    if (line !== undefined) lines.push(line)
    next = { day: leaf.day, index: leaf.index + 1 }
  }
  return { lines, next }
}

/** The event as the API shows it, with the account and the hash of its leaf. */
function lineOf(accountId: string, { hash, ...leaf }: LeafWithEvent): Line | undefined {
  const { id } = leaf
  if (id === null) return undefined
  const { log: place, changes: _changes, ...event } = eventView({ ...leaf, id, revealed: null })
  const log = place === null ? null : { ...place, hash: hash.toString('hex') }
  return { at: event.at, event: event.event, text: JSON.stringify({ ...event, account: toTypeId('acct', accountId), log }) }
}

/** @param attempts failed ones before this one. */
export function delayAfter(attempts: number, chance: number): number {
  return Math.round(Math.min(delayMsMin * 2 ** Math.min(attempts, 20), delayMsMax) * (0.8 + 0.4 * chance))
}

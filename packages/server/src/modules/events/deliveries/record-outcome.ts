import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { isPendingSql } from './delivery-state.ts'
import { abandonDelivery, abandonPending, disabledBecause } from './delivery-store.ts'
import type { Attempt } from '#modules/events/model.ts'
import type { ClaimedDelivery } from './delivery-claims.ts'
import { attemptsMax, retryDelayAfter } from './retry-schedule.ts'
import type { AttemptOutcome } from './send.ts'

type Tx = Transaction<Rows>

/** A subscription whose attempts have all failed for so long is disabled. */
const failingMsMax = 5 * 24 * 60 * 60 * 1000
const historyMax = 20
/** Deliveries that fail together with the subscription. */
const abandonedMax = 1_000

/** The author of changes that no user requested. */
const author = 'system:deliveries'

/**
 * Records the outcome of an attempt and its consequence: the delivery is delivered, retried, or a dead letter, or its subscription is disabled. An
 * attempt at a URL that the subscription no longer has says nothing about the subscription. Locks the subscription before the delivery. @param chance between 0 and 1, for the jitter of the retry.
 */
export async function recordOutcome(db: Kysely<Rows>, claimed: ClaimedDelivery, outcome: AttemptOutcome, chance: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (outcome.kind === 'delivered') return succeed(tx, claimed, outcome)
    const retryDelayMs = outcome.kind === 'gone' ? 0 : retryDelayAfter(claimed.attempt, outcome.retryAfterMs, chance)
    const failingSince = await recordFailure(tx, claimed, outcome.at)
    const dueAt = new Date(outcome.at.getTime() + outcome.durationMs + (retryDelayMs ?? 0))
    if (!(await writeAttempt(tx, claimed, outcome, sql`due_at = ${dueAt}`))) return
    const reason = disablingReason(outcome, failingSince)
    if (reason !== undefined) return disable(tx, claimed, reason, outcome.at)
    if (retryDelayMs !== undefined) return
    const { id: deliveryId, accountId, subscriptionId } = claimed
    const end = { reason: `${attemptsMax} attempts failed; the last: ${outcome.error}`, at: outcome.at }
    await abandonDelivery(tx, accountId, { subscriptionId, deliveryId }, end)
  })
}

async function succeed(tx: Tx, claimed: ClaimedDelivery, outcome: AttemptOutcome): Promise<void> {
  await sql`
    update event_subscriptions set failing_since = null
    where id = ${claimed.subscriptionId} and url = ${claimed.url} and failing_since is not null`.execute(tx)
  const endedAt = new Date(outcome.at.getTime() + outcome.durationMs)
  await writeAttempt(tx, claimed, outcome, sql`state = 'delivered', due_at = null, ended_at = ${endedAt}`)
}

/** @returns since when all attempts have failed; undefined where the subscription was deleted, was disabled, or has another URL. */
async function recordFailure(tx: Tx, { subscriptionId, url }: ClaimedDelivery, at: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ readonly failing_since: Date | null; readonly is_current: boolean }>`
    update event_subscriptions set failing_since = case when url = ${url} then coalesce(failing_since, ${at}) else failing_since end
    where id = ${subscriptionId} returning failing_since, enabled and url = ${url} as is_current`.execute(tx)
  return rows[0]?.is_current === true ? (rows[0].failing_since ?? undefined) : undefined
}

/** @returns false if the delivery has ended or another attempt has begun in the meantime. */
async function writeAttempt(
  tx: Tx,
  { id, attempt }: ClaimedDelivery,
  outcome: AttemptOutcome,
  change: RawBuilder<unknown>,
): Promise<boolean> {
  const entry: Attempt = {
    number: attempt,
    at: outcome.at.toISOString(),
    durationMs: outcome.durationMs,
    status: outcome.status ?? null,
    error: outcome.error ?? null,
  }
  const { numAffectedRows } = await sql`
    update event_deliveries set ${change}, claimed_until = null,
      history = (case when jsonb_array_length(history) >= ${historyMax} then history - 0 else history end) || ${JSON.stringify([entry])}::jsonb
    where id = ${id} and attempts = ${attempt} and ${isPendingSql}`.execute(tx)
  return numAffectedRows === 1n
}

function disablingReason({ kind, at, error }: AttemptOutcome, failingSince: Date | undefined): string | undefined {
  if (failingSince === undefined) return undefined
  if (kind === 'gone') return error
  if (at.getTime() - failingSince.getTime() < failingMsMax) return undefined
  return `nothing was delivered since ${failingSince.toISOString()}; the last attempt: ${error}`
}

async function disable(tx: Tx, { accountId, subscriptionId }: ClaimedDelivery, reason: string, at: Date): Promise<void> {
  await sql`
    update event_subscriptions set enabled = false, disabled_reason = ${reason}, revision = revision + 1, updated_at = ${at}, updated_by = ${author}
    where id = ${subscriptionId}`.execute(tx)
  await abandonPending(tx, accountId, { subscriptionId, limit: abandonedMax }, { reason: disabledBecause({ disabledReason: reason }), at })
}

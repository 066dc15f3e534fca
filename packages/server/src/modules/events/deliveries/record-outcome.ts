import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { giveUpPending } from './delivery-store.ts'
import type { Attempt } from './model.ts'
import type { Claimed } from './outgoing-store.ts'
import { attemptsMax, pauseAfter } from './retry-plan.ts'
import type { Outcome } from './send.ts'

type Tx = Transaction<Rows>

/** An endpoint that takes nothing for so long is not asked any more. */
const failingMsMax = 5 * 24 * 60 * 60 * 1000
const historyMax = 20

/** Who changes a subscription that nobody asked to change. */
const author = 'system:deliveries'

/**
 * Writes down what came of an attempt, and what follows from it: nothing more to do, another attempt, a dead letter, or the end of the
 * subscription. The subscription's row comes first wherever both are locked. @param chance between 0 and 1.
 */
export async function settle(db: Kysely<Rows>, claimed: Claimed, outcome: Outcome, chance: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (outcome.kind === 'delivered') return succeed(tx, claimed, outcome)
    const pauseMs = outcome.kind === 'gone' ? 0 : pauseAfter(claimed.attempt, outcome.retryAfterMs, chance)
    const failingSince = await noteFailure(tx, claimed, outcome.at)
    const dueAt = new Date(outcome.at.getTime() + outcome.durationMs + (pauseMs ?? 0))
    if (!(await write(tx, claimed, outcome, sql`due_at = ${dueAt}`))) return
    const reason = endOf(outcome, failingSince)
    if (reason !== undefined) return disable(tx, claimed, reason, outcome.at)
    if (pauseMs !== undefined) return
    const { id: deliveryId, accountId, subscriptionId } = claimed
    const given = { reason: `${attemptsMax} attempts failed; the last: ${outcome.error}`, at: outcome.at }
    await giveUpPending(tx, accountId, { subscriptionId, deliveryId }, given)
  })
}

async function succeed(tx: Tx, claimed: Claimed, outcome: Outcome): Promise<void> {
  await sql`update event_subscriptions set failing_since = null where id = ${claimed.subscriptionId} and failing_since is not null`.execute(
    tx,
  )
  const endedAt = new Date(outcome.at.getTime() + outcome.durationMs)
  await write(tx, claimed, outcome, sql`state = 'delivered', due_at = null, ended_at = ${endedAt}`)
}

/** Since when every attempt has failed; undefined when the subscription is gone. */
async function noteFailure(tx: Tx, { subscriptionId }: Claimed, at: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ readonly failing_since: Date }>`
    update event_subscriptions set failing_since = coalesce(failing_since, ${at}) where id = ${subscriptionId}
    returning failing_since`.execute(tx)
  return rows[0]?.failing_since
}

/** False when the delivery has ended or was taken on by somebody else in the meantime. */
async function write(tx: Tx, { id, attempt }: Claimed, outcome: Outcome, change: RawBuilder<unknown>): Promise<boolean> {
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
    where id = ${id} and attempts = ${attempt} and state = 'pending'`.execute(tx)
  return numAffectedRows === 1n
}

function endOf({ kind, at, error }: Outcome, failingSince: Date | undefined): string | undefined {
  if (kind === 'gone') return error
  if (failingSince === undefined || at.getTime() - failingSince.getTime() < failingMsMax) return undefined
  return `nothing was delivered since ${failingSince.toISOString()}; the last attempt: ${error}`
}

async function disable(tx: Tx, { accountId, subscriptionId }: Claimed, reason: string, at: Date): Promise<void> {
  await sql`
    update event_subscriptions set enabled = false, disabled_reason = ${reason}, revision = revision + 1, updated_at = ${at}, updated_by = ${author}
    where id = ${subscriptionId}`.execute(tx)
  await giveUpPending(tx, accountId, { subscriptionId }, { reason: `the subscription was disabled: ${reason}`, at })
}

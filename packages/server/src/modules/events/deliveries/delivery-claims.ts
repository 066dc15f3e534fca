import { eventDepthQuery, eventEnvelopeQuery } from '@millrace/engine/storage'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { isPendingSql } from './delivery-state.ts'
import { pendingHeadsSql } from './pending-heads.ts'
import type { SealedSecrets } from '#modules/events/subscriptions/subscription-store.ts'

type Executor = Kysely<Rows>

/** A delivery that this process has claimed, for one attempt. */
export interface ClaimedDelivery extends SealedSecrets {
  readonly id: string
  readonly accountId: string
  readonly subscriptionId: string
  readonly url: string
  /** The number of this attempt. Its outcome is recorded only while it is the latest attempt. */
  readonly attempt: number
  readonly body: string
  /** How many executions caused the event. */
  readonly depth: number
}

export interface ClaimOptions {
  /** Deliveries to claim at most. */
  readonly limit: number
  /** The same for accounts without a claimed delivery: they need not wait until deliveries of other accounts end. */
  readonly idleLimit: number
  /** Claimed for one account at a time. */
  readonly perAccountMax: number
  /** Claimed for one subscription at a time, over all processes. */
  readonly perSubscriptionMax: number
  /** Without an outcome for so long, the claim ends and the delivery is due again. */
  readonly leaseMs: number
}

/** Subscriptions that one call serves, in all and of one account; those that have waited longest come first. */
const subscriptionsMax = 64
const subscriptionsPerAccountMax = 16

/**
 * Claims due deliveries. The row of a subscription is locked while its deliveries are counted and claimed, so its bound is valid over all processes;
 * a process skips a subscription that another one has locked.
 */
export async function claimDueDeliveries(db: Executor, options: ClaimOptions): Promise<readonly ClaimedDelivery[]> {
  return db.transaction().execute(async (tx) => {
    const locked = await lockDueSubscriptions(tx)
    return locked.length === 0 ? [] : claimOf(tx, locked, options)
  })
}

/**
 * Accounts have turns, so that one with many subscriptions does not exclude the others. Only enabled subscriptions have one: pending deliveries of
 * others (see `endUnsendableDeliveries`) stay the first that are due, and would take all turns.
 */
async function lockDueSubscriptions(tx: Transaction<Rows>): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    with recursive ${pendingHeadsSql}, turns as (
      select h.subscription_id, h.due_at, row_number() over (partition by h.account_id order by h.due_at) as turn
      from heads h join event_subscriptions s on s.id = h.subscription_id
      where h.due_at <= now() and s.enabled
    ), due as (
      select subscription_id from turns where turn <= ${subscriptionsPerAccountMax} order by turn, due_at limit ${subscriptionsMax}
    )
    select s.id from event_subscriptions s where s.enabled and s.id in (select subscription_id from due)
    order by s.id for no key update skip locked`.execute(tx)
  return rows.map(({ id }) => id)
}

interface ClaimedRow {
  readonly id: string
  readonly account_id: string
  readonly subscription_id: string
  readonly url: string
  readonly attempts: number
  readonly body: string
  readonly depth: number
  readonly secret: Buffer
  readonly previous: Buffer | null
}

async function claimOf(
  tx: Transaction<Rows>,
  subscriptionIds: readonly string[],
  options: ClaimOptions,
): Promise<readonly ClaimedDelivery[]> {
  const until = sql`now() + make_interval(secs => ${options.leaseMs / 1000})`
  const { rows } = await sql<ClaimedRow>`
    with s as (
      select s.id, s.account_id, (
        select count(*) from event_deliveries u where u.account_id = s.account_id and u.subscription_id = s.id and u.claimed_until > now()
      ) as claimed_count
      from event_subscriptions s where s.id = any(${subscriptionIds}::uuid[])
    ), accounts as (
      select a.account_id, (
        select count(*) from event_deliveries u where u.account_id = a.account_id and u.claimed_until > now()
      ) as claimed_count
      from (select distinct account_id from s) a
    ), candidates as (
      select c.id, c.due_at, s.account_id, s.claimed_count + row_number() over (partition by s.id order by c.due_at) as turn
      from s cross join lateral (
        select d.id, d.due_at from event_deliveries d where d.subscription_id = s.id and d.${isPendingSql} and d.due_at <= now()
        order by d.due_at limit greatest(0, ${options.perSubscriptionMax} - s.claimed_count)
      ) c
    ), shares as (
      select c.id, c.due_at, a.claimed_count + row_number() over (partition by c.account_id order by c.turn, c.due_at) as share
      from candidates c join accounts a using (account_id)
    ), places as (
      select id, share, row_number() over (order by share, due_at) as place from shares where share <= ${options.perAccountMax}
    ), chosen as (
      select id from places where place <= case when share = 1 then ${options.idleLimit}::int else ${options.limit}::int end
    ), claimed as (
      update event_deliveries d set attempts = d.attempts + 1, due_at = ${until}, claimed_until = ${until}
      from chosen where d.id = chosen.id and d.${isPendingSql}
      returning d.*
    )
    select c.id, c.account_id, c.subscription_id, s.url, c.attempts, coalesce(c.event, (${eventEnvelopeQuery(sql`c.account_id`, sql`c.event_id`)})) as body,
      coalesce((${eventDepthQuery(sql`c.account_id`, sql`c.event_id`)}), 0) as depth, s.secret,
      case when s.previous_secret_until > now() then s.previous_secret end as previous
    from claimed c join event_subscriptions s on s.id = c.subscription_id`.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    subscriptionId: row.subscription_id,
    url: row.url,
    attempt: row.attempts,
    body: row.body,
    depth: row.depth,
    secret: row.secret,
    previous: row.previous ?? undefined,
  }))
}

/** Releases a claim without an attempt. */
export async function releaseClaim(db: Executor, { id, attempt }: Pick<ClaimedDelivery, 'id' | 'attempt'>): Promise<void> {
  await sql`
    update event_deliveries set attempts = attempts - 1, due_at = now(), claimed_until = null
    where id = ${id} and attempts = ${attempt} and ${isPendingSql}`.execute(db)
}

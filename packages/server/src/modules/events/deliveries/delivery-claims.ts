import { type Kysely, sql, type Transaction } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { SealedSecrets } from './subscription-store.ts'

type Executor = Kysely<Rows>

/** A delivery that this process has taken on. */
export interface Claimed extends SealedSecrets {
  readonly id: string
  readonly accountId: string
  readonly subscriptionId: string
  readonly url: string
  /** Number of this attempt; what is written of it is written only while it is the latest one. */
  readonly attempt: number
  readonly body: string
}

export interface ClaimOptions {
  /** Deliveries to take on at most. */
  readonly limit: number
  /** The same for accounts that have nothing under way: they need not wait until those of others end. */
  readonly idleLimit: number
  /** Under way for one account at a time. */
  readonly perAccountMax: number
  /** Under way for one subscription at a time, over all processes. */
  readonly perSubscriptionMax: number
  /** After so long without an outcome a process is given up, and the delivery is due again. */
  readonly leaseMs: number
}

/** Subscriptions that one look considers, and of one account, those that have waited longest first. */
const subscriptionsMax = 64
const subscriptionsPerAccountMax = 16

/**
 * Takes on deliveries whose time has come. The row of a subscription is locked while its deliveries are counted and taken, which makes the
 * bound hold over all processes; whoever comes second passes it over.
 */
export async function claimDue(db: Executor, options: ClaimOptions): Promise<readonly Claimed[]> {
  return db.transaction().execute(async (tx) => {
    const locked = await lockDueSubscriptions(tx)
    return locked.length === 0 ? [] : claimOf(tx, locked, options)
  })
}

/**
 * One descent of event_deliveries_due for each subscription that has anything pending, however much that is: the first row of each tells when
 * it is due. A `select distinct` would read all of them. Accounts take turns, so that one with many subscriptions does not keep out the others.
 */
async function lockDueSubscriptions(tx: Transaction<Rows>): Promise<readonly string[]> {
  const first = sql`select d.subscription_id, d.account_id, d.due_at from event_deliveries d where d.state = 'pending'`
  const order = sql`order by d.subscription_id, d.due_at limit 1`
  const { rows } = await sql<{ readonly id: string }>`
    with recursive heads as (
      (${first} ${order})
      union all
      select n.subscription_id, n.account_id, n.due_at
      from heads h cross join lateral (${first} and d.subscription_id > h.subscription_id ${order}) n
    ), turns as (
      select h.subscription_id, h.due_at, row_number() over (partition by h.account_id order by h.due_at) as turn from heads h where h.due_at <= now()
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
  readonly secret: Buffer
  readonly previous: Buffer | null
}

async function claimOf(tx: Transaction<Rows>, subscriptionIds: readonly string[], options: ClaimOptions): Promise<readonly Claimed[]> {
  const until = sql`now() + make_interval(secs => ${options.leaseMs / 1000})`
  const { rows } = await sql<ClaimedRow>`
    with s as (
      select s.id, s.account_id, (
        select count(*) from event_deliveries u where u.account_id = s.account_id and u.subscription_id = s.id and u.claimed_until > now()
      ) as under_way
      from event_subscriptions s where s.id = any(${subscriptionIds}::uuid[])
    ), accounts as (
      select a.account_id, (
        select count(*) from event_deliveries u where u.account_id = a.account_id and u.claimed_until > now()
      ) as under_way
      from (select distinct account_id from s) a
    ), candidates as (
      select c.id, c.due_at, s.account_id, s.under_way + row_number() over (partition by s.id order by c.due_at) as turn
      from s cross join lateral (
        select d.id, d.due_at from event_deliveries d where d.subscription_id = s.id and d.state = 'pending' and d.due_at <= now()
        order by d.due_at limit greatest(0, ${options.perSubscriptionMax} - s.under_way)
      ) c
    ), shares as (
      select c.id, c.due_at, a.under_way + row_number() over (partition by c.account_id order by c.turn, c.due_at) as share
      from candidates c join accounts a using (account_id)
    ), places as (
      select id, share, row_number() over (order by share, due_at) as place from shares where share <= ${options.perAccountMax}
    ), chosen as (
      select id from places where place <= case when share = 1 then ${options.idleLimit}::int else ${options.limit}::int end
    ), claimed as (
      update event_deliveries d set attempts = d.attempts + 1, due_at = ${until}, claimed_until = ${until}
      from chosen where d.id = chosen.id and d.state = 'pending'
      returning d.*
    )
    select c.id, c.account_id, c.subscription_id, s.url, c.attempts, coalesce(c.event, e.envelope) as body, s.secret,
      case when s.previous_secret_until > now() then s.previous_secret end as previous
    from claimed c join event_subscriptions s on s.id = c.subscription_id
      left join events e on e.account_id = c.account_id and e.id = c.event_id`.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    subscriptionId: row.subscription_id,
    url: row.url,
    attempt: row.attempts,
    body: row.body,
    secret: row.secret,
    previous: row.previous ?? undefined,
  }))
}

/** Gives back what was taken on and not tried. */
export async function releaseClaim(db: Executor, { id, attempt }: Pick<Claimed, 'id' | 'attempt'>): Promise<void> {
  await sql`
    update event_deliveries set attempts = attempts - 1, due_at = now(), claimed_until = null
    where id = ${id} and attempts = ${attempt} and state = 'pending'`.execute(db)
}

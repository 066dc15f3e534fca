import { type Kysely, sql } from 'kysely'
import { nameSource } from '#platform/db/name-source.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Subscription } from '#modules/events/model.ts'

type Executor = Kysely<Rows>

interface SubscriptionRow {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly types: string[]
  readonly enabled: boolean
  readonly disabled_reason: string | null
  readonly failing_since: Date | null
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** The time and author of a change, the author as `kind:id`. */
export interface Authorship {
  readonly at: Date
  readonly by: string
}

/** The properties of a subscription that can be changed. */
export type SubscriptionContent = Pick<Subscription, 'id' | 'name' | 'url' | 'types' | 'enabled' | 'disabledReason' | 'failingSince'>

/** The sealed secrets of a subscription: the current one, and the previous one during its overlap. */
export interface SealedSecrets {
  readonly secret: Buffer
  readonly previous: Buffer | undefined
}

const columns = sql`id, name, url, types, enabled, disabled_reason, failing_since, revision, created_at, updated_at`

/** Counts an account's subscriptions and locks its row until the transaction ends, so that two requests cannot both add the last one. */
export async function countSubscriptions(tx: Executor, accountId: string): Promise<number> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from event_subscriptions where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function insertSubscription(
  tx: Executor,
  accountId: string,
  { id, name, url, types, enabled }: Pick<Subscription, 'id' | 'name' | 'url' | 'types' | 'enabled'>,
  { at, by, secret }: Authorship & { readonly secret: Buffer },
): Promise<void> {
  await sql`
    insert into event_subscriptions (id, account_id, name, url, types, enabled, secret, revision, created_at, created_by, updated_at, updated_by)
    values (${id}, ${accountId}, ${name}, ${url}, ${types}, ${enabled}, ${secret}, 1, ${at}, ${by}, ${at}, ${by})`.execute(tx)
}

export async function listSubscriptions(
  tx: Executor,
  accountId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Subscription[]> {
  const { rows } = await sql<SubscriptionRow>`
    select ${columns} from event_subscriptions
    where account_id = ${accountId} ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(subscriptionOf)
}

export async function findSubscription(tx: Executor, accountId: string, id: string): Promise<Subscription | undefined> {
  const { rows } = await sql<SubscriptionRow>`
    select ${columns} from event_subscriptions where account_id = ${accountId} and id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : subscriptionOf(rows[0])
}

/** Finds a subscription and locks it until the transaction ends. */
export async function lockSubscription(tx: Executor, accountId: string, id: string): Promise<Subscription | undefined> {
  const { rows } = await sql<SubscriptionRow>`
    select ${columns} from event_subscriptions where account_id = ${accountId} and id = ${id} for no key update`.execute(tx)
  return rows[0] === undefined ? undefined : subscriptionOf(rows[0])
}

export async function updateSubscription(
  tx: Executor,
  accountId: string,
  content: SubscriptionContent,
  { at, by }: Authorship,
): Promise<void> {
  await sql`
    update event_subscriptions set name = ${content.name}, url = ${content.url}, types = ${content.types}, enabled = ${content.enabled},
      disabled_reason = ${content.disabledReason ?? null}, failing_since = ${content.failingSince ?? null}, revision = revision + 1,
      updated_at = ${at}, updated_by = ${by}
    where account_id = ${accountId} and id = ${content.id}`.execute(tx)
}

/** Replaces the secret. The previous one signs as well until `overlapUntil`. */
export async function replaceSecret(
  tx: Executor,
  accountId: string,
  { id, secret, overlapUntil }: { readonly id: string; readonly secret: Buffer; readonly overlapUntil: Date | undefined },
  { at, by }: Authorship,
): Promise<void> {
  const overlaps = overlapUntil !== undefined
  await sql`
    update event_subscriptions set previous_secret = case when ${overlaps} then secret end, previous_secret_until = ${overlapUntil ?? null},
      secret = ${secret}, revision = revision + 1, updated_at = ${at}, updated_by = ${by}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function findSecrets(tx: Executor, accountId: string, id: string, now: Date): Promise<SealedSecrets | undefined> {
  const { rows } = await sql<{ readonly secret: Buffer; readonly previous: Buffer | null }>`
    select secret, case when previous_secret_until > ${now} then previous_secret end as previous
    from event_subscriptions where account_id = ${accountId} and id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : { secret: rows[0].secret, previous: rows[0].previous ?? undefined }
}

/** Deletes a subscription, and at most `limit` of its deliveries: there may be any number. `endUnsendableDeliveries` deletes the rest. */
export async function deleteSubscription(tx: Executor, accountId: string, { id, limit }: { readonly id: string; readonly limit: number }) {
  await sql`delete from event_subscriptions where account_id = ${accountId} and id = ${id}`.execute(tx)
  await sql`
    delete from event_deliveries where account_id = ${accountId} and id = any(array(
      select id from event_deliveries where account_id = ${accountId} and subscription_id = ${id} limit ${limit}
    ))`.execute(tx)
}

function subscriptionOf(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    types: row.types,
    enabled: row.enabled,
    disabledReason: row.disabled_reason ?? undefined,
    failingSince: row.failing_since ?? undefined,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export const subscriptionNames = nameSource(
  'evsub',
  sql`select id, account_id, name, concat_ws(' ', name, url) as words from event_subscriptions`,
)

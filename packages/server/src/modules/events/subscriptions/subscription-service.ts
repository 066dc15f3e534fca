import { Fault } from '@millrace/contract'
import type { Database } from '#platform/db/database.ts'
import type { Tx } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { giveUpPending, insertTest, listDeliveries, reviveDelivery } from './delivery-store.ts'
import { type Delivery, type DeliveryState, overlapMsMax, type Subscription, subscriptionsMax, type WithSecret } from './model.ts'
import { type Outcome, send, type SendDeps } from './send.ts'
import { secretText } from './signature.ts'
import type { SubscriptionSecrets } from './subscription-secrets.ts'
import {
  type Content,
  countSubscriptions,
  deleteSubscription,
  findSecrets,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  lockSubscription,
  replaceSecret,
  updateSubscription,
} from './subscription-store.ts'

export interface SubscriptionsDeps extends SendDeps {
  readonly database: Pick<Database, 'account'>
  readonly newId: () => string
  readonly secrets: SubscriptionSecrets
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}

/** Who changes something, as `kind:id`, and which revisions it may be at. */
export interface Change {
  readonly actor: string
  readonly ifMatch: readonly number[] | undefined
}

export interface NewSubscription {
  readonly name: string
  readonly url: string
  readonly types: readonly string[]
  readonly enabled: boolean
}

/** Members that are `undefined` stay as they are. */
export type SubscriptionChange = { readonly [K in keyof NewSubscription]: NewSubscription[K] | undefined }

interface Page {
  readonly before: string | undefined
  readonly limit: number
}

export type Subscriptions = ReturnType<typeof createSubscriptions>

const testType = 'io.millrace.subscription.test'

/** Subscriptions of an account, which send its events elsewhere. */
export function createSubscriptions(deps: SubscriptionsDeps) {
  const authorship = ({ actor }: Pick<Change, 'actor'>) => ({ at: new Date(deps.now()), by: actor })

  return {
    list: (tx: Tx, accountId: string, page: Page) => listSubscriptions(tx, accountId, page),

    get: find,

    async create(tx: Tx, accountId: string, wanted: NewSubscription, actor: string): Promise<WithSecret> {
      if ((await countSubscriptions(tx, accountId)) >= subscriptionsMax)
        throw new Fault('conflict', {
          detail: `The account has ${subscriptionsMax} subscriptions, which is the most. Delete one that is not needed.`,
        })
      const id = deps.newId()
      const { secret, sealed } = deps.secrets.mint(id)
      await insertSubscription(
        tx,
        accountId,
        { id, ...wanted, types: distinct(wanted.types) },
        { ...authorship({ actor }), secret: sealed },
      )
      return { subscription: await find(tx, accountId, id), secret: secretText(secret) }
    },

    async update(tx: Tx, accountId: string, id: string, wanted: SubscriptionChange, change: Change): Promise<Subscription> {
      const before = await lock(tx, accountId, id, change.ifMatch)
      const content = contentAfter(before, wanted)
      if (isSame(before, content)) return before
      const author = authorship(change)
      if (before.enabled && !content.enabled)
        await giveUpPending(tx, accountId, { subscriptionId: id }, { reason: 'the subscription was disabled', at: author.at })
      await updateSubscription(tx, accountId, content, author)
      return find(tx, accountId, id)
    },

    async remove(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<void> {
      await lock(tx, accountId, id, ifMatch)
      await deleteSubscription(tx, accountId, id)
    },

    /** Replaces the secret; the old one signs as well for `overlapMs`. */
    async rotate(tx: Tx, accountId: string, id: string, overlapMs: number, actor: string): Promise<WithSecret> {
      if (overlapMs > overlapMsMax)
        throw new Fault('request_invalid', { errors: [{ pointer: '/overlap', detail: 'Must be at most P7D.' }] })
      await lock(tx, accountId, id, undefined)
      const { secret, sealed } = deps.secrets.mint(id)
      const author = authorship({ actor })
      const overlapUntil = overlapMs === 0 ? undefined : new Date(author.at.getTime() + overlapMs)
      await replaceSecret(tx, accountId, { id, secret: sealed, overlapUntil }, author)
      return { subscription: await find(tx, accountId, id), secret: secretText(secret) }
    },

    /** Sends an event once and keeps what came of it. No transaction is open meanwhile. */
    async test(accountId: string, id: string): Promise<Delivery> {
      const { url, secrets } = await deps.database.account(accountId, (tx) => endpointOf(deps, tx, accountId, id))
      const deliveryId = deps.newId()
      const createdAt = new Date(deps.now())
      const body = JSON.stringify(testEvent(id, deliveryId, createdAt))
      const outcome = await send(deps, { id: toTypeId('dlv', deliveryId), url, body, secrets }, deps.closing).catch((cause: unknown) => {
        throw deps.closing.aborted ? new Fault('overloaded', { detail: 'The server closes. Try again later.', cause }) : cause
      })
      const delivery = testDelivery(deliveryId, createdAt, outcome)
      await deps.database.account(accountId, (tx) => insertTest(tx, accountId, { subscriptionId: id, delivery, event: body }))
      return delivery
    },

    /** Makes a delivery that was given up pending again; `payload` is that of its dead letter. Fault `conflict` when its subscription takes none. */
    async redeliver(tx: Tx, accountId: string, given: { readonly id: string; readonly subscriptionId: string; readonly payload: string }) {
      const subscription = await lockSubscription(tx, accountId, given.subscriptionId)
      if (subscription === undefined) throw new Fault('conflict', { detail: 'The subscription is not there any more.' })
      if (!subscription.enabled) throw new Fault('conflict', { detail: 'The subscription is disabled. Enable it first.' })
      const { id, subscriptionId, payload } = given
      await reviveDelivery(tx, accountId, { id, subscriptionId, payload }, new Date(deps.now()))
    },

    async deliveries(tx: Tx, accountId: string, id: string, options: Page & { readonly state: DeliveryState | undefined }) {
      await find(tx, accountId, id)
      return listDeliveries(tx, accountId, id, options)
    },
  }
}

async function find(tx: Tx, accountId: string, id: string): Promise<Subscription> {
  const subscription = await findSubscription(tx, accountId, id)
  if (subscription === undefined) throw new Fault('not_found', { detail: 'There is no such subscription.' })
  return subscription
}

/** The row, locked, at one of the revisions that the caller knows. */
async function lock(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<Subscription> {
  const subscription = await lockSubscription(tx, accountId, id)
  if (subscription === undefined) throw new Fault('not_found', { detail: 'There is no such subscription.' })
  if (ifMatch?.includes(subscription.revision) === false)
    throw new Fault('revision_mismatch', {
      detail: `The subscription is at revision ${subscription.revision}. Read it again and repeat the change.`,
    })
  return subscription
}

function contentAfter(before: Subscription, wanted: SubscriptionChange): Content {
  const enabled = wanted.enabled ?? before.enabled
  const url = wanted.url ?? before.url
  // An endpoint that is enabled or moved is as good as new.
  const anew = url !== before.url || (enabled && !before.enabled)
  return {
    id: before.id,
    name: wanted.name ?? before.name,
    url,
    types: wanted.types === undefined ? before.types : distinct(wanted.types),
    enabled,
    disabledReason: enabled ? undefined : before.disabledReason,
    failingSince: anew ? undefined : before.failingSince,
  }
}

function isSame(before: Subscription, { name, url, types, enabled }: Content): boolean {
  const sameTypes = types.length === before.types.length && types.every((type, index) => type === before.types[index])
  return name === before.name && url === before.url && enabled === before.enabled && sameTypes
}

function distinct(types: readonly string[]): readonly string[] {
  return [...new Set(types)]
}

async function endpointOf({ secrets, now }: SubscriptionsDeps, tx: Tx, accountId: string, id: string) {
  const { url } = await find(tx, accountId, id)
  const sealed = await findSecrets(tx, accountId, id, new Date(now()))
  const opened = sealed === undefined ? undefined : secrets.open(id, sealed)
  if (opened === undefined) throw new Fault('conflict', { detail: 'The secret of the subscription cannot be opened any more. Rotate it.' })
  return { url, secrets: opened }
}

function testEvent(id: string, deliveryId: string, at: Date) {
  return {
    specversion: '1.0',
    id: deliveryId,
    source: `/subscriptions/${toTypeId('evsub', id)}`,
    type: testType,
    time: at.toISOString(),
    datacontenttype: 'application/json',
    data: { message: 'Events of this subscription arrive here.' },
  }
}

function testDelivery(id: string, createdAt: Date, { kind, at, durationMs, status, error }: Outcome): Delivery {
  return {
    id,
    eventId: undefined,
    eventType: testType,
    state: kind === 'delivered' ? 'delivered' : 'failed',
    history: [{ number: 1, at: at.toISOString(), durationMs, status: status ?? null, error: error ?? null }],
    dueAt: undefined,
    createdAt,
    endedAt: new Date(at.getTime() + durationMs),
  }
}

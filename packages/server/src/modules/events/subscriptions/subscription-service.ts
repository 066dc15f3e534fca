import { Fault } from '@millrace/contract'
import type { Changed } from '#platform/changed.ts'
import type { Database } from '#platform/db/database.ts'
import type { Tx } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import {
  abandonPending,
  disabledBecause,
  insertTestDelivery,
  listDeliveries,
  requeueDelivery,
} from '#modules/events/deliveries/delivery-store.ts'
import { type Delivery, overlapMsMax, type Subscription, subscriptionsMax, type SubscriptionWithSecret } from '#modules/events/model.ts'
import type { DeliveryState } from '#modules/events/deliveries/delivery-state.ts'
import { type AttemptOutcome, send, type SendDeps } from '#modules/events/deliveries/send.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { requireReachable } from '#platform/net/require-reachable.ts'
import { secretText } from '#platform/net/webhook-signature.ts'
import { assertRevision } from '#platform/validation/assert-revision.ts'
import type { SubscriptionSecrets } from './subscription-secrets.ts'
import {
  type SubscriptionContent,
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
  readonly http: Pick<GuardedFetch, 'request' | 'refusalOf'>
  readonly database: Pick<Database, 'account'>
  readonly newId: () => string
  readonly secrets: SubscriptionSecrets
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}

/** The author of a change, as `kind:id`, and the revisions at which it may be made. */
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

/** Pending deliveries that end with the request. Each may have a large event. */
const abandonedMax = 100
/** Deliveries that a request deletes with a subscription; a background task deletes the rest. */
const deletedMax = 1_000

const testType = 'io.millrace.subscription.test'

/** Manages the subscriptions of an account. */
export function createSubscriptions(deps: SubscriptionsDeps) {
  const authorship = ({ actor }: Pick<Change, 'actor'>) => ({ at: new Date(deps.now()), by: actor })

  return {
    list: (tx: Tx, accountId: string, page: Page) => listSubscriptions(tx, accountId, page),

    get: find,

    async create(tx: Tx, accountId: string, wanted: NewSubscription, actor: string): Promise<SubscriptionWithSecret> {
      if ((await countSubscriptions(tx, accountId)) >= subscriptionsMax)
        throw new Fault('conflict', {
          detail: `Subscription limit reached (${subscriptionsMax}). Delete one that is not needed.`,
        })
      requireReachable(deps.http, new URL(wanted.url).hostname, '/url')
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

    async update(tx: Tx, accountId: string, id: string, wanted: SubscriptionChange, change: Change): Promise<Changed<Subscription>> {
      const before = await lock(tx, accountId, id, change.ifMatch)
      const content = contentAfter(before, wanted)
      if (isSame(before, content)) return { before, after: before }
      if (wanted.url !== undefined) requireReachable(deps.http, new URL(wanted.url).hostname, '/url')
      const author = authorship(change)
      if (before.enabled !== content.enabled) {
        // Of what was pending when it was disabled, nothing is sent later: the receiver does not expect it any more.
        const ended = await abandonPending(
          tx,
          accountId,
          { subscriptionId: id, limit: abandonedMax },
          { reason: disabledBecause(before), at: author.at },
        )
        if (content.enabled && ended === abandonedMax)
          throw new Fault('conflict', {
            detail: 'Deliveries that were pending when it was disabled are still being ended. Try again in a few minutes.',
          })
      }
      await updateSubscription(tx, accountId, content, author)
      return { before, after: await find(tx, accountId, id) }
    },

    async remove(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<void> {
      await lock(tx, accountId, id, ifMatch)
      await deleteSubscription(tx, accountId, { id, limit: deletedMax })
    },

    /** Replaces the secret. The previous one signs as well for `overlapMs`. */
    async rotate(tx: Tx, accountId: string, id: string, overlapMs: number, actor: string): Promise<SubscriptionWithSecret> {
      if (overlapMs > overlapMsMax)
        throw new Fault('request_invalid', { errors: [{ pointer: '/overlap', detail: 'Must be at most P7D.' }] })
      await lock(tx, accountId, id, undefined)
      const { secret, sealed } = deps.secrets.mint(id)
      const author = authorship({ actor })
      const overlapUntil = overlapMs === 0 ? undefined : new Date(author.at.getTime() + overlapMs)
      await replaceSecret(tx, accountId, { id, secret: sealed, overlapUntil }, author)
      return { subscription: await find(tx, accountId, id), secret: secretText(secret) }
    },

    /** Sends a test event once and stores the delivery. No transaction is open while it sends. */
    async test(accountId: string, id: string): Promise<Delivery> {
      const { url, secrets } = await deps.database.account(accountId, (tx) => endpointOf(deps, tx, accountId, id))
      const deliveryId = deps.newId()
      const createdAt = new Date(deps.now())
      const body = JSON.stringify(testEvent(id, deliveryId, createdAt))
      const outcome = await send(deps, { id: toTypeId('dlv', deliveryId), accountId, url, body, secrets }, deps.closing).catch(
        (cause: unknown) => {
          throw deps.closing.aborted ? new Fault('overloaded', { detail: 'The server is shutting down. Try again later.', cause }) : cause
        },
      )
      const delivery = testDelivery(deliveryId, createdAt, outcome)
      await deps.database.account(accountId, (tx) => insertTestDelivery(tx, accountId, { subscriptionId: id, delivery, event: body }))
      return delivery
    },

    /** Makes a failed delivery pending again; `payload` is that of its dead letter. Fault `conflict` if its subscription is deleted or disabled. */
    async redeliver(tx: Tx, accountId: string, given: { readonly id: string; readonly subscriptionId: string; readonly payload: string }) {
      const subscription = await lockSubscription(tx, accountId, given.subscriptionId)
      if (subscription === undefined) throw new Fault('conflict', { detail: 'The subscription was deleted.' })
      if (!subscription.enabled) throw new Fault('conflict', { detail: 'The subscription is disabled. Enable it first.' })
      const { id, subscriptionId, payload } = given
      await requeueDelivery(tx, accountId, { id, subscriptionId, payload }, new Date(deps.now()))
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

/** Locks a subscription. Fault `revision_mismatch` if it is at another revision than the caller expects. */
async function lock(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<Subscription> {
  const subscription = await lockSubscription(tx, accountId, id)
  if (subscription === undefined) throw new Fault('not_found', { detail: 'There is no such subscription.' })
  assertRevision('subscription', subscription.revision, ifMatch)
  return subscription
}

function contentAfter(before: Subscription, wanted: SubscriptionChange): SubscriptionContent {
  const enabled = wanted.enabled ?? before.enabled
  const url = wanted.url ?? before.url
  // Earlier failures do not count for an endpoint that was enabled or moved.
  const isReset = url !== before.url || (enabled && !before.enabled)
  return {
    id: before.id,
    name: wanted.name ?? before.name,
    url,
    types: wanted.types === undefined ? before.types : distinct(wanted.types),
    enabled,
    disabledReason: enabled ? undefined : before.disabledReason,
    failingSince: isReset ? undefined : before.failingSince,
  }
}

function isSame(before: Subscription, { name, url, types, enabled }: SubscriptionContent): boolean {
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
  if (opened === undefined) throw new Fault('conflict', { detail: 'The secret of the subscription cannot be opened. Rotate it.' })
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

function testDelivery(id: string, createdAt: Date, { kind, at, durationMs, status, error }: AttemptOutcome): Delivery {
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

import { createHash } from 'node:crypto'
import { Fault } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { Tx } from '#platform/http/index.ts'
import { checkMapping } from './mapping.ts'
import { type Trigger, type TriggerContent, eventTriggersMax, triggersMax, type TriggerKindOf, type WebhookSettings } from './model.ts'
import { watchesMax, type WatchSettings } from './watching/model.ts'
import { checkWatch } from './watching/read-watch.ts'
import { type GivenSchedule, readSchedule, type ReadSchedule } from './read-schedule.ts'
import {
  countOfKind,
  countTriggers,
  deleteTriggers,
  findTrigger,
  insertTrigger,
  type ListFilter,
  listTriggers,
  lockTrigger,
  setEnabled,
} from './trigger-store.ts'
import { beginListening, endListening } from './webhooks/test-store.ts'

export interface TriggersDeps {
  readonly now: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
  /** Seals tokens and secrets of webhooks. */
  readonly box: SecretBox
  /** Fault `not_found` for a workflow that the account never had. */
  readonly assertWorkflow: (tx: Tx, accountId: string, workflowId: string) => Promise<void>
}

/** A trigger as a request wants it. */
export interface WantedTrigger {
  readonly kind: TriggerKindOf
  readonly workflowId: string
  readonly name: string
  readonly enabled: boolean
  readonly input: Json | undefined
  readonly mapping: string | undefined
  readonly schedule: GivenSchedule | undefined
  readonly webhook: (WebhookSettings & { readonly signature: { readonly secret?: string | undefined } }) | undefined
  readonly eventTypes: readonly string[] | undefined
  readonly watch: WatchSettings | undefined
}

/** The author of a change, as `kind:id`, and the revisions at which it may be made. */
export interface Change {
  readonly actor: string
  readonly ifMatch: readonly number[] | undefined
}

export interface CreatedTrigger {
  readonly trigger: Trigger
  /** Of a webhook, if it was generated. */
  readonly secret: string | undefined
}

export type Triggers = ReturnType<typeof createTriggers>

export const contextOf = (triggerId: string) => `trigger/${triggerId}`
export const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Manages the triggers of an account. */
export function createTriggers(deps: TriggersDeps) {
  const authorship = (actor: string) => ({ at: new Date(deps.now()), by: actor })

  async function toggle(tx: Tx, accountId: string, id: string, wanted: boolean | undefined, change: Change): Promise<Trigger> {
    const trigger = await lock(tx, accountId, id, change.ifMatch)
    const enabled = wanted ?? !trigger.enabled
    if (enabled === trigger.enabled) return trigger
    const nextAt = enabled ? await nextOf(trigger, deps.now()) : undefined
    await setEnabled(tx, accountId, { id, enabled, nextAt }, authorship(change.actor))
    return find(tx, accountId, id)
  }

  return {
    list: (tx: Tx, accountId: string, filter: ListFilter) => listTriggers(tx, accountId, filter),
    get: find,
    toggle,

    async ofWorkflow(tx: Tx, accountId: string, filter: ListFilter & { readonly workflowId: string }): Promise<readonly Trigger[]> {
      await deps.assertWorkflow(tx, accountId, filter.workflowId)
      return listTriggers(tx, accountId, filter)
    },

    async create(tx: Tx, accountId: string, wanted: WantedTrigger, actor: string): Promise<CreatedTrigger> {
      assertMembers(wanted)
      checkMapping(wanted.mapping)
      checkWatch(wanted.watch)
      const schedule = wanted.schedule === undefined ? undefined : await readSchedule(wanted.schedule, deps.now())
      await deps.assertWorkflow(tx, accountId, wanted.workflowId)
      if ((await countTriggers(tx, accountId)) >= triggersMax)
        throw new Fault('conflict', { detail: `The account has ${triggersMax} triggers. Delete those that are not needed.` })
      if (wanted.kind === 'event' && (await countOfKind(tx, accountId, 'event')) >= eventTriggersMax)
        throw new Fault('conflict', {
          detail: `The account has ${eventTriggersMax} triggers of events, which is the limit. Let one take several types.`,
        })
      if (wanted.kind === 'watch' && (await countOfKind(tx, accountId, 'watch')) >= watchesMax)
        throw new Fault('conflict', {
          detail: `The account has ${watchesMax} triggers that watch, which is the limit. Delete one that is not needed.`,
        })
      const { content, secret } = contentOf(deps, wanted, schedule)
      await insertTrigger(tx, accountId, content, authorship(actor))
      return { trigger: await find(tx, accountId, content.id), secret }
    },

    /** Like `toggle`, and 404 for a trigger that is not a schedule. */
    async toggleSchedule(tx: Tx, accountId: string, id: string, wanted: boolean | undefined, change: Change): Promise<Trigger> {
      const { kind } = await find(tx, accountId, id)
      if (kind !== 'schedule') throw new Fault('not_found', { detail: 'There is no such schedule.' })
      return toggle(tx, accountId, id, wanted, change)
    },

    /** Lets the test URL of a webhook take requests for a while. */
    async listen(
      tx: Tx,
      accountId: string,
      id: string,
      { seconds, ...wanted }: { readonly seconds: number; readonly starts: boolean; readonly by: string },
    ): Promise<Trigger> {
      await findWebhook(tx, accountId, id)
      const until = new Date(deps.now() + seconds * 1000)
      await beginListening(tx, accountId, id, { ...wanted, until, requests: testRequestsMax })
      return find(tx, accountId, id)
    },

    async stopListening(tx: Tx, accountId: string, id: string): Promise<Trigger> {
      await findWebhook(tx, accountId, id)
      await endListening(tx, accountId, id)
      return find(tx, accountId, id)
    },

    async remove(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<void> {
      const { origin } = await lock(tx, accountId, id, ifMatch)
      if (origin === 'definition')
        throw new Fault('conflict', {
          detail: 'This trigger belongs to the definition. Remove `schedule` there and publish it, or disable the trigger.',
        })
      await deleteTriggers(tx, accountId, [id])
    },
  }
}

/** The next due time of a trigger from now on; undefined if it is no schedule or has no further one. */
export async function nextOf({ schedule }: Pick<Trigger, 'schedule'>, nowMs: number): Promise<Date | undefined> {
  if (schedule === undefined) return undefined
  const { dueTimesOf } = await import('./schedule/due-times.ts')
  const next = dueTimesOf(schedule.spec)(nowMs)
  return next === undefined ? undefined : new Date(next)
}

async function find(tx: Tx, accountId: string, id: string): Promise<Trigger> {
  const trigger = await findTrigger(tx, accountId, id)
  if (trigger === undefined) throw new Fault('not_found', { detail: 'There is no such trigger.' })
  return trigger
}

async function findWebhook(tx: Tx, accountId: string, id: string): Promise<void> {
  const { kind } = await find(tx, accountId, id)
  if (kind !== 'webhook') throw new Fault('not_found', { detail: 'There is no such webhook.' })
}

async function lock(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<Trigger> {
  const trigger = await lockTrigger(tx, accountId, id)
  if (trigger === undefined) throw new Fault('not_found', { detail: 'There is no such trigger.' })
  if (ifMatch?.includes(trigger.revision) === false)
    throw new Fault('revision_mismatch', { detail: `The trigger is at revision ${trigger.revision}. Read it again and repeat the change.` })
  return trigger
}

/** A trigger has the member of its kind and no other. */
function assertMembers({ kind, schedule, webhook, eventTypes, watch }: WantedTrigger): void {
  const members = { schedule, webhook, event: eventTypes, watch }
  for (const [name, value] of Object.entries(members)) {
    if (name === kind && value === undefined)
      throw new Fault('request_invalid', { errors: [{ pointer: `/${name}`, detail: `Is required by the kind ${kind}.` }] })
    if (name !== kind && value !== undefined)
      throw new Fault('request_invalid', { errors: [{ pointer: `/${name}`, detail: `Does not belong to the kind ${kind}.` }] })
  }
}

const tokenBytes = 32
/** Requests for which a webhook listens, at most. */
const testRequestsMax = 20

function contentOf(deps: TriggersDeps, wanted: WantedTrigger, schedule: ReadSchedule | undefined) {
  const id = deps.newId()
  const { workflowId, kind, name, enabled, input, mapping, eventTypes, watch } = wanted
  const dueAt = enabled ? schedule?.next(deps.now()) : undefined
  const credentials = wanted.webhook === undefined ? undefined : credentialsOf(deps, id, wanted.webhook)
  const content: TriggerContent = {
    id,
    workflowId,
    kind,
    origin: 'user',
    name,
    enabled,
    input,
    mapping,
    eventTypes: eventTypes === undefined ? undefined : [...new Set(eventTypes)],
    ...(schedule === undefined ? {} : { schedule: schedule.settings }),
    ...(credentials === undefined ? {} : { webhook: credentials.settings }),
    ...(watch === undefined ? {} : { watch }),
    tokenHash: credentials?.tokenHash,
    token: credentials?.token,
    secret: credentials?.sealed,
    nextAt: dueAt === undefined ? undefined : new Date(dueAt),
  }
  return { content, secret: credentials?.generated }
}

function credentialsOf({ box, randomBytes }: TriggersDeps, id: string, webhook: NonNullable<WantedTrigger['webhook']>) {
  const { secret: given, ...signature } = webhook.signature
  assertSignature(signature, given)
  const token = Buffer.from(randomBytes(tokenBytes)).toString('base64url')
  const random = Buffer.from(randomBytes(tokenBytes))
  const generated =
    given !== undefined || signature.scheme === 'none'
      ? undefined
      : signature.scheme === 'standard'
        ? `whsec_${random.toString('base64')}`
        : random.toString('base64url')
  const secret = given ?? generated
  const settings: WebhookSettings = { ...webhook, signature }
  return {
    settings,
    tokenHash: hashOf(token),
    token: box.seal(Buffer.from(token), contextOf(id)),
    sealed: secret === undefined ? undefined : box.seal(Buffer.from(secret), contextOf(id)),
    generated,
  }
}

function assertSignature({ scheme, username }: WebhookSettings['signature'], secret: string | undefined): void {
  const refuse = (member: string, detail: string) => {
    throw new Fault('request_invalid', { errors: [{ pointer: `/webhook/signature/${member}`, detail }] })
  }
  if (scheme === 'basic' && username === undefined) refuse('username', 'Is required by the scheme basic.')
  if (scheme === 'basic' && username?.includes(':') === true) refuse('username', 'Must not contain a colon.')
  if (scheme === 'none' && secret !== undefined) refuse('secret', 'Is not used by the scheme none.')
  if (scheme === 'standard' && secret !== undefined && !/^(?:whsec_)?[A-Za-z0-9+/]{24,}={0,2}$/.test(secret))
    refuse('secret', 'Must be a secret of Standard Webhooks: whsec_ and at least 24 characters of base64.')
}

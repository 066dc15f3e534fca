import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Fault, foreignMembers, wrongMembers } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import type { Changed } from '#platform/changed.ts'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { Tx } from '#platform/http/index.ts'
import { assertRevision } from '#platform/validation/assert-revision.ts'
import { listSkips } from './firing/skip-store.ts'
import { checkForm } from './forms/check-form.ts'
import { checkMapping } from './mapping.ts'
import {
  type SignatureScheme,
  type Trigger,
  type TriggerContent,
  eventTriggersMax,
  triggersMax,
  type TriggerKindOf,
  type WebhookSettings,
} from './model.ts'
import { watchesMax, type WatchSettings } from './watching/model.ts'
import { checkWatch } from './watching/read-watch.ts'
import { type GivenSchedule, readSchedule, type ReadSchedule } from './read-schedule.ts'
import {
  type ChangedContent,
  countOfKind,
  countTriggers,
  deleteTriggers,
  findTrigger,
  forgetDueTimes,
  insertTrigger,
  type ListFilter,
  listTriggers,
  lockTrigger,
  resetWatch,
  setEnabled,
  updateTrigger,
} from './trigger-store.ts'
import { checkFilter } from './webhooks/filter.ts'
import { beginListening, endListening } from './webhooks/test-store.ts'

export interface TriggersDeps {
  readonly now: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
  /** Seals tokens and secrets of webhooks. */
  readonly box: SecretBox
  /** Fault `not_found` for a workflow that the account never had. */
  readonly assertWorkflow: (tx: Tx, accountId: string, workflowId: string) => Promise<void>
  /** Fault `input_invalid` for an input that the published version of a workflow refuses. */
  readonly assertInput: (accountId: string, workflowId: string, input: Json) => Promise<void>
}

/** A trigger as a request wants it. */
export interface WantedTrigger {
  readonly kind: TriggerKindOf
  readonly workflowId: string
  readonly name: string
  readonly enabled: boolean
  readonly input: Json | undefined
  readonly mapping: string | undefined
  readonly filter: string | undefined
  readonly schedule: GivenSchedule | undefined
  readonly webhook: (WebhookSettings & { readonly signature: { readonly secret?: string | undefined } }) | undefined
  readonly eventTypes: readonly string[] | undefined
  /** With the types of ends of executions: only those of these workflows. */
  readonly workflowIds: readonly string[] | undefined
  readonly watch: WatchSettings | undefined
}

/** What a request changes of a trigger. What is undefined stays. */
export interface WantedChange extends Pick<WantedTrigger, 'schedule' | 'webhook' | 'eventTypes' | 'workflowIds' | 'watch'> {
  readonly name: string | undefined
  /** Null removes it. */
  readonly input: Json | undefined
  /** Null removes it. */
  readonly mapping: string | null | undefined
  /** Null removes it. */
  readonly filter: string | null | undefined
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

export interface ChangedTrigger extends Changed<Trigger> {
  /** Of a webhook, if one was generated. */
  readonly secret: string | undefined
}

export type Triggers = ReturnType<typeof createTriggers>

export const contextOf = (triggerId: string) => `trigger/${triggerId}`
export const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Manages the triggers of an account. */
export function createTriggers(deps: TriggersDeps) {
  const authorship = (actor: string) => ({ at: new Date(deps.now()), by: actor })

  async function toggle(tx: Tx, accountId: string, id: string, wanted: boolean | undefined, change: Change): Promise<Changed<Trigger>> {
    const trigger = await lock(tx, accountId, id, change.ifMatch)
    const enabled = wanted ?? !trigger.enabled
    if (enabled === trigger.enabled) return { before: trigger, after: trigger }
    const nextAt = enabled ? await nextOf(trigger, deps.now()) : undefined
    await setEnabled(tx, accountId, { id, enabled, nextAt }, authorship(change.actor))
    return { before: trigger, after: await find(tx, accountId, id) }
  }

  /** Checks the input that executions will get as it is given, so that a mistake shows at once and not at the first start. */
  async function checkInput(
    accountId: string,
    { kind, workflowId, input, mapping }: Pick<Trigger, 'kind' | 'workflowId' | 'input' | 'mapping'>,
  ): Promise<void> {
    if (input === undefined || mapping !== undefined || (kind !== 'schedule' && kind !== 'manual')) return
    await deps.assertInput(accountId, workflowId, input)
  }

  return {
    list: (tx: Tx, accountId: string, filter: ListFilter) => listTriggers(tx, accountId, filter),
    skipped: listSkips,
    get: find,
    toggle,

    async ofWorkflow(tx: Tx, accountId: string, filter: ListFilter & { readonly workflowId: string }): Promise<readonly Trigger[]> {
      await deps.assertWorkflow(tx, accountId, filter.workflowId)
      return listTriggers(tx, accountId, filter)
    },

    async create(tx: Tx, accountId: string, wanted: WantedTrigger, actor: string): Promise<CreatedTrigger> {
      assertMembers(wanted)
      checkMapping(wanted.mapping)
      checkFilter(wanted)
      checkWatch(wanted.watch)
      const schedule = wanted.schedule === undefined ? undefined : await readSchedule(wanted.schedule, deps.now())
      for (const workflowId of [wanted.workflowId, ...(wanted.workflowIds ?? [])]) await deps.assertWorkflow(tx, accountId, workflowId)
      await checkForm(tx, accountId, wanted.workflowId, wanted.webhook)
      await checkInput(accountId, wanted)
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

    /** Changes what a request names. @returns also the secret of a webhook, if one was generated. */
    async update(tx: Tx, accountId: string, id: string, wanted: WantedChange, change: Change): Promise<ChangedTrigger> {
      const trigger = await lock(tx, accountId, id, change.ifMatch)
      if (trigger.origin === 'definition')
        throw new Fault('conflict', {
          detail: 'This trigger belongs to the definition. Change `schedule` there and publish it.',
        })
      if (Object.values(wanted).every((value) => value === undefined)) return { before: trigger, after: trigger, secret: undefined }
      assertBelongs(trigger.kind, wanted)
      checkMapping(wanted.mapping ?? undefined)
      checkWatch(wanted.watch)
      for (const workflowId of wanted.workflowIds ?? []) await deps.assertWorkflow(tx, accountId, workflowId)
      await checkForm(tx, accountId, trigger.workflowId, wanted.webhook)
      const schedule = wanted.schedule === undefined ? undefined : await readSchedule(wanted.schedule, deps.now())
      const { content, secret } = changedContent(deps, trigger, wanted, schedule)
      checkFilter({ ...trigger, ...content })
      if (wanted.input !== undefined || wanted.mapping !== undefined) await checkInput(accountId, { ...trigger, ...content })
      const by = authorship(change.actor)
      await updateTrigger(tx, accountId, content, by)
      if (schedule !== undefined) await forgetDueTimes(tx, accountId, id, by.at)
      if (wanted.watch !== undefined)
        await resetWatch(tx, accountId, trigger, { at: by.at, isElsewhere: !isSamePlace(trigger.watch, wanted.watch) })
      return { before: trigger, after: await find(tx, accountId, id), secret }
    },

    /** Like `toggle`, and 404 for a trigger that is not a schedule. */
    async toggleSchedule(tx: Tx, accountId: string, id: string, wanted: boolean | undefined, change: Change): Promise<Changed<Trigger>> {
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

    /** @returns the trigger as it was. */
    async remove(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<Trigger> {
      const trigger = await lock(tx, accountId, id, ifMatch)
      if (trigger.origin === 'definition')
        throw new Fault('conflict', {
          detail: 'This trigger belongs to the definition. Remove `schedule` there and publish it, or disable the trigger.',
        })
      await deleteTriggers(tx, accountId, [id])
      return trigger
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
  assertRevision('trigger', trigger.revision, ifMatch)
  return trigger
}

type KindMembers = Pick<WantedTrigger, 'schedule' | 'webhook' | 'eventTypes' | 'watch'>

const membersOf = ({ schedule, webhook, eventTypes, watch }: KindMembers) => ({ schedule, webhook, event: eventTypes, watch })

/** A trigger has the member of its kind and no other. */
function assertMembers(wanted: WantedTrigger): void {
  refuseFirst(wrongMembers(wanted.kind, membersOf(wanted)))
}

function assertBelongs(kind: TriggerKindOf, members: KindMembers): void {
  refuseFirst(foreignMembers(kind, membersOf(members)))
}

function refuseFirst([fault]: ReturnType<typeof wrongMembers>): void {
  if (fault !== undefined) throw new Fault('request_invalid', { errors: [fault] })
}

function changedContent(deps: TriggersDeps, trigger: Trigger, wanted: WantedChange, schedule: ReadSchedule | undefined) {
  const { id, enabled } = trigger
  const signing = wanted.webhook === undefined ? undefined : signingOf(deps, id, wanted.webhook, trigger)
  const dueAt = enabled ? schedule?.next(deps.now()) : undefined
  const scheduled = schedule === undefined ? trigger.schedule : schedule.settings
  const webhook = signing === undefined ? trigger.webhook : signing.settings
  const watch = wanted.watch ?? trigger.watch
  const content: ChangedContent = {
    id,
    name: wanted.name ?? trigger.name,
    input: wanted.input === undefined ? trigger.input : (wanted.input ?? undefined),
    mapping: wanted.mapping === undefined ? trigger.mapping : (wanted.mapping ?? undefined),
    filter: wanted.filter === undefined ? trigger.filter : (wanted.filter ?? undefined),
    eventTypes: wanted.eventTypes === undefined ? trigger.eventTypes : [...new Set(wanted.eventTypes)],
    workflowIds: wanted.eventTypes === undefined ? trigger.workflowIds : wanted.workflowIds,
    ...(scheduled === undefined ? {} : { schedule: scheduled }),
    ...(webhook === undefined ? {} : { webhook }),
    ...(watch === undefined ? {} : { watch }),
    secret: signing === undefined ? trigger.secret : signing.sealed,
    nextAt: schedule === undefined ? trigger.nextAt : dueAt === undefined ? undefined : new Date(dueAt),
  }
  return { content, secret: signing?.generated }
}

/** Whether two watches look at the same place, so that the position in it stays valid. */
function isSamePlace(one: WatchSettings | undefined, other: WatchSettings): boolean {
  const placeOf = ({ every: _every, first: _first, ...place }: WatchSettings) => place
  return one !== undefined && isDeepStrictEqual(placeOf(one), placeOf(other))
}

const tokenBytes = 32
/** Requests for which a webhook listens, at most. */
const testRequestsMax = 20

function contentOf(deps: TriggersDeps, wanted: WantedTrigger, schedule: ReadSchedule | undefined) {
  const id = deps.newId()
  const { workflowId, kind, name, enabled, input, mapping, filter, eventTypes, watch } = wanted
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
    filter,
    eventTypes: eventTypes === undefined ? undefined : [...new Set(eventTypes)],
    workflowIds: wanted.workflowIds,
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

function credentialsOf(deps: TriggersDeps, id: string, webhook: NonNullable<WantedTrigger['webhook']>) {
  const token = Buffer.from(deps.randomBytes(tokenBytes)).toString('base64url')
  return {
    ...signingOf(deps, id, webhook),
    tokenHash: hashOf(token),
    token: deps.box.seal(Buffer.from(token), contextOf(id)),
  }
}

/**
 * The settings of a webhook with its sealed secret: the given one, that which it had for the same scheme, or else a new one.
 * @returns also the secret as `generated` if it is new.
 */
function signingOf(
  { box, randomBytes }: TriggersDeps,
  id: string,
  webhook: NonNullable<WantedTrigger['webhook']>,
  before?: Pick<Trigger, 'webhook' | 'secret'>,
) {
  const { secret: given, ...signature } = webhook.signature
  assertSignature(signature, given)
  const settings: WebhookSettings = { ...webhook, signature }
  const { scheme } = signature
  if (given === undefined && before?.webhook?.signature.scheme === scheme) return { settings, sealed: before.secret, generated: undefined }
  const generated = given === undefined && scheme !== 'none' ? newSecret(scheme, randomBytes) : undefined
  const secret = given ?? generated
  return { settings, sealed: secret === undefined ? undefined : box.seal(Buffer.from(secret), contextOf(id)), generated }
}

function newSecret(scheme: SignatureScheme, randomBytes: TriggersDeps['randomBytes']): string {
  const random = Buffer.from(randomBytes(tokenBytes))
  return scheme === 'standard' ? `whsec_${random.toString('base64')}` : random.toString('base64url')
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

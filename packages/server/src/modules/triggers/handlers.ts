import { Fault, type Received, type triggers } from '@millrace/contract'
import * as z from 'zod'
import type { Changed } from '#platform/changed.ts'
import { actorOf } from '#platform/auth/principal.ts'
import { etag, type HandlersFor, type RequestContext, respond, userKeyOf } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeCursor, decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import { isLifecycleType, namesEnd } from './ends/end-types.ts'
import { formProblems } from './forms/check-form.ts'
import type { Fire } from './firing/fire.ts'
import type { Trigger } from './model.ts'
import { partsNotGiven } from './parts-not-given.ts'
import { readSchedule } from './read-schedule.ts'
import type { CreatedTrigger, Triggers, WantedChange, WantedTrigger } from './trigger-service.ts'
import { auditedTrigger, deliveryView, skippedView, triggerView } from './views.ts'
import type { Deliveries } from './webhooks/deliveries.ts'

export interface TriggerHandlersDeps {
  readonly service: Triggers
  readonly fire: Fire
  readonly deliveries: Deliveries
  readonly now: () => number
  /** The URL of a webhook. */
  readonly urlOf: (trigger: Trigger) => string | undefined
}

const skipShape = z.tuple([z.iso.datetime(), z.string()])

type Create = Received<typeof triggers.create>['body']

/** Handlers of the group `triggers`. */
export function triggerHandlers({ service, fire, deliveries, now, urlOf }: TriggerHandlersDeps): HandlersFor<typeof triggers> {
  /** `warns` where all triggers are of one workflow. */
  async function viewFor(ctx: RequestContext, shown: readonly Trigger[], warns = true) {
    const { localText } = await import('./schedule/zone.ts')
    const problems = await formProblems(ctx.tx, ctx.accountId, shown)
    const notGiven = warns ? await partsNotGiven(ctx.tx, ctx.accountId, shown) : undefined
    const shownUrl = ctx.scopes.has('triggers:write') ? urlOf : () => undefined
    const options = { localText, formProblems: problems, notGiven, urlOf: shownUrl, nowMs: now() }
    return (trigger: Trigger) => triggerView(trigger, options)
  }

  async function list(ctx: RequestContext, found: readonly Trigger[], limit: number, warns: boolean) {
    const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
    return { data: data.map(await viewFor(ctx, data, warns)), nextCursor }
  }

  async function one(ctx: RequestContext, trigger: Trigger) {
    return respond((await viewFor(ctx, [trigger]))(trigger), { headers: { etag: etag(trigger.revision) } })
  }

  async function created(ctx: RequestContext, { trigger, secret }: CreatedTrigger) {
    const id = toTypeId('trg', trigger.id)
    ctx.audit({ target: id, details: { kind: trigger.kind, ...workflowOf(trigger) } })
    const view = (await viewFor(ctx, [trigger]))(trigger)
    return respond({ ...view, secret: secret ?? null }, { headers: { etag: etag(trigger.revision), location: `/api/v1/triggers/${id}` } })
  }

  async function toggled(ctx: RequestContext, { before, after }: Changed<Trigger>) {
    const { enabled } = after
    const details = { enabled, ...workflowOf(after) }
    ctx.audit({ target: toTypeId('trg', after.id), details, change: { before: { enabled: before.enabled }, after: { enabled } } })
    return one(ctx, after)
  }

  const create = async (ctx: RequestContext, body: Create) =>
    created(ctx, await service.create(ctx.tx, ctx.accountId, wantedOf(body), actorOf(ctx.principal)))

  return {
    async list(ctx, { query: { limit, cursor, kind, enabled } }) {
      const filter = { workflowId: undefined, kind, enabled, before: decodeId(cursor), limit: limit + 1 }
      return list(ctx, await service.list(ctx.tx, ctx.accountId, filter), limit, false)
    },
    async ofWorkflow(ctx, { params, query: { limit, cursor } }) {
      const workflowId = idOf('wf', params.workflowId)
      const filter = { workflowId, kind: undefined, enabled: undefined, before: decodeId(cursor), limit: limit + 1 }
      return list(ctx, await service.ofWorkflow(ctx.tx, ctx.accountId, filter), limit, true)
    },
    get: async (ctx, { params }) => one(ctx, await service.get(ctx.tx, ctx.accountId, idOf('trg', params.id))),
    create: (ctx, { body }) => create(ctx, body),
    createSchedule: (ctx, { body }) => create(ctx, { ...body, kind: 'schedule' }),
    createWebhook: (ctx, { body }) => create(ctx, { ...body, kind: 'webhook' }),

    async previewSchedule(_ctx, { body: { schedule, count, after } }) {
      const { previewTimes } = await import('./schedule/preview-times.ts')
      const { localText } = await import('./schedule/zone.ts')
      const from = after === undefined ? now() : Date.parse(after)
      const { next } = await readSchedule(schedule, from)
      const times = await previewTimes(next, from, count)
      return {
        timeZone: schedule.timeZone,
        times: times.map((time) => ({ utc: new Date(time).toISOString(), local: localText(schedule.timeZone, time) })),
      }
    },

    async toggle(ctx, { params, body }) {
      const change = { actor: actorOf(ctx.principal), ifMatch: ctx.ifMatch }
      return toggled(ctx, await service.toggle(ctx.tx, ctx.accountId, idOf('trg', params.id), body.enabled, change))
    },
    async toggleSchedule(ctx, { params, body }) {
      const change = { actor: actorOf(ctx.principal), ifMatch: ctx.ifMatch }
      return toggled(ctx, await service.toggleSchedule(ctx.tx, ctx.accountId, idOf('trg', params.id), body.enabled, change))
    },
    async update(ctx, { params, body }) {
      const id = idOf('trg', params.id)
      const change = { actor: actorOf(ctx.principal), ifMatch: ctx.ifMatch }
      const { before, after: trigger, secret } = await service.update(ctx.tx, ctx.accountId, id, changeOf(body), change)
      const secretChanged = secret !== undefined || body.webhook?.signature.secret !== undefined
      const details = { revision: trigger.revision, ...(secretChanged ? { secretChanged } : {}), ...workflowOf(trigger) }
      ctx.audit({ target: params.id, details, change: { before: auditedTrigger(before), after: auditedTrigger(trigger) } })
      const view = (await viewFor(ctx, [trigger]))(trigger)
      return respond({ ...view, secret: secret ?? null }, { headers: { etag: etag(trigger.revision) } })
    },
    async delete(ctx, { params }) {
      const removed = await service.remove(ctx.tx, ctx.accountId, idOf('trg', params.id), ctx.ifMatch)
      ctx.audit({ target: params.id, details: { name: removed.name, ...workflowOf(removed) } })
      return { id: params.id, deleted: true as const }
    },

    async fire(ctx, { params, body }) {
      const given = { input: body.input, actor: actorOf(ctx.principal), key: userKeyOf(ctx) }
      const { id } = await fire.manually(ctx.accountId, idOf('trg', params.id), given)
      const executionId = toTypeId('exec', id)
      ctx.audit({ target: params.id, details: { executionId } })
      return { triggerId: params.id, executionId }
    },

    async deliveries(ctx, { params, query: { limit, cursor, outcome, test } }) {
      const trigger = await service.get(ctx.tx, ctx.accountId, idOf('trg', params.id))
      const options = { outcome, test, before: decodeId(cursor), limit: limit + 1 }
      const found = await deliveries.list(ctx.tx, ctx.accountId, trigger.id, options)
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(deliveryView), nextCursor }
    },

    async skipped(ctx, { params, query: { limit, cursor } }) {
      const trigger = await service.get(ctx.tx, ctx.accountId, idOf('trg', params.id))
      const [at, cause] = cursor === undefined ? [] : decodeCursor(cursor, skipShape)
      const before = at === undefined || cause === undefined ? undefined : { dueAt: new Date(at), cause }
      const found = await service.skipped(ctx.tx, ctx.accountId, trigger.id, { before, limit: limit + 1 })
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.dueAt.toISOString(), last.cause]))
      return { data: data.map(skippedView), nextCursor }
    },

    async delivery(ctx, { params }) {
      const { content, ...found } = await deliveries.get(ctx.tx, ctx.accountId, idOf('whd', params.deliveryId))
      return { ...deliveryView(found), content: content ?? null }
    },

    async test(ctx, { params, body: { seconds, start } }) {
      if (start && !ctx.scopes.has('executions:run'))
        throw new Fault('insufficient_scope', { detail: 'Starting tests needs the scope executions:run. Or send "start": false.' })
      const wanted = { seconds, starts: start, by: actorOf(ctx.principal) }
      const trigger = await service.listen(ctx.tx, ctx.accountId, idOf('trg', params.id), wanted)
      ctx.audit({ target: params.id, details: { seconds, start, ...workflowOf(trigger) } })
      return (await viewFor(ctx, [trigger]))(trigger)
    },
    async stopTest(ctx, { params }) {
      const trigger = await service.stopListening(ctx.tx, ctx.accountId, idOf('trg', params.id))
      return (await viewFor(ctx, [trigger]))(trigger)
    },

    async replayDelivery(ctx, { params }) {
      const { triggerId, executionId } = await deliveries.replay(ctx.accountId, idOf('whd', params.deliveryId), {
        actor: actorOf(ctx.principal),
        key: userKeyOf(ctx),
      })
      const details = { triggerId: toTypeId('trg', triggerId), executionId: toTypeId('exec', executionId) }
      ctx.audit({ target: params.deliveryId, details })
      return details
    },
  }
}

/** What the audit log has of the workflow that a trigger starts, also after the trigger is gone. */
function workflowOf({ workflowId }: Pick<Trigger, 'workflowId'>) {
  return { workflowId: toTypeId('wf', workflowId) }
}

function wantedOf({ workflowId, event, schedule, webhook, watch, input, mapping, filter, ...rest }: Create): WantedTrigger {
  return { ...rest, workflowId: idOf('wf', workflowId), input, mapping, filter, schedule, webhook, watch, ...eventOf(event) }
}

function changeOf({
  name,
  event,
  schedule,
  webhook,
  watch,
  input,
  mapping,
  filter,
}: Received<typeof triggers.update>['body']): WantedChange {
  return { name, input, mapping, filter, schedule, webhook, watch, ...eventOf(event) }
}

function eventOf(event: Create['event']): Pick<WantedTrigger, 'eventTypes' | 'workflowIds'> {
  if (event === undefined) return { eventTypes: undefined, workflowIds: undefined }
  const { types, workflows } = event
  const useless = types.findIndex((type) => isLifecycleType(type) && !namesEnd(type))
  if (useless !== -1)
    throw new Fault('request_invalid', {
      errors: [
        {
          pointer: `/event/types/${useless}`,
          detail:
            'Of the lifecycle events only those of ends start workflows: io.serverlessworkflow.workflow.faulted.v1, …completed.v1 and …cancelled.v1.',
        },
      ],
    })
  if (workflows !== undefined && !types.every(isLifecycleType))
    throw new Fault('request_invalid', {
      errors: [{ pointer: '/event/workflows', detail: 'Belongs to the types of the ends of executions. Other events are of no workflow.' }],
    })
  return { eventTypes: types, workflowIds: workflows?.map((id) => idOf('wf', id)) }
}

import type { InputRead } from '@millrace/dsl'
import { auditedMembers } from '#platform/audited-members.ts'
import { toTypeId } from '#platform/ids.ts'
import type { ScheduleSettings, Trigger } from './model.ts'
import type { DeliverySummary } from './webhooks/delivery-store.ts'
import type { SkippedTime } from './firing/skip-store.ts'

/** What a view needs to know of the caller and the installation. */
export interface ViewOptions {
  /** An instant in local time. The zones are loaded lazily, so the caller gives it. */
  readonly localText: (zone: string, instant: number) => string
  /** The URL of a webhook; undefined if the caller may not know it. */
  readonly urlOf: (trigger: Trigger) => string | undefined
  readonly nowMs: number
  /** Why the forms of webhooks cannot be shown, by the id of the trigger. */
  readonly formProblems: ReadonlyMap<string, string>
  /** What workflows read and triggers do not give, by the id of the trigger; undefined where it is not shown. */
  readonly notGiven: ReadonlyMap<string, readonly InputRead[]> | undefined
}

export function triggerView(trigger: Trigger, options: ViewOptions) {
  const { schedule, webhook, eventTypes } = trigger
  return {
    id: toTypeId('trg', trigger.id),
    workflowId: toTypeId('wf', trigger.workflowId),
    name: trigger.name,
    kind: trigger.kind,
    origin: trigger.origin,
    enabled: trigger.enabled,
    pausedReason: trigger.pausedReason ?? null,
    input: trigger.input ?? null,
    mapping: trigger.mapping ?? null,
    filter: trigger.filter ?? null,
    schedule: schedule === undefined ? null : scheduleView(schedule, trigger.nextAt, options),
    webhook: webhook === undefined ? null : webhookView(webhook, trigger, options),
    event: eventTypes === undefined ? null : eventView(eventTypes, trigger.workflowIds),
    watch: watchView(trigger),
    failures: trigger.failures,
    lastFiredAt: trigger.lastFiredAt?.toISOString() ?? null,
    lastExecutionId: trigger.lastExecutionId === undefined ? null : toTypeId('exec', trigger.lastExecutionId),
    lastError: trigger.lastError ?? null,
    ...(options.notGiven === undefined ? {} : { warnings: (options.notGiven.get(trigger.id) ?? []).map(warningView) }),
    revision: trigger.revision,
    createdAt: trigger.createdAt.toISOString(),
    updatedAt: trigger.updatedAt.toISOString(),
  }
}

/** What the audit log commits to of a changed trigger: what people set, never secrets. */
export function auditedTrigger({ name, input, mapping, filter, schedule, webhook, eventTypes, workflowIds, watch }: Trigger) {
  return {
    name,
    input: input ?? null,
    mapping: mapping ?? null,
    filter: filter ?? null,
    ...auditedMembers('schedule', schedule === undefined ? undefined : settingsOf(schedule)),
    ...auditedMembers('webhook', webhook),
    ...auditedMembers('event', eventTypes === undefined ? undefined : eventView(eventTypes, workflowIds)),
    ...auditedMembers('watch', watch),
  }
}

function warningView({ path, task, pointer }: InputRead) {
  const by = task === undefined ? '' : ` (task "${task}")`
  const message = `The workflow reads .${path}${by}, which this trigger does not give. Add it to the input or the mapping, or give the task a default.`
  return { code: 'input_not_given' as const, message, path, task: task ?? null, pointer }
}

function eventView(types: readonly string[], workflowIds: readonly string[] | undefined) {
  return { types: [...types], ...(workflowIds === undefined ? {} : { workflows: workflowIds.map((id) => toTypeId('wf', id)) }) }
}

function watchView({ watch, watched }: Pick<Trigger, 'watch' | 'watched'>) {
  if (watch === undefined) return null
  return {
    settings: watch,
    lookedAt: watched?.lookedAt?.toISOString() ?? null,
    nextAt: watched?.lookAt?.toISOString() ?? null,
    failures: watched?.failures ?? 0,
    problem: watched?.problem ?? null,
  }
}

function webhookView(
  { signature, methods, addresses, rawBody = false, ...webhook }: NonNullable<Trigger['webhook']>,
  trigger: Trigger,
  { urlOf, nowMs, formProblems }: ViewOptions,
) {
  const { testUntil } = trigger
  const url = urlOf(trigger)
  const listensUntil = testUntil !== undefined && testUntil.getTime() > nowMs ? testUntil.toISOString() : null
  const urls = { url: url ?? null, testUrl: url === undefined ? null : `${url}/test` }
  const formProblem = formProblems.get(trigger.id) ?? null
  return {
    ...webhook,
    rawBody,
    methods: [...methods],
    addresses: [...addresses],
    signature: { ...signature },
    ...urls,
    listensUntil,
    formProblem,
  }
}

function settingsOf({ spec, missed, missedMax, overlap }: ScheduleSettings) {
  return { ...timesView(spec), timeZone: 'timeZone' in spec ? spec.timeZone : 'UTC', missed, missedMax, overlap }
}

function scheduleView(schedule: ScheduleSettings, nextAt: Date | undefined, { localText }: ViewOptions) {
  const settings = settingsOf(schedule)
  return {
    ...settings,
    nextAt: nextAt?.toISOString() ?? null,
    nextLocal: nextAt === undefined ? null : localText(settings.timeZone, nextAt.getTime()),
  }
}

function timesView(spec: ScheduleSettings['spec']) {
  switch (spec.kind) {
    case 'cron':
      return { cron: spec.expression }
    case 'interval':
      return { every: durationText(spec.everyMs), from: new Date(spec.fromMs).toISOString() }
    case 'rrule':
      return { rrule: spec.rule, start: spec.start }
    case 'date':
      return { at: spec.at }
    case 'after':
      return { after: durationText(spec.afterMs) }
  }
}

function durationText(ms: number): string {
  return `PT${ms / 1000}S`
}

export function deliveryView(delivery: DeliverySummary) {
  return {
    id: toTypeId('whd', delivery.id),
    at: delivery.at.toISOString(),
    method: delivery.method,
    address: delivery.address,
    outcome: delivery.outcome,
    test: delivery.test,
    status: delivery.status,
    reason: delivery.reason ?? null,
    deliveryId: delivery.deliveryId ?? null,
    contentDigest: delivery.contentDigest ?? null,
    contentType: delivery.contentType ?? null,
    bytes: delivery.bytes,
    executionId: delivery.executionId === undefined ? null : toTypeId('exec', delivery.executionId),
    replayable: delivery.replayable,
  }
}

export function skippedView({ dueAt, at, reason, state, executionId }: SkippedTime) {
  return {
    dueAt: dueAt.toISOString(),
    at: at.toISOString(),
    reason,
    state,
    executionId: executionId === undefined ? null : toTypeId('exec', executionId),
  }
}

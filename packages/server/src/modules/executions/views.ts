import type { JsonValue } from '@millrace/contract'
import type { ErrorData, Json, Label, TimelineEntry } from '@millrace/engine'
import type { ExecutionSummary, OpenWait } from '@millrace/engine/storage'
import { rawJson } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { ShownExecution } from './disclosure.ts'
import type { ReadExecution } from './erased.ts'
import type { ListedExecution } from './listed-executions.ts'
import type { ExecutionRecord } from './record.ts'
import type { SearchedExecution } from './search-executions.ts'
import type { TaskSummary } from './timeline-summary.ts'
import type { Timeline } from './timeline.ts'

/** Values of more bytes of JSON than this are given as references. */
export const inlineBytesMax = 16 * 1024

/** The path of an execution. */
export function executionPath(id: string): string {
  return `/api/v1/workflows/executions/${toTypeId('exec', id)}`
}

export function summaryView(execution: ExecutionSummary) {
  return {
    id: toTypeId('exec', execution.id),
    workflowId: toTypeId('wf', execution.workflowId),
    workflowVersion: execution.version,
    state: execution.state,
    trigger: execution.trigger,
    createdAt: execution.createdAt.toISOString(),
    startedAt: execution.startedAt?.toISOString() ?? null,
    endedAt: execution.endedAt?.toISOString() ?? null,
    ...(execution.error === undefined ? {} : { error: errorView(execution.error) }),
    ...labelsView(execution.labels),
    ...(execution.awaitsTurn ? { awaitsTurn: true as const } : {}),
  }
}

/** The labels that have a value. */
export function labelsView(labels: readonly Label[]): { readonly labels?: Readonly<Record<string, string>> } {
  const valued = labels.flatMap((label) => ('value' in label ? [[label.name, label.value] as const] : []))
  return valued.length === 0 ? {} : { labels: Object.fromEntries(valued) }
}

function labelProblemsView(labels: readonly Label[]) {
  const problems = labels.flatMap((label) => ('problem' in label ? [{ name: label.name, problem: label.problem }] : []))
  return problems.length === 0 ? {} : { labelProblems: problems }
}

/** An execution as a list shows it. */
export function listedView({ execution, approvals, waitsFor }: ListedExecution) {
  return {
    ...summaryView(execution),
    ...approvalsView(approvals),
    ...(waitsFor === undefined ? {} : { waitsFor: openWaitView(waitsFor) }),
  }
}

function approvalsView({ lapsed, decided }: NonNullable<ListedExecution['approvals']> = {}) {
  return {
    ...(lapsed === undefined ? {} : { lapsedApproval: { endedAt: lapsed.endedAt.toISOString(), onDeadline: lapsed.onDeadline } }),
    ...(decided === undefined ? {} : { decidedApproval: { endedAt: decided.endedAt.toISOString(), verdict: decided.verdict } }),
  }
}

function openWaitView({ what, task, until }: OpenWait) {
  return { what, ...(task === undefined ? {} : { task }), ...(until === undefined ? {} : { until: until.toISOString() }) }
}

/** An execution as a list across workflows shows it. */
export function foundView({ workflowName, ...listed }: SearchedExecution) {
  const { execution } = listed
  const { startedAt, endedAt } = execution
  const durationMs = startedAt === undefined || endedAt === undefined ? null : Math.max(0, endedAt.getTime() - startedAt.getTime())
  return { ...listedView(listed), workflowName: workflowName ?? null, durationMs }
}

export type Values = 'reference' | 'inline'

/** An execution with its input and output. */
export function executionView(execution: ShownExecution, values: Values) {
  // The smallest page of the timeline that can be requested with the values.
  const href = `${executionPath(execution.id)}?values=inline&limit=1`
  return {
    ...summaryView(execution),
    ...labelProblemsView(execution.labels),
    ...valueView('input', execution.input, values, href),
    ...(execution.output === undefined ? {} : valueView('output', execution.output, values, href)),
    ...(execution.reply === undefined ? {} : valueView('answer', execution.reply, values, href)),
    ...(execution.withheld === undefined ? {} : { outputWithheld: execution.withheld }),
    ...(execution.isRedacted === true ? { outputRedacted: true } : {}),
    ...(execution.retryOf === undefined ? {} : { retryOf: toTypeId('exec', execution.retryOf) }),
    ...(execution.causedBy === undefined ? {} : { causedBy: toTypeId('exec', execution.causedBy) }),
    ...(execution.retriedBy === undefined ? {} : { retriedBy: toTypeId('exec', execution.retriedBy) }),
    ...(execution.turn === undefined ? {} : { turn: execution.turn }),
    ...erasedView(execution),
  }
}

function erasedView({ erased }: ReadExecution) {
  return erased === undefined ? {} : { erased: { erasureId: toTypeId('era', erased.erasureId), at: erased.at.toISOString() } }
}

/** An execution with a page of its timeline. */
export function detailView(execution: ShownExecution, timeline: Timeline, values: Values) {
  return {
    ...executionView(execution, values),
    timeline: timeline.entries.map(({ entry, cursor }) => entryView(entry, values, execution.id, cursor)),
    timelineNextCursor: timeline.nextCursor ?? null,
  }
}

/** A task of the definition with what it has done in the execution. */
export function taskSummaryView({ reference, name, kind, states, firstStartedAtMs, lastEndedAtMs, medianMs }: TaskSummary) {
  return {
    reference,
    name,
    kind,
    states,
    firstStartedAt: new Date(firstStartedAtMs).toISOString(),
    lastEndedAt: lastEndedAtMs === undefined ? null : new Date(lastEndedAtMs).toISOString(),
    medianMs: medianMs ?? null,
  }
}

export function errorView({ type, status, title, detail, instance }: ErrorData) {
  return {
    type,
    status,
    title,
    ...(detail === undefined ? {} : { detail }),
    ...(instance === undefined ? {} : { instance }),
  }
}

/** @param cursor at which a page of the timeline begins with the entry. */
export function entryView(entry: TimelineEntry, values: Values, executionId: string, cursor: string) {
  const href = `${executionPath(executionId)}?values=inline&limit=1&cursor=${cursor}`
  return {
    position: entry.position,
    reference: entry.reference,
    name: entry.name,
    kind: entry.kind,
    iteration: [...entry.iteration],
    attempt: entry.attempt,
    state: entry.state,
    startedAt: new Date(entry.startedAtMs).toISOString(),
    endedAt: entry.endedAtMs === undefined ? null : new Date(entry.endedAtMs).toISOString(),
    ...(entry.waitsFor === undefined ? {} : { waitsFor: taskWaitView(entry.waitsFor) }),
    ...(entry.input === undefined ? {} : valueView('input', textOf(entry.input), values, href)),
    ...(entry.output === undefined ? {} : valueView('output', textOf(entry.output), values, href)),
    ...(entry.error === undefined ? {} : { error: errorView(entry.error) }),
  }
}

/** Durations reach beyond the years that a time of RFC 3339 can have. */
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

function taskWaitView({ what, untilMs, attempt, attemptsMax, events, workflow }: NonNullable<TimelineEntry['waitsFor']>) {
  return {
    what,
    ...(untilMs === undefined || untilMs > lastMs ? {} : { until: new Date(untilMs).toISOString() }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(attemptsMax === undefined ? {} : { attemptsMax }),
    ...(events === undefined ? {} : { events: events.map(({ attributes, correlation }) => ({ attributes, correlation })) }),
    ...(workflow === undefined ? {} : { workflow }),
  }
}

/** An execution with all that a replay needs. */
export function recordView({ execution, sources, journal, nextCursor }: ExecutionRecord) {
  const { id, state, version, startedAt, input, output, error, decisions } = execution
  return {
    executionId: toTypeId('exec', id),
    state,
    workflowVersion: version,
    startedAt: startedAt?.toISOString() ?? null,
    input: rawJson(input),
    ...(output === undefined ? {} : { output: rawJson(output) }),
    ...(error === undefined ? {} : { error: errorView(error) }),
    decisions,
    definition: sources.definition,
    functions: sources.functions.map((manifest) => ({ ...manifest })),
    resources: sources.resources,
    journal: journal.map(({ startedAtMs, endedAtMs, ...entry }) => ({
      ...entry,
      startedAt: new Date(startedAtMs).toISOString(),
      endedAt: new Date(endedAtMs).toISOString(),
    })),
    nextCursor: nextCursor ?? null,
    ...erasedView(execution),
  }
}

type Value<N extends string> = { readonly [K in N]: JsonValue } | { readonly [K in `${N}Reference`]: { bytes: number; href: string } }

function valueView<N extends 'input' | 'output' | 'answer'>(name: N, text: string, values: Values, href: string): Value<N> {
  const bytes = Buffer.byteLength(text)
  const member = values === 'reference' && bytes > inlineBytesMax ? { [`${name}Reference`]: { bytes, href } } : { [name]: rawJson(text) }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript widens a computed key to any text.
  return member as Value<N>
}

function textOf(value: Json): string {
  return JSON.stringify(value)
}

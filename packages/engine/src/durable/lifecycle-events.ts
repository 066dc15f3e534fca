import { type ErrorData, errorToJson } from '#core/error.ts'
import type { JsonObject } from '#core/json.ts'
import type { CompiledWorkflow, TaskNode } from '#core/node.ts'
import type { Observer } from '#core/observer.ts'

/** Which accounts subscribe to lifecycle events, and the public ids in them. */
export interface Lifecycle {
  hasSubscribers(accountId: string): boolean
  /** The public id of an execution. */
  publicId(executionId: string): string
  /** What the definition of a version says of itself, read without compiling it. */
  documentOf(accountId: string, versionId: string): Promise<CompiledWorkflow['document']>
}

type WorkflowChange = 'started' | 'suspended' | 'resumed' | 'cancelled' | 'faulted' | 'completed'

/** Emits the lifecycle events of one execution as CloudEvents. */
export interface Announcer {
  /** Observes the walk. It emits nothing before `enable`: the events of a replay were emitted by the first walk. */
  readonly observer: Observer
  enable(): void
  workflow(change: WorkflowChange, atMs: number, more?: JsonObject): void
  /** The event without emitting it: the caller decides later whether the change has taken place. */
  eventOf(change: WorkflowChange, atMs: number): JsonObject
  /** A task begins to listen, or stops listening before it ends; when a listening task ends, the observer emits the event. */
  correlation(change: 'started' | 'completed', position: string, atMs: number): void
  /** The replay is over: tasks at the positions of these open waits are listening. */
  listening(positions: Iterable<string>): void
  /** Emits that all open tasks are cancelled. */
  cancelOpen(atMs: number): void
  /** Events since this was last called. */
  take(): readonly JsonObject[]
}

export interface AnnouncedExecution {
  readonly id: string
  readonly accountId: string
  readonly workflow: Pick<CompiledWorkflow, 'document'>
}

/**
 * Events have the same ids in every walk: an event that is emitted again after a crash is a duplicate, which the bus ignores.
 * Source: Open Workflow Specification DSL 1.0.3, "Lifecycle Events".
 */
export function createAnnouncer(
  { id, accountId, workflow }: AnnouncedExecution,
  lifecycle: Pick<Lifecycle, 'hasSubscribers' | 'publicId'>,
): Announcer | undefined {
  if (!lifecycle.hasSubscribers(accountId)) return undefined
  const subject = { publicId: lifecycle.publicId(id), document: workflow.document }
  const qualified = qualifiedName(subject)
  const open = new Map<string, TaskNode>()
  const correlating = new Set<string>()
  let events: JsonObject[] = []
  let muted = true

  function emit(type: string, key: string, atMs: number, data: JsonObject): void {
    if (!muted) events.push(eventOf(subject, type, { key, atMs, data }))
  }

  function correlated(position: string, atMs: number): void {
    if (!correlating.delete(position)) return
    emit('workflow.correlation-completed', `${position}:correlation-completed`, atMs, { name: qualified, completedAt: iso(atMs) })
  }

  /** Open tasks within a task that ends were abandoned. */
  function ended(position: string, atMs: number): void {
    open.delete(position)
    for (const [inner, node] of open) if (isWithin(inner, position)) cancelled(inner, node, atMs)
    correlated(position, atMs)
  }

  function cancelled(position: string, { reference }: TaskNode, atMs: number): void {
    open.delete(position)
    correlated(position, atMs)
    task('cancelled', position, reference, atMs)
  }

  function task(change: string, position: string, reference: string, atMs: number, more: JsonObject = {}): void {
    emit(`task.${change}`, `${position}:${change}`, atMs, { workflow: qualified, task: reference, [`${change}At`]: iso(atMs), ...more })
  }

  const observer: Observer = {
    skipped: () => undefined,
    started(position, node, atMs, _input, { attempt }) {
      const { reference } = node
      open.set(position, node)
      task('created', position, reference, atMs)
      if (attempt > 1) task('retried', position, reference, atMs)
      task('started', position, reference, atMs)
    },
    completed(position, { reference }, atMs) {
      ended(position, atMs)
      task('completed', position, reference, atMs)
    },
    faulted(position, { reference }, atMs, error) {
      ended(position, atMs)
      task('faulted', position, reference, atMs, { error: errorToJson(error) })
    },
  }

  return {
    observer,
    enable() {
      muted = false
    },
    workflow(change, atMs, more = {}) {
      if (!muted) events.push(workflowEvent(subject, change, atMs, more))
    },
    eventOf: (change, atMs) => workflowEvent(subject, change, atMs),
    correlation(change, position, atMs) {
      if (change === 'completed') return correlated(position, atMs)
      correlating.add(position)
      emit('workflow.correlation-started', `${position}:correlation-started`, atMs, { name: qualified, startedAt: iso(atMs) })
    },
    listening(positions) {
      for (const position of positions) if (open.get(position)?.body.kind === 'listen') correlating.add(position)
    },
    cancelOpen(atMs) {
      for (const [position, node] of open) cancelled(position, node, atMs)
    },
    take() {
      const taken = events
      events = []
      return taken
    },
  }
}

/** The execution that lifecycle events are about. */
export interface LifecycleSubject {
  readonly publicId: string
  readonly document: CompiledWorkflow['document']
}

/** The lifecycle event of a change of an execution. */
export function workflowEvent(subject: LifecycleSubject, change: WorkflowChange, atMs: number, more: JsonObject = {}): JsonObject {
  const { namespace, name, version } = subject.document
  const definition = change === 'started' ? { definition: { name, namespace, version } } : {}
  // An execution can be suspended and resumed more than once, so these ids have a time; all other changes happen once.
  const key = change === 'suspended' || change === 'resumed' ? `${change}:${atMs}` : change
  const data = { name: qualifiedName(subject), ...definition, [`${change}At`]: iso(atMs), ...more }
  return eventOf(subject, `workflow.${change}`, { key, atMs, data })
}

function eventOf(
  { publicId, document: { namespace, name, version } }: LifecycleSubject,
  type: string,
  { key, atMs, data }: { readonly key: string; readonly atMs: number; readonly data: JsonObject },
): JsonObject {
  return {
    specversion: '1.0',
    id: `${publicId}:${key}`,
    source: ['', namespace, name, version].map(encodeURIComponent).join('/'),
    type: `io.serverlessworkflow.${type}.v1`,
    subject: publicId,
    time: iso(atMs),
    datacontenttype: 'application/json',
    data,
  }
}

function qualifiedName({ publicId, document: { namespace, name } }: LifecycleSubject): string {
  return `${name}-${publicId}.${namespace}`
}

/** The data of a fault in a lifecycle event. */
export function faultOf(error: ErrorData | undefined): JsonObject {
  return error === undefined ? {} : { error: errorToJson(error) }
}

/** Whether a position is inside a task: in its tasks, an iteration or an attempt. A `~` marks another visit of the same task. */
function isWithin(position: string, outer: string): boolean {
  return position.startsWith(outer) && /^[/[!]/.test(position.slice(outer.length))
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

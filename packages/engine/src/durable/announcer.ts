import { type ErrorData, errorToJson } from '#core/error.ts'
import type { JsonObject } from '#core/json.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Observer } from '#core/observer.ts'

/** Whether anybody wants to hear of the executions of an account, and how an execution is called outside. */
export interface Lifecycle {
  wanted(accountId: string): boolean
  /** The public id of an execution. */
  publicId(executionId: string): string
}

type WorkflowChange = 'started' | 'suspended' | 'resumed' | 'cancelled' | 'faulted' | 'completed'

/** Tells what happens to one execution as CloudEvents. */
export interface Announcer {
  /** For the walk. It is silent until `speak` is called: what a replay comes to was told before. */
  readonly observer: Observer
  speak(): void
  workflow(change: WorkflowChange, atMs: number, more?: JsonObject): void
  correlation(change: 'started' | 'completed', position: string, atMs: number): void
  /** Whatever has begun and not ended will not end any more. */
  cancelOpen(atMs: number): void
  /** Events since this was last called. */
  take(): readonly JsonObject[]
}

export interface AnnouncedExecution {
  readonly id: string
  readonly accountId: string
  readonly workflow: CompiledWorkflow
}

/**
 * Events have the same ids in every walk, so that one that is told again after a crash is the same event, and the bus passes it over.
 * Source: Open Workflow Specification DSL 1.0.3, "Lifecycle Events".
 */
export function createAnnouncer({ id, accountId, workflow }: AnnouncedExecution, lifecycle: Lifecycle): Announcer | undefined {
  if (!lifecycle.wanted(accountId)) return undefined
  const { namespace, name, version } = workflow.document
  const publicId = lifecycle.publicId(id)
  const qualified = `${name}-${publicId}.${namespace}`
  const open = new Map<string, string>()
  let events: JsonObject[] = []
  let silent = true

  function tell(type: string, key: string, atMs: number, data: JsonObject): void {
    if (silent) return
    events.push({
      specversion: '1.0',
      id: `${publicId}:${key}`,
      source: ['', namespace, name, version].map(encodeURIComponent).join('/'),
      type: `io.serverlessworkflow.${type}.v1`,
      subject: publicId,
      time: iso(atMs),
      datacontenttype: 'application/json',
      data,
    })
  }

  function task(change: string, position: string, reference: string, atMs: number, more: JsonObject = {}): void {
    tell(`task.${change}`, `${position}:${change}`, atMs, { workflow: qualified, task: reference, [`${change}At`]: iso(atMs), ...more })
  }

  const observer: Observer = {
    skipped: () => undefined,
    started(position, { reference }, atMs, _input, { attempt }) {
      open.set(position, reference)
      task('created', position, reference, atMs)
      if (attempt > 1) task('retried', position, reference, atMs)
      task('started', position, reference, atMs)
    },
    completed(position, { reference }, atMs) {
      open.delete(position)
      task('completed', position, reference, atMs)
    },
    faulted(position, { reference }, atMs, error) {
      open.delete(position)
      task('faulted', position, reference, atMs, { error: errorToJson(error) })
    },
  }

  return {
    observer,
    speak() {
      silent = false
    },
    workflow(change, atMs, more = {}) {
      const definition = change === 'started' ? { definition: { name, namespace, version } } : {}
      // Held and let go more than once, an execution tells of it each time; everything else happens once.
      const key = change === 'suspended' || change === 'resumed' ? `${change}:${atMs}` : change
      tell(`workflow.${change}`, key, atMs, { name: qualified, ...definition, [`${change}At`]: iso(atMs), ...more })
    },
    correlation(change, position, atMs) {
      tell(`workflow.correlation-${change}`, `${position}:correlation-${change}`, atMs, { name: qualified, [`${change}At`]: iso(atMs) })
    },
    cancelOpen(atMs) {
      for (const [position, reference] of open) task('cancelled', position, reference, atMs)
      open.clear()
    },
    take() {
      const told = events
      events = []
      return told
    },
  }
}

/** The error of a fault as the event has it. */
export function faultOf(error: ErrorData | undefined): JsonObject {
  return error === undefined ? {} : { error: errorToJson(error) }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

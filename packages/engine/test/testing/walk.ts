import { type ErrorData, standardError, type StandardErrorType } from '#core/error.ts'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import { createMachine, type Machine } from '#core/machine.ts'
import type { CompiledWorkflow, TaskNode } from '#core/node.ts'
import type { Observer } from '#core/observer.ts'
import type { ChildRequest, EffectRequest, EmitRequest, MessageRequest, Outcome } from '#core/request.ts'
import { definitionOf } from './run-definition.ts'

/** The outcome of a request, and its delay. */
export interface Answer {
  readonly outcome: Outcome
  readonly afterMs: number
}

export interface WalkOptions {
  readonly input?: Json
  readonly id?: string
  readonly secrets?: JsonObject
  readonly runtime?: JsonObject
  /** The outcome of an effect; `count` is the number of earlier effects. By default an effect returns its arguments. Undefined: it never ends. */
  readonly call?: (request: EffectRequest, count: number) => Answer | undefined
  /** The message of a wait; by default none arrives. */
  readonly message?: (request: MessageRequest, count: number) => Answer | undefined
  readonly child?: (request: ChildRequest, count: number) => Answer | undefined
  readonly entered?: Observer['entered']
  readonly examines?: Observer['examines']
}

/** One event of a task, as the observer receives it. */
export interface Event {
  readonly what: 'skipped' | 'started' | 'completed' | 'faulted'
  readonly name: string
  readonly position: string
  readonly reference: string
  readonly afterMs: number
}

export interface Walked {
  readonly machine: Machine
  readonly state: 'completed' | 'faulted' | 'waiting'
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
  readonly events: readonly Event[]
  /** Names of the tasks that completed, in order. */
  readonly completed: readonly string[]
  readonly calls: readonly EffectRequest[]
  readonly children: readonly ChildRequest[]
  /** The delay of each timer, in order. */
  readonly timers: readonly { readonly position: string; readonly afterMs: number }[]
  readonly messages: readonly MessageRequest[]
  readonly emitted: readonly EmitRequest[]
  readonly abandoned: readonly string[]
  /** Positions of waits that ended. */
  readonly closed: readonly string[]
  /** Logical time from the start to the end. */
  readonly tookMs: number
}

export const startMs = Date.parse('2030-01-02T03:04:05.678Z')

export function gives(value: Json, afterMs = 0): Answer {
  return { outcome: { ok: true, value }, afterMs }
}

export function fails(error: ErrorData | StandardErrorType, afterMs = 0, retryAfterMs?: number): Answer {
  const data = typeof error === 'string' ? standardError(error, 'as the test wants it').data : error
  return { outcome: { ok: false, error: data, retryAfterMs }, afterMs }
}

/** Walks a definition in virtual time: outcomes arrive when they are due, without real waits. */
export function walk(definition: string | CompiledWorkflow, options: WalkOptions = {}): Walked {
  const workflow = typeof definition === 'string' ? definitionOf(definition) : definition
  const events: Event[] = []
  const record = (what: Event['what']) => (position: string, node: TaskNode, atMs: number) =>
    void events.push({ what, name: node.name, position, reference: node.reference, afterMs: atMs - startMs })
  const machine = createMachine(
    workflow,
    {
      id: options.id ?? 'execution-1',
      definition: workflow.definition,
      input: options.input ?? {},
      startedAtMs: startMs,
      runtime: options.runtime ?? { name: 'millrace', version: '0.0.0', metadata: {} },
      secrets: options.secrets ?? {},
      nowMs: startMs,
    },
    {
      skipped: record('skipped'),
      started: record('started'),
      completed: record('completed'),
      faulted: record('faulted'),
      ...(options.entered === undefined ? {} : { entered: options.entered }),
      ...(options.examines === undefined ? {} : { examines: options.examines }),
    },
  )
  const driven = drive(machine, options)
  const { ending } = machine
  return {
    machine,
    state: ending === undefined ? 'waiting' : ending.ok ? 'completed' : 'faulted',
    output: ending?.ok === true ? ending.output : undefined,
    error: ending?.ok === false ? ending.error : undefined,
    events,
    completed: events.filter(({ what }) => what === 'completed').map(({ name }) => name),
    ...driven,
    tookMs: machine.execution.nowMs - startMs,
  }
}

interface Due {
  readonly position: string
  readonly outcome: Outcome
  readonly atMs: number
}

function drive(machine: Machine, options: WalkOptions) {
  const calls: EffectRequest[] = []
  const children: ChildRequest[] = []
  const timers: { position: string; afterMs: number }[] = []
  const messages: MessageRequest[] = []
  const emitted: EmitRequest[] = []
  const abandoned: string[] = []
  const closed: string[] = []
  const due: Due[] = []
  const answer = (position: string, given: Answer | undefined) => {
    if (given !== undefined) due.push({ position, outcome: given.outcome, atMs: machine.execution.nowMs + given.afterMs })
  }
  for (let rounds = 0; rounds < 100_000; rounds++) {
    while (machine.paused) machine.continueAfterPause()
    const changes = machine.changes()
    abandoned.push(...changes.abandoned)
    closed.push(...changes.closed)
    for (const { request } of changes.opened) {
      const { position } = request
      if (request.kind === 'timer') {
        timers.push({ position, afterMs: request.dueAtMs - machine.execution.nowMs })
        due.push({ position, outcome: { ok: true, value: null }, atMs: request.dueAtMs })
      } else if (request.kind === 'effect') {
        answer(position, options.call === undefined ? gives(request.arguments) : options.call(request, calls.length))
        calls.push(request)
      } else if (request.kind === 'message') {
        answer(position, options.message?.(request, messages.length))
        messages.push(request)
      } else if (request.kind === 'emit') {
        answer(position, gives(request.event))
        emitted.push(request)
      } else if (request.kind === 'answer') answer(position, gives(request.body))
      else {
        answer(position, options.child === undefined ? gives(request.input) : options.child(request, children.length))
        children.push(request)
      }
    }
    if (machine.ending !== undefined) break
    due.sort((one, other) => one.atMs - other.atMs)
    const next = due.shift()
    if (next === undefined) break
    if (machine.pending.has(next.position)) machine.resolve(next.position, next.outcome, next.atMs)
  }
  return { calls, children, timers, messages, emitted, abandoned, closed }
}

/** A member of a value, if the value is an object. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** The error of a faulted walk. @throws Error if the walk did not fault */
export function faultOf(walked: Pick<Walked, 'state' | 'error'>): ErrorData {
  if (walked.error === undefined) throw new Error(`the walk did not fault but is ${walked.state}`)
  return walked.error
}

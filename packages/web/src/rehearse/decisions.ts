import { type Json, unwrapExpression } from '@millrace/dsl'
import {
  createReplay,
  type ExaminedCondition,
  failuresIn,
  type JournalEntry,
  masked,
  type Observer,
  type Replay,
  type Scope,
} from '@millrace/engine/replay'
import { compile, JqError } from '@millrace/jq'
import { jsonAt } from '#src/document/task-json.ts'
import { type ConditionRead, type Evaluated, readsOf, variablesIn } from '#src/rehearse/condition-reads.ts'
import { replayable, type RunRecord } from '#src/rehearse/run-record.ts'

export interface DecisionsRequest {
  readonly record: RunRecord
  /** Of the server. */
  readonly version: string
  /** Positions of the tasks, as the timeline has them. */
  readonly positions: readonly string[]
}

/** `unknown`: it depends on a secret or on erased data and the record does not show it, or it takes too long here. */
export type Gave = 'true' | 'false' | 'null' | 'error' | 'unexamined' | 'unknown'

export interface Condition {
  /** Of a case of a switch. */
  readonly name?: string
  /** Undefined for a case without a condition. */
  readonly source: string | undefined
  readonly gave: Gave
  /** What the error says. */
  readonly detail?: string
  /** Where it gave something that decides nothing: that, as JSON. */
  readonly value?: string
  readonly reads: readonly ConditionRead[]
  /** The only value that it reads, where that is missing: the reason for what it gave. */
  readonly because?: string
  /** Whether it orders values, of which null is the least. */
  readonly orders: boolean
}

/** Where the flow continued. `next`: with the next task, which has no name at the end of a list. */
export type Leads =
  | { readonly to: 'task'; readonly name: string }
  | { readonly to: 'next'; readonly name: string | undefined }
  | { readonly to: 'exit' | 'end' }

export interface Decision {
  readonly of: 'if' | 'switch' | 'while'
  readonly conditions: readonly Condition[]
  /** The case of a switch that was taken. */
  readonly taken?: string | undefined
  /** Where the flow continued behind a switch, or behind a task that was skipped. */
  readonly leads?: Leads
  /** Of a loop: how many rounds its condition let begin. */
  readonly rounds?: number
}

/** Why tasks of a run did what they did. `unsure`: what the results depend on that this device does not have. */
export interface Decisions {
  readonly decisions: readonly Decision[]
  readonly unsure?: 'secret' | 'erased'
}

/** A condition with all that it was evaluated on. */
interface Captured extends Omit<Evaluated, 'masks'> {
  readonly nowMs: number
}

interface Examined {
  readonly of: ExaminedCondition['of']
  readonly position: string
  readonly scope: Scope
  /** In their order; of a loop the last one. */
  readonly captured: readonly Captured[]
  readonly rounds: number
  /** Whether an entry of the journal, or the end, has the same choice. */
  confirmed: boolean
}

/** Bounds the walk behind the last outcome, as the timeline does. */
const pausesMax = 100

/**
 * Walks a run again from its record, up to what its tasks at the positions decided. Secrets are not read: what depends on them counts only where the
 * journal, which keeps the choices, has the same one.
 */
export function decisionsOf({ record, version, positions }: DecisionsRequest): Decisions {
  const { workflow, entries, ...execution } = replayable(record, version)
  const unsure = workflow.secrets.length > 0 ? 'secret' : record.erased === undefined ? undefined : 'erased'
  const recorder = createRecorder(positions)
  const failedAt = record.error?.instance
  const walk = createReplay(workflow, execution, {
    secrets: Object.fromEntries(workflow.secrets.map((name) => [name, masked])),
    withoutSecrets: { failedAt },
    erased: record.erased === undefined ? undefined : { failedAt },
    runtime: execution.runtime,
    observer: recorder.observer,
    failures: failuresIn(entries),
  })
  // The choices of a workflow with a timeout are not kept behind its last outcome.
  const end = workflow.timeoutMs === undefined ? { decisions: record.decisions, ok: record.state === 'completed' } : undefined
  follow(walk, entries, { recorder, end, unsure: unsure !== undefined })
  const examined = recorder.all()
  const decisions = examined.map((one) =>
    decisionOf(one, {
      isKnown: unsure === undefined || one.confirmed,
      // A condition that fails by a mask alone counts as false, as the journal has it.
      isForgiven: unsure !== undefined && !recorder.faulted.has(one.position),
      masks: unsure === 'secret',
      definition: workflow.definition,
    }),
  )
  const isUnsure = unsure !== undefined && examined.some(({ confirmed }) => !confirmed)
  return { decisions, ...(isUnsure ? { unsure } : {}) }
}

interface Following {
  readonly recorder: ReturnType<typeof createRecorder>
  /** What the record has of the end, where that can be compared. */
  readonly end: { readonly decisions: string; readonly ok: boolean } | undefined
  readonly unsure: boolean
}

/** Delivers the journal until the decisions are known, and, where they are unsure, confirmed. */
function follow(walk: Replay, entries: readonly JournalEntry[], { recorder, end, unsure }: Following): void {
  const isDone = () => recorder.isOver() && (!unsure || recorder.open().length === 0)
  try {
    through(walk.begin())
    for (const entry of entries) {
      if (isDone()) return
      const strand = walk.machine.pending.get(entry.position)?.request
      through(walk.deliver(entry))
      // The walk took the entry with the choices before it.
      if (strand !== undefined && 'strand' in strand)
        for (const one of recorder.open()) if (one.scope.place.strand === strand.strand) one.confirmed = true
    }
    through(walk.proceed(pausesMax))
    const { ending } = walk.machine
    if (ending === undefined || ending.decisions !== end?.decisions || ending.ok !== end.ok) return
    for (const one of recorder.open()) if (one.scope.place.strand === recorder.main()) one.confirmed = true
  } catch (error) {
    // A walk that diverges confirms nothing more; a run whose values are all there does not diverge.
    if (!unsure) throw error
  }
}

/** A walk without turns does not stand still. */
function through(walk: ReturnType<Replay['begin']>): void {
  if (walk.next().done !== true) throw new Error('a walk without turns stood still')
}

function createRecorder(positions: readonly string[]) {
  const wanted = new Set(positions)
  const over = new Set<string>()
  const faulted = new Set<string>()
  const examined = new Map<string, Examined>()
  let main: Scope['place']['strand'] | undefined
  const end = (position: string) => void (wanted.has(position) && over.add(position))
  const observer: Observer = {
    entered(_reference, { place }) {
      main ??= place.strand
    },
    examines(position, condition, dot, scope) {
      if (!wanted.has(position)) return
      const key = `${condition.of} ${position}`
      const before = examined.get(key)
      const source = sourceOf(condition, scope)
      // The next tasks change what variables are worth.
      const captured = { source, dot, variables: variablesIn(source, scope), nowMs: scope.place.strand.execution.nowMs }
      examined.set(key, {
        of: condition.of,
        position,
        scope,
        captured: condition.of === 'switch' ? [...(before?.captured ?? []), captured] : [captured],
        rounds: (before?.rounds ?? -1) + 1,
        confirmed: false,
      })
    },
    skipped: end,
    started: () => undefined,
    completed: end,
    faulted(position) {
      faulted.add(position)
      end(position)
    },
  }
  return {
    observer,
    faulted,
    all: () => [...examined.values()],
    main: () => main,
    isOver: () => over.size === wanted.size,
    open: () => [...examined.values()].filter(({ confirmed }) => !confirmed),
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined
}

interface WrittenCase {
  readonly name: string
  readonly when: string | undefined
  readonly then: string | undefined
}

/** The cases of a switch as they are written. */
function casesOf(definition: Json): readonly WrittenCase[] {
  const items = memberOf(definition, 'switch')
  const cases = (Array.isArray(items) ? items : []).flatMap((item: unknown) => Object.entries(Object(item)))
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return cases.map(([name, one]) => ({ name, when: textOf(memberOf(one, 'when')), then: textOf(memberOf(one, 'then')) }))
}

const bare = (text: string) => unwrapExpression(text).trim()

/** The cases that have a condition. */
function conditionalOf(definition: Json): readonly WrittenCase[] {
  return casesOf(definition).filter(({ when }) => when !== undefined)
}

function sourceOf(condition: ExaminedCondition, { task }: Scope): string {
  const definition = task?.definition ?? null
  const text = condition.of === 'switch' ? conditionalOf(definition)[condition.index]?.when : memberOf(definition, condition.of)
  return typeof text === 'string' ? bare(text) : ''
}

/** Those of the engine, and a time after which nothing is said. */
const limits = { steps: 5_000_000, outputs: 1_000_000, depth: 1_100, size: 50_000_000, deadlineMs: 2_000 }
const charactersMax = 200

/** What a condition gives, and what it reads. */
function explain({ nowMs, ...evaluated }: Captured, masks: boolean): Condition {
  const { source, dot, variables } = evaluated
  const program = compile(source, { variables: Object.keys(variables), clock: () => nowMs, limits })
  const reads = readsOf(program, { ...evaluated, masks })
  const only = program.reads.paths.length + program.reads.variables.size === 1 && reads.length === 1 ? reads[0] : undefined
  const common = { source, reads, orders: /[<>]/.test(source) }
  try {
    const value = program.first(dot, variables) ?? null
    if (value !== null && typeof value !== 'boolean')
      return { ...common, gave: 'error', value: JSON.stringify(value).slice(0, charactersMax) }
    const because = only?.value.kind === 'missing' ? { because: only.value.at } : {}
    return { ...common, gave: value === null ? 'null' : value ? 'true' : 'false', ...because }
  } catch (error) {
    return error instanceof JqError ? { ...common, gave: 'error', detail: error.message } : { ...common, gave: 'unknown' }
  }
}

interface Known {
  /** Whether the values decide as they did in the run. */
  readonly isKnown: boolean
  readonly isForgiven: boolean
  readonly masks: boolean
  readonly definition: Json
}

function decisionOf({ of, scope, captured, rounds }: Examined, { isKnown, isForgiven, masks, definition }: Known): Decision {
  const conditions = captured.map((one, index): Condition => {
    const explained = explain(one, masks)
    const { source, reads, orders, gave } = explained
    if (!isKnown) return { source, reads, orders, gave: 'unknown' }
    // The next one was examined, so this one was not true.
    const wasFalse = index < captured.length - 1 || (gave === 'error' && isForgiven)
    return wasFalse && (gave === 'error' || gave === 'unknown') ? { source, reads, orders, gave: 'false' } : explained
  })
  const { task } = scope
  const next = (then: string | undefined) => leadsTo(then, task?.reference ?? '', definition)
  const last = conditions.at(-1)?.gave
  const isFalse = last === 'false' || last === 'null'
  if (of === 'while') return { of, conditions, rounds: rounds + (last === 'true' ? 1 : 0) }
  if (of === 'if') return { of, conditions, ...(isFalse ? { leads: next(undefined) } : {}) }
  const cases = casesOf(task?.definition ?? null)
  let index = 0
  const all = cases.map(({ name, when }): Condition => {
    const unexamined = {
      source: when === undefined ? undefined : bare(when),
      gave: 'unexamined' as const,
      reads: [],
      orders: false,
    }
    return { ...((when === undefined ? undefined : conditions[index++]) ?? unexamined), name }
  })
  if (last !== 'true' && !isFalse) return { of, conditions: all }
  const chosen = isFalse ? cases.find(({ when }) => when === undefined) : conditionalOf(task?.definition ?? null)[captured.length - 1]
  const own = memberOf(task?.definition, 'then')
  const then = chosen === undefined ? (typeof own === 'string' ? own : undefined) : chosen.then
  return { of, conditions: all, taken: chosen?.name, leads: next(then) }
}

function leadsTo(then: string | undefined, reference: string, definition: Json): Leads {
  if (then === 'exit' || then === 'end') return { to: then }
  if (then !== undefined && then !== 'continue') return { to: 'task', name: then }
  const segments = reference.split('/')
  const list = jsonAt(definition, segments.slice(0, -2).join('/'))
  const next: unknown = Array.isArray(list) ? list[Number(segments.at(-2)) + 1] : undefined
  return { to: 'next', name: Object.keys(Object(next))[0] }
}

import type { Computation, ComputationOutcome } from '#core/computation.ts'
import { errorToJson, standardError } from '#core/error.ts'
import { isObject, type Json } from '#core/json.ts'
import { createMachine, type Machine } from '#core/machine.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { MessageRequest, Outcome, Request } from '#core/request.ts'
import type { Turn } from '#core/work.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { decisionsBefore, kindOf } from '#durable/run/journal-entries.ts'

const PAUSES_MAX = 10_000
export const startedAtMs = 1_700_000_000_000

export interface Simulated {
  readonly machine: Machine
  readonly journal: readonly JournalEntry[]
  /** The pending positions by the number of journal entries. */
  readonly pendings: readonly (readonly string[])[]
  /** Waits that are open at the end. */
  readonly open: ReadonlySet<string>
}

export function freshMachine(workflow: CompiledWorkflow, input: Json = {}, turn?: Turn): Machine {
  const execution = { id: 'exec', definition: null, input, startedAtMs, runtime: {}, secrets: {}, nowMs: startedAtMs }
  return createMachine(workflow, execution, undefined, { turn })
}

/** Resolves a machine's requests in the order and with the outcomes of `choices`, until the machine or the choices end. Some are resolved while strands are paused. */
export function simulate(workflow: CompiledWorkflow, choices: readonly number[], stalls: Stalls = {}): Simulated {
  const machine = freshMachine(workflow, {}, stalls.turn)
  const moved = () => resumeAll(machine, stalls)
  const journal: JournalEntry[] = []
  const pendings: string[][] = []
  const open = new Set<string>()

  function put(entry: Omit<JournalEntry, 'seq'>): void {
    journal.push({ seq: journal.length, ...entry })
    // The journal entry of a start does not advance the machine.
    pendings[journal.length] = pendings[journal.length - 1] ?? []
  }

  function look(): void {
    const { opened, closed } = machine.changes()
    for (const position of closed) open.delete(position)
    for (const { request } of opened) {
      if (request.kind !== 'message' || open.has(request.wait.position)) continue
      open.add(request.wait.position)
      put({ ...startOf(request), startedAtMs: machine.execution.nowMs, endedAtMs: machine.execution.nowMs })
    }
  }

  moved()
  pendings[0] = positions(machine)
  look()
  for (const choice of choices) {
    if (machine.pending.size === 0 || choice % 5 !== 0) pass(machine, moved)
    look()
    if (machine.ending !== undefined) break
    const waiting = [...machine.pending.values()]
    const pending = waiting[choice % waiting.length]
    if (pending === undefined) throw new Error('a machine that has not ended waits for something')
    const { request } = pending
    const outcome = outcomeOf(request, choice)
    const dueMs = request.kind === 'timer' ? Math.max(0, request.dueAtMs - machine.execution.nowMs) : choice % 50
    const endedAtMs = machine.execution.nowMs + dueMs
    const value = outcome.ok ? outcome.value : errorToJson(outcome.error)
    const { position } = request
    const decisions = decisionsBefore(pending, machine)
    put({ position, phase: 'ended', kind: kindOf(request), ok: outcome.ok, value, decisions, startedAtMs: endedAtMs, endedAtMs })
    machine.resolve(position, outcome, endedAtMs)
    moved()
    pendings[journal.length] = positions(machine)
    look()
  }
  pass(machine, moved)
  look()
  return { machine, journal, pendings, open }
}

/** Makes a walk stall, and computes its evaluations. */
export interface Stalls {
  readonly turn?: Turn
  readonly compute?: (computation: Computation) => ComputationOutcome
}

function resumeAll(machine: Machine, { compute }: Stalls): void {
  for (let { stall } = machine; stall !== undefined; stall = machine.stall)
    machine.continueAfterStall(stall.kind === 'compute' ? compute?.(stall.computation) : undefined)
}

function pass(machine: Machine, moved: () => void): void {
  for (let pauses = 0; machine.paused && pauses < PAUSES_MAX; pauses++) {
    machine.continueAfterPause()
    moved()
  }
}

export function positions(machine: Machine): string[] {
  return [...machine.pending.keys()].toSorted()
}

function startOf({ wait }: MessageRequest) {
  return { position: wait.position, phase: 'started', kind: 'wait', ok: true, value: wait.topic, decisions: '' } as const
}

function outcomeOf(request: Request, choice: number): Outcome {
  if (request.kind === 'timer') return { ok: true, value: null }
  if (request.kind === 'emit') return { ok: true, value: request.event }
  if (request.kind === 'answer') return { ok: true, value: request.body }
  if (request.kind === 'message' && request.wait.topic === 'events') return { ok: true, value: arrivalOf(request, choice) }
  return choice % 4 === 0
    ? { ok: false, error: standardError('communication', `failure ${choice}`).data }
    : { ok: true, value: { got: choice % 3 } }
}

/** An event for one of the filters of a wait. */
function arrivalOf({ wait }: MessageRequest, choice: number): Json {
  const { filters } = isObject(wait.arguments) ? wait.arguments : {}
  const wanted: Json = Array.isArray(filters) ? (filters[choice % filters.length] ?? null) : null
  const { role = null, index = null } = isObject(wanted) ? wanted : {}
  return { role, index, event: { id: `${choice}`, type: 't', data: { got: choice % 3 } } }
}

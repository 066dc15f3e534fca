import { errorToJson, standardError } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import { createMachine, type Machine } from '#core/machine.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Outcome, Request } from '#core/request.ts'
import type { JournalEntry } from '#durable/ports.ts'
import { decisionsBefore, settlePauses } from '#durable/replay.ts'

const PAUSES_MAX = 10_000
export const startedAtMs = 1_700_000_000_000

export interface Simulated {
  readonly machine: Machine
  readonly journal: readonly JournalEntry[]
  /** What was pending before each entry was delivered, and at the end. */
  readonly pendings: readonly (readonly string[])[]
}

export function freshMachine(workflow: CompiledWorkflow, input: Json = {}): Machine {
  return createMachine(workflow, {
    id: 'exec',
    definition: null,
    input,
    startedAtMs,
    runtime: {},
    secrets: {},
    nowMs: startedAtMs,
  })
}

/** Answers a machine's requests in an order and with outcomes that `choices` decide, until it ends or the choices do. */
export function simulate(workflow: CompiledWorkflow, choices: readonly number[]): Simulated {
  const machine = freshMachine(workflow)
  const journal: JournalEntry[] = []
  const pendings: string[][] = []
  for (const choice of choices) {
    settlePauses(machine, PAUSES_MAX)
    if (machine.ending !== undefined) break
    const waiting = [...machine.pending.values()]
    pendings.push(positions(machine))
    const pending = waiting[choice % waiting.length]
    if (pending === undefined) throw new Error('a machine that has not ended waits for something')
    const { request } = pending
    const decisions = decisionsBefore(pending, machine)
    const outcome = outcomeOf(request.kind, choice)
    const endedAtMs =
      machine.execution.nowMs + (request.kind === 'timer' ? Math.max(0, request.dueAtMs - machine.execution.nowMs) : choice % 50)
    const value = outcome.ok ? outcome.value : errorToJson(outcome.error)
    journal.push({
      seq: journal.length,
      position: request.position,
      phase: 'ended',
      kind: request.kind,
      ok: outcome.ok,
      value,
      decisions,
      startedAtMs: endedAtMs,
      endedAtMs,
    })
    machine.deliver(request.position, outcome, endedAtMs)
  }
  settlePauses(machine, PAUSES_MAX)
  pendings.push(positions(machine))
  return { machine, journal, pendings }
}

export function positions(machine: Machine): string[] {
  return [...machine.pending.keys()].toSorted()
}

function outcomeOf(kind: Request['kind'], choice: number): Outcome {
  if (kind === 'timer') return { ok: true, value: null }
  return choice % 4 === 0
    ? { ok: false, error: standardError('communication', `failure ${choice}`).data }
    : { ok: true, value: { got: choice % 3 } }
}

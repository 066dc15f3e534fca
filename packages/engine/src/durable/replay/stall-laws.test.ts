import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Computation, ComputationOutcome } from '#core/computation.ts'
import { WorkflowError } from '#core/error.ts'
import { evaluate, type Evaluator } from '#core/evaluate.ts'
import type { Json } from '#core/json.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Scope } from '#core/scope.ts'
import { InterruptedSignal, type Turn } from '#core/work.ts'
import { arbitraryWorkflow } from '#testing/arbitrary-workflow.ts'
import { positions, simulate } from '#testing/simulate.ts'
import { replay } from './replay.ts'

const choices = fc.array(fc.nat({ max: 10_000 }), { maxLength: 60 })
type Evaluated = (one: Json, other: Scope) => Json

/** A workflow each of whose evaluations is interrupted, and what computes them elsewhere. */
function interrupted(workflow: CompiledWorkflow) {
  const waiting = new Map<string, () => Json>()
  let ids = 0
  const deferred = (act: Evaluated): Evaluator<Json, Scope, Json> => ({
    attempt() {
      throw new InterruptedSignal()
    },
    isInterruption: (error) => error instanceof InterruptedSignal,
    computation(dot, scope) {
      const source = String(ids++)
      waiting.set(source, () => act(dot, scope))
      return { kind: 'schema', source, value: null }
    },
    finish: (result) => result,
  })
  const wrapped = (value: unknown, name: string): unknown => {
    if (typeof value === 'function') {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Of the nodes that are made here, all functions but this one evaluate.
      const evaluator = deferred(value as Evaluated)
      return name === 'scope' ? value : (dot: Json, scope: Scope) => evaluate(evaluator, dot, scope, scope.place.strand.work)
    }
    if (Array.isArray(value)) return value.map((item) => wrapped(item, ''))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, wrapped(member, key)]))
  }
  function compute({ source }: Computation): ComputationOutcome {
    try {
      return { ok: true, value: waiting.get(source)?.() ?? null, steps: 1 }
    } catch (error) {
      if (error instanceof WorkflowError) return { ok: false, error: error.data, steps: 1 }
      throw error
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The same nodes with other functions.
  return { workflow: wrapped(workflow, '') as CompiledWorkflow, compute }
}

/** A turn that is over at every second check. */
const over: Turn = {
  fuel: -1,
  interruptMs: 0,
  isOver: () => (asks += 1) % 2 === 0,
  elapsed: () => 0,
  tryBegin: () => (asks += 1) % 3 !== 0,
}
let asks = 0

test('a walk that is interrupted wherever possible has the same journal and the same end', () => {
  let compared = 0
  fc.assert(
    fc.property(arbitraryWorkflow, choices, (workflow, order) => {
      const straight = simulate(workflow, order)
      const other = interrupted(workflow)
      const stalled = simulate(other.workflow, order, { turn: over, compute: other.compute })
      expect(stalled.journal).toEqual(straight.journal)
      expect(stalled.machine.ending).toEqual(straight.machine.ending)
      expect(positions(stalled.machine)).toEqual(positions(straight.machine))
      compared += stalled.journal.length
    }),
    { numRuns: 600 },
  )
  expect(compared).toBeGreaterThan(300)
})

test('an evaluation that ran out of time fails in every replay without being computed', () => {
  const failure = { type: 'https://test/late', status: 400, title: 'Late' }
  let failed = 0
  fc.assert(
    fc.property(arbitraryWorkflow, choices, fc.integer({ min: 1, max: 20 }), (workflow, order, unlucky) => {
      let evaluations = 0
      const other = interrupted(workflow)
      const compute = (computation: Computation): ComputationOutcome => {
        evaluations += 1
        return evaluations === unlucky ? { ok: false, error: failure, steps: 0 } : other.compute(computation)
      }
      const unluckily = simulate(other.workflow, order, { compute })
      if (evaluations < unlucky) return
      failed += 1
      const value = { type: failure.type, status: failure.status, title: failure.title }
      const entry = { position: String(unlucky), phase: 'ended', kind: 'computation', ok: false, value, decisions: '' } as const
      const journal = [...unluckily.journal, { ...entry, seq: unluckily.journal.length, startedAtMs: 0, endedAtMs: 0 }]
      const source = { id: 'exec', input: {}, startedAtMs: 1_700_000_000_000, entries: journal }
      const again = interrupted(workflow)
      const walk = replay(again.workflow, source, { secrets: {}, runtime: {} })
      let step = walk.next()
      while (step.done !== true) {
        if (step.value.kind === 'compute') expect(step.value.evaluation).not.toBe(unlucky)
        step = walk.next(step.value.kind === 'compute' ? again.compute(step.value.computation) : undefined)
      }
      expect(positions(step.value.machine)).toEqual(unluckily.pendings[unluckily.journal.length])
    }),
    { numRuns: 300 },
  )
  expect(failed).toBeGreaterThan(20)
})

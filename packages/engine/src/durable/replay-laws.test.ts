import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WorkflowError } from '#core/error.ts'
import { arbitraryWorkflow } from '#testing/arbitrary-workflow.ts'
import { positions, simulate, startedAtMs } from '#testing/simulate.ts'
import type { JournalEntry } from './ports.ts'
import { replay } from './replay.ts'

const choices = fc.array(fc.nat({ max: 10_000 }), { maxLength: 60 })
const runs = { numRuns: 1_500 }

function again(workflow: Parameters<typeof replay>[0], entries: readonly JournalEntry[]) {
  return replay(workflow, { id: 'exec', input: {}, startedAtMs, entries }, {}, {})
}

test('a walk over the whole journal ends as the execution did', () => {
  fc.assert(
    fc.property(arbitraryWorkflow, choices, (workflow, order) => {
      const { machine, journal } = simulate(workflow, order)
      const replayed = again(workflow, journal)
      expect(replayed.machine.ending).toEqual(machine.ending)
      expect(positions(replayed.machine)).toEqual(positions(machine))
      expect(replayed.machine.execution.nowMs).toBe(machine.execution.nowMs)
      expect(replayed.nextSeq).toBe(journal.length)
    }),
    runs,
  )
})

test('a walk over any beginning of the journal stands where the execution stood then', () => {
  fc.assert(
    fc.property(arbitraryWorkflow, choices, (workflow, order) => {
      const { journal, pendings } = simulate(workflow, order)
      for (const [length, pending] of pendings.entries())
        expect(positions(again(workflow, journal.slice(0, length)).machine)).toEqual(pending)
    }),
    { numRuns: 300 },
  )
})

test('a journal whose decisions were changed is refused', () => {
  let refused = 0
  fc.assert(
    fc.property(arbitraryWorkflow, choices, fc.nat(), (workflow, order, pick) => {
      const { journal } = simulate(workflow, order)
      if (journal.length === 0) return
      const at = pick % journal.length
      const changed = journal.map((entry, index) => (index === at ? { ...entry, decisions: `${entry.decisions}s9` } : entry))
      expect(() => again(workflow, changed)).toThrow(WorkflowError)
      refused += 1
    }),
    runs,
  )
  expect(refused).toBeGreaterThan(100)
})

test('a journal with an entry at a position that the walk does not come to is refused', () => {
  fc.assert(
    fc.property(arbitraryWorkflow, choices, fc.nat(), (workflow, order, pick) => {
      const { journal } = simulate(workflow, order)
      if (journal.length === 0) return
      const at = pick % journal.length
      const moved = journal.map((entry, index) => (index === at ? { ...entry, position: `${entry.position}/elsewhere` } : entry))
      expect(() => again(workflow, moved)).toThrow(/Diverged/)
    }),
    runs,
  )
})

test('a journal with an entry left out is refused, or leads where a shorter execution stood; never to a crash', () => {
  fc.assert(
    fc.property(arbitraryWorkflow, choices, fc.nat(), (workflow, order, pick) => {
      const { journal } = simulate(workflow, order)
      if (journal.length === 0) return
      const at = pick % journal.length
      try {
        again(
          workflow,
          journal.filter((_, index) => index !== at),
        )
      } catch (error) {
        expect(error).toBeInstanceOf(WorkflowError)
      }
    }),
    runs,
  )
})

test('entries of an abandoned branch that came too late change nothing', () => {
  let late = 0
  fc.assert(
    fc.property(arbitraryWorkflow, choices, (workflow, order) => {
      const { machine, journal, pendings } = simulate(workflow, order)
      const before = pendings.at(-2) ?? []
      const last = journal.at(-1)
      const gone = before.filter((position) => position !== last?.position && !positions(machine).includes(position))
      if (last === undefined || gone.length === 0) return
      const extra = gone.map((position, index) => ({ ...last, seq: journal.length + index, position }))
      expect(again(workflow, [...journal, ...extra]).machine.ending).toEqual(machine.ending)
      late += 1
    }),
    runs,
  )
  expect(late).toBeGreaterThan(10)
})

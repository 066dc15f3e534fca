import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WorkflowError } from '#core/error.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import { arbitraryWorkflow } from '#testing/arbitrary-workflow.ts'
import { positions, simulate, startedAtMs } from '#testing/simulate.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { createReplay, replay } from '#testing/walks.ts'

const choices = fc.array(fc.nat({ max: 10_000 }), { maxLength: 60 })
const runs = { numRuns: 600 }
const source = { id: 'exec', input: {}, startedAtMs }

function again(workflow: CompiledWorkflow, entries: readonly JournalEntry[]) {
  return replay(workflow, { ...source, entries }, {}, {})
}

/** The same, and everything that follows from it. */
function toItsEnd(workflow: CompiledWorkflow, entries: readonly JournalEntry[]) {
  const walk = createReplay(workflow, source, {}, {})
  for (const entry of entries) walk.deliver(entry)
  walk.proceed(10_000)
  return walk.result()
}

/** One of the entries that the walk is given, and its index; undefined of a journal without. */
function endedAt(journal: readonly JournalEntry[], pick: number) {
  const ended = journal.flatMap((entry, index) => (entry.phase === 'ended' ? [{ entry, index }] : []))
  return ended[pick % ended.length]
}

test('a replay of the whole journal ends as the execution did', () => {
  const kinds = new Set<string>()
  fc.assert(
    fc.property(arbitraryWorkflow, choices, (workflow, order) => {
      const { machine, journal, open } = simulate(workflow, order)
      for (const { kind, decisions } of journal) kinds.add(kind).add(/p\d+$/.test(decisions) ? 'paused' : kind)
      const replayed = toItsEnd(workflow, journal)
      expect(replayed.machine.ending).toEqual(machine.ending)
      expect(positions(replayed.machine)).toEqual(positions(machine))
      expect(replayed.machine.execution.nowMs).toBe(machine.execution.nowMs)
      expect(replayed.nextSeq).toBe(journal.length)
      expect(new Set(replayed.waits.open)).toEqual(open)
    }),
    runs,
  )
  expect([...kinds].toSorted()).toEqual(['answer', 'effect', 'emit', 'message', 'paused', 'timer', 'wait', 'workflow'])
})

test('a replay of any beginning of the journal reaches the state of that moment', () => {
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
      const at = endedAt(journal, pick)
      if (at === undefined) return
      const changed = journal.with(at.index, { ...at.entry, decisions: `s9${at.entry.decisions}` })
      expect(() => again(workflow, changed)).toThrow(WorkflowError)
      refused += 1
    }),
    runs,
  )
  expect(refused).toBeGreaterThan(50)
})

test('a journal with more pauses than the walk has is refused', () => {
  let refused = 0
  fc.assert(
    fc.property(arbitraryWorkflow, choices, fc.nat(), (workflow, order, pick) => {
      const { journal } = simulate(workflow, order)
      const at = endedAt(journal, pick)
      if (at === undefined) return
      const changed = journal.with(at.index, { ...at.entry, decisions: `${at.entry.decisions.replace(/p\d+$/, '')}p5000` })
      expect(() => again(workflow, changed)).toThrow(WorkflowError)
      refused += 1
    }),
    { numRuns: 300 },
  )
  expect(refused).toBeGreaterThan(50)
})

test('a journal with an entry at a position that the walk does not reach is refused', () => {
  fc.assert(
    fc.property(arbitraryWorkflow, choices, fc.nat(), (workflow, order, pick) => {
      const { journal } = simulate(workflow, order)
      const at = endedAt(journal, pick)
      if (at === undefined) return
      const moved = journal.with(at.index, { ...at.entry, position: `${at.entry.position}/elsewhere` })
      expect(() => again(workflow, moved)).toThrow(/Diverged/)
    }),
    runs,
  )
})

test('a journal without one of its entries is refused or replays a shorter execution, without a crash', () => {
  fc.assert(
    fc.property(arbitraryWorkflow, choices, fc.nat(), (workflow, order, pick) => {
      const { journal } = simulate(workflow, order)
      if (journal.length === 0) return
      try {
        again(workflow, journal.toSpliced(pick % journal.length, 1))
      } catch (error) {
        expect(error).toBeInstanceOf(WorkflowError)
      }
    }),
    runs,
  )
})

test('a journal of another workflow is refused or matches by chance, without a crash', () => {
  fc.assert(
    fc.property(arbitraryWorkflow, arbitraryWorkflow, choices, (workflow, other, order) => {
      const { journal } = simulate(workflow, order)
      try {
        again(other, journal)
      } catch (error) {
        expect(error instanceof WorkflowError || String(error).includes('has no event')).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

test('late entries of an abandoned branch change nothing', () => {
  let late = 0
  fc.assert(
    fc.property(arbitraryWorkflow, choices, (workflow, order) => {
      const { machine, journal } = simulate(workflow, order)
      const last = journal.findLastIndex(({ phase }) => phase === 'ended')
      const entry = journal[last]
      if (entry === undefined) return
      const before = [...again(workflow, journal.slice(0, last)).machine.pending.keys()]
      const after = again(workflow, journal).machine.pending
      const gone = before.filter((position) => position !== entry.position && !after.has(position))
      if (gone.length === 0) return
      const extra = gone.map((position, index) => ({ ...entry, seq: journal.length + index, position }))
      expect(toItsEnd(workflow, [...journal, ...extra]).machine.ending).toEqual(machine.ending)
      late += 1
    }),
    runs,
  )
  expect(late).toBeGreaterThan(3)
})

test('a wait is closed once, in whatever way it ends', () => {
  let closings = 0
  fc.assert(
    fc.property(arbitraryWorkflow, choices, (workflow, order) => {
      const { journal, open } = simulate(workflow, order)
      const opened = journal.flatMap(({ kind, position }) => (kind === 'wait' ? [position] : []))
      const walk = createReplay(workflow, source, {}, {})
      const closed: string[] = []
      for (const entry of journal) {
        walk.deliver(entry)
        closed.push(...walk.result().waits.closing)
      }
      expect(new Set(opened).size).toBe(opened.length)
      expect(new Set(closed).size).toBe(closed.length)
      const settled = toItsEnd(workflow, journal)
      expect(new Set([...closed, ...settled.waits.closing, ...open])).toEqual(new Set(opened))
      closings += closed.length
    }),
    { numRuns: 300 },
  )
  expect(closings).toBeGreaterThan(20)
})

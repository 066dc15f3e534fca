import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CompiledWorkflow, TaskNode } from '#core/node.ts'
import { arbitraryWorkflow } from '#testing/arbitrary-workflow.ts'
import { simulate, startedAtMs } from '#testing/simulate.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { carryOver, createReplay } from '#testing/walks.ts'
import { createFaultTrace } from './fault-trace.ts'

const choices = fc.array(fc.nat({ max: 10_000 }), { maxLength: 60 })
const executionOf = (workflow: CompiledWorkflow, id = 'exec') => ({ id, workflow, input: {}, startedAtMs, secrets: {}, runtime: {} })

function again(workflow: CompiledWorkflow, entries: readonly JournalEntry[], id = 'exec') {
  const walk = createReplay(workflow, { id, input: {}, startedAtMs }, {}, {})
  for (const entry of entries) walk.deliver(entry)
  walk.proceed(10_000)
  return walk.result()
}

/** A version with a task before all others, which changes nothing but the indices. */
function withTaskBefore(workflow: CompiledWorkflow): CompiledWorkflow {
  const first: TaskNode = {
    name: 'first',
    kind: 'set',
    segment: '0/first',
    reference: '/0/first',
    definition: null,
    then: 'continue',
    body: { kind: 'pass' },
  }
  const shifted = workflow.tasks.tasks.map((node, index) => ({ ...node, segment: `${index + 1}/${node.name}` }))
  return { ...workflow, tasks: { tasks: [first, ...shifted] } }
}

/** The last outcome, if it ended the execution with a fault. */
function fatalOf(journal: readonly JournalEntry[]): JournalEntry | undefined {
  const last = journal.at(-1)
  if (last === undefined || last.phase !== 'ended') return undefined
  return !last.ok || (last.kind === 'timer' && last.position.endsWith('/timeout')) ? last : undefined
}

/** Whether the execution was paused in pure work when an outcome arrived: a retry does that work first, and may make other decisions. */
function paused(workflow: CompiledWorkflow, journal: readonly JournalEntry[]): boolean {
  const walk = createReplay(workflow, { id: 'exec', input: {}, startedAtMs }, {}, {})
  return (
    walk.machine.paused ||
    journal.some((entry) => {
      walk.deliver(entry)
      return walk.machine.paused
    })
  )
}

/** Checks simulated executions that faulted or, with `all`, those in any state. */
function eachExecution(all: boolean, check: (workflow: CompiledWorkflow, journal: readonly JournalEntry[]) => void): number {
  let checked = 0
  fc.assert(
    fc.property(arbitraryWorkflow, choices, (workflow, order) => {
      const { machine, journal } = simulate(workflow, order)
      if (!all && machine.ending?.ok !== false) return
      check(workflow, journal)
      checked += 1
    }),
    { numRuns: 600 },
  )
  return checked
}

test('the carried entries can be replayed and are numbered from 0', () => {
  const checked = eachExecution(true, (workflow, journal) => {
    const carried = carryOver({ ...executionOf(workflow), entries: journal }, executionOf(workflow, 'fresh'))
    expect(carried.map(({ seq }) => seq)).toEqual(carried.map((_, index) => index))
    expect(() => again(workflow, carried, 'fresh')).not.toThrow()
  })
  expect(checked).toBeGreaterThan(30)
})

test('the outcome that ended the execution with a fault is never carried over', () => {
  let fatal = 0
  eachExecution(false, (workflow, journal) => {
    const last = fatalOf(journal)
    if (last === undefined) return
    const carried = carryOver({ ...executionOf(workflow), entries: journal }, executionOf(workflow, 'fresh'))
    expect(carried.map(({ position }) => position)).not.toContain(last.position)
    fatal += 1
  })
  expect(fatal).toBeGreaterThan(15)
})

/** Whether a task in a `catch` raised the error that ended the execution. */
function raisedInCatch(workflow: CompiledWorkflow, journal: readonly JournalEntry[]): boolean {
  const trace = createFaultTrace()
  const walk = createReplay(workflow, executionOf(workflow), {}, {}, trace)
  for (const entry of journal) walk.deliver(entry)
  walk.proceed(2_000)
  return trace.enteredTries().length > 0
}

test('every other outcome that the retry requests again is carried over in its order', () => {
  const checked = eachExecution(false, (workflow, journal) => {
    if (raisedInCatch(workflow, journal)) return
    const carried = carryOver({ ...executionOf(workflow), entries: journal }, executionOf(workflow, 'fresh'))
    const fatal = fatalOf(journal)
    const done = new Map(journal.flatMap((entry) => (entry.phase === 'ended' && entry !== fatal ? [[entry.position, entry]] : [])))
    for (const { position, ok, value, kind, startedAtMs: began, endedAtMs } of carried)
      expect({ ok, value, kind, startedAtMs: began, endedAtMs }).toEqual(partsOf(done.get(position)))
    const { machine } = again(workflow, carried, 'fresh')
    for (const position of machine.pending.keys()) expect(done.has(position)).toBe(false)
    const order = carried.map(({ position }) => journal.findIndex((entry) => entry.phase === 'ended' && entry.position === position))
    if (machine.ending === undefined) expect(order.length).toBe(new Set(order).size)
  })
  expect(checked).toBeGreaterThan(30)
})

test('all outcomes but the last are carried over if only the last one failed', () => {
  let whole = 0
  eachExecution(false, (workflow, journal) => {
    const fatal = fatalOf(journal)
    const ended = journal.filter(({ phase }) => phase === 'ended')
    if (fatal === undefined || ended.length < 2 || paused(workflow, journal) || raisedInCatch(workflow, journal)) return
    const carried = carryOver({ ...executionOf(workflow), entries: journal }, executionOf(workflow))
    const expected = ended.filter((entry) => entry !== fatal)
    expect(carried).toEqual(expected.map((entry, seq) => ({ ...entry, seq })))
    whole += 1
  })
  expect(whole).toBeGreaterThan(5)
})

function partsOf(entry: JournalEntry | undefined) {
  if (entry === undefined) return undefined
  const { ok, value, kind, startedAtMs: began, endedAtMs } = entry
  return { ok, value, kind, startedAtMs: began, endedAtMs }
}

test('a version with another task in front takes over as much', () => {
  let carriedInAll = 0
  eachExecution(true, (workflow, journal) => {
    const shiftedWorkflow = withTaskBefore(workflow)
    const carried = carryOver({ ...executionOf(workflow), entries: journal }, executionOf(shiftedWorkflow, 'exec'))
    const same = carryOver({ ...executionOf(workflow), entries: journal }, executionOf(workflow, 'exec'))
    const shift = (position: string) => position.replace(/^\/do\/(\d+)\//, (_all, index: string) => `/do/${Number(index) + 1}/`)
    expect(carried.map(({ position, value }) => ({ position, value }))).toEqual(
      same.map(({ position, value }) => ({ position: shift(position), value })),
    )
    expect(() => again(shiftedWorkflow, carried)).not.toThrow()
    carriedInAll += carried.length
  })
  expect(carriedInAll).toBeGreaterThan(15)
})

test('a version without a common task takes over nothing', () => {
  const other: CompiledWorkflow = {
    document: { namespace: 'n', name: 'w', version: '2' },
    definition: null,
    secrets: [],
    tasks: {
      tasks: [
        {
          name: 'other',
          kind: 'call',
          segment: '0/other',
          reference: '/0/other',
          definition: null,
          then: 'continue',
          body: { kind: 'call', function: 'x', arguments: () => null },
        },
      ],
    },
  }
  eachExecution(false, (workflow, journal) => {
    expect(carryOver({ ...executionOf(workflow), entries: journal }, executionOf(other))).toEqual([])
  })
})

test('a retry of a retry that failed at the same task takes over as much again', () => {
  let repeated = 0
  eachExecution(false, (workflow, journal) => {
    const fatal = fatalOf(journal)
    if (fatal === undefined || paused(workflow, journal)) return
    const first = carryOver({ ...executionOf(workflow), entries: journal }, executionOf(workflow))
    const { machine } = again(workflow, first)
    const pending = machine.pending.get(fatal.position)
    if (pending === undefined) return
    const failed = { ...fatal, seq: first.length, decisions: pending.decisions }
    const entries = [...first, failed]
    const second = carryOver({ ...executionOf(workflow), entries }, executionOf(workflow))
    expect(second.map(({ position }) => position)).toEqual(first.map(({ position }) => position))
    repeated += 1
  })
  expect(repeated).toBeGreaterThan(5)
})

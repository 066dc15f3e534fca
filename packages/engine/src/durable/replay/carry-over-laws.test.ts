import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CompiledWorkflow, TaskNode } from '#core/node.ts'
import { arbitraryWorkflow } from '#testing/arbitrary-workflow.ts'
import { simulate, startedAtMs } from '#testing/simulate.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { carryOver, createReplay } from '#testing/walks.ts'

const choices = fc.array(fc.nat({ max: 10_000 }), { maxLength: 60 })
const walkable = (workflow: CompiledWorkflow, id = 'exec') => ({ id, workflow, input: {}, startedAtMs, secrets: {}, runtime: {} })

function again(workflow: CompiledWorkflow, entries: readonly JournalEntry[], id = 'exec') {
  const walk = createReplay(workflow, { id, input: {}, startedAtMs }, {}, {})
  for (const entry of entries) walk.deliver(entry)
  walk.settle(10_000)
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

/** What the last outcome failed by, where that ended it. */
function fatalOf(journal: readonly JournalEntry[]): JournalEntry | undefined {
  const last = journal.at(-1)
  if (last === undefined || last.phase !== 'ended') return undefined
  return !last.ok || (last.kind === 'timer' && last.position.endsWith('/timeout')) ? last : undefined
}

/** Whether long pure work was under way somewhere when an outcome came: who goes on from it does that work first, and may come by another way. */
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

/** Simulated executions that came to a fault or, with `all`, those that stand anywhere. */
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

test('what is carried over can be walked, and numbers its entries anew', () => {
  const checked = eachExecution(true, (workflow, journal) => {
    const carried = carryOver({ ...walkable(workflow), entries: journal }, walkable(workflow, 'fresh'))
    expect(carried.map(({ seq }) => seq)).toEqual(carried.map((_, index) => index))
    expect(() => again(workflow, carried, 'fresh')).not.toThrow()
  })
  expect(checked).toBeGreaterThan(30)
})

test('never what ended the execution with a fault', () => {
  let fatal = 0
  eachExecution(false, (workflow, journal) => {
    const last = fatalOf(journal)
    if (last === undefined) return
    const carried = carryOver({ ...walkable(workflow), entries: journal }, walkable(workflow, 'fresh'))
    expect(carried.map(({ position }) => position)).not.toContain(last.position)
    fatal += 1
  })
  expect(fatal).toBeGreaterThan(15)
})

test('everything else that is met again, with its outcome, and in the order in which it was done', () => {
  const checked = eachExecution(false, (workflow, journal) => {
    const carried = carryOver({ ...walkable(workflow), entries: journal }, walkable(workflow, 'fresh'))
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

test('all of it, when nothing but the last outcome failed and nothing was given up', () => {
  let whole = 0
  eachExecution(false, (workflow, journal) => {
    const fatal = fatalOf(journal)
    const ended = journal.filter(({ phase }) => phase === 'ended')
    if (fatal === undefined || ended.length < 2 || paused(workflow, journal)) return
    const carried = carryOver({ ...walkable(workflow), entries: journal }, walkable(workflow))
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

test('as much to a version that has a task more before them', () => {
  let carriedInAll = 0
  eachExecution(true, (workflow, journal) => {
    const fresh = withTaskBefore(workflow)
    const carried = carryOver({ ...walkable(workflow), entries: journal }, walkable(fresh, 'exec'))
    const same = carryOver({ ...walkable(workflow), entries: journal }, walkable(workflow, 'exec'))
    const shift = (position: string) => position.replace(/^\/do\/(\d+)\//, (_all, index: string) => `/do/${Number(index) + 1}/`)
    expect(carried.map(({ position, value }) => ({ position, value }))).toEqual(
      same.map(({ position, value }) => ({ position: shift(position), value })),
    )
    expect(() => again(fresh, carried)).not.toThrow()
    carriedInAll += carried.length
  })
  expect(carriedInAll).toBeGreaterThan(15)
})

test('nothing to a version that shares no task with it', () => {
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
    expect(carryOver({ ...walkable(workflow), entries: journal }, walkable(other))).toEqual([])
  })
})

test('as much again when what goes on fails at the same place', () => {
  let repeated = 0
  eachExecution(false, (workflow, journal) => {
    const fatal = fatalOf(journal)
    if (fatal === undefined || paused(workflow, journal)) return
    const first = carryOver({ ...walkable(workflow), entries: journal }, walkable(workflow))
    const { machine } = again(workflow, first)
    const pending = machine.pending.get(fatal.position)
    if (pending === undefined) return
    const failed = { ...fatal, seq: first.length, decisions: pending.decisions }
    const entries = [...first, failed]
    const second = carryOver({ ...walkable(workflow), entries }, walkable(workflow))
    expect(second.map(({ position }) => position)).toEqual(first.map(({ position }) => position))
    repeated += 1
  })
  expect(repeated).toBeGreaterThan(5)
})

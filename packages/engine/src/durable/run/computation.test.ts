import { describe, expect, test } from 'vitest'
import { standardError } from '#core/error.ts'
import type { Turn } from '#core/work.ts'
import { definitionOf } from '#testing/run-definition.ts'
import { runStartedAtMs, startTestRun, type TestRun } from '#testing/start-test-run.ts'
import { replay } from '#testing/walks.ts'
import { compute } from '#computing/compute.ts'
import type { ComputationEnd, Processor } from '#durable/ports/processor.ts'
import { ownProcessor } from '#durable/ports/processor.ts'

/** A turn that interrupts every expression, and nothing else. */
const impatient: Turn = {
  fuel: Number.POSITIVE_INFINITY,
  interruptMs: -1,
  isOver: () => false,
  elapsed: () => performance.now(),
  tryBegin: () => true,
}

function processorThat(end: (computation: Parameters<Processor['compute']>[1]) => ComputationEnd) {
  const accounts: string[] = []
  const processor: Processor = {
    ...ownProcessor,
    turn: impatient,
    async compute(accountId, computation) {
      accounts.push(accountId)
      return end(computation)
    },
  }
  return { processor, accounts }
}

const entriesOf = ({ journal }: TestRun) => journal.submitted.flatMap(({ entries }) => entries)
async function ended(ran: TestRun) {
  while (ran.run.ended === undefined) {
    if (ran.journal.pending.length > 0) await ran.journal.commit()
    else await new Promise((resolve) => setImmediate(resolve))
  }
  return ran.run.ended
}

const heavy = definitionOf(`do:
  - t:
      try: [{ sum: { set: { sum: '\${ [range(50000)] | add }' } } }]
      catch: { do: [{ c: { set: { caught: '\${ $error.detail }' } } }] }
`)

describe('an expression that takes long', () => {
  test('a long expression is computed in another thread for its account, without a journal entry', async () => {
    const { processor, accounts } = processorThat(compute)
    const ran = startTestRun(heavy, { processor })
    expect(await ended(ran)).toMatchObject({ state: 'completed', output: { sum: 1_249_975_000 } })
    expect(accounts).toEqual(['account'])
    expect(entriesOf(ran)).toEqual([])
  })

  test('an expression that ran out of time fails its task, and fails it in every replay without being computed', async () => {
    const late = standardError('expression', 'An expression took too long').data
    const { processor } = processorThat(() => ({ ok: false, error: late, steps: 0, isJournalled: true }))
    const ran = startTestRun(heavy, { processor })
    expect(await ended(ran)).toMatchObject({ state: 'completed', output: { caught: late.detail } })
    const entries = entriesOf(ran)
    expect(entries).toMatchObject([{ kind: 'computation', ok: false, value: late }])
    const source = { id: 'execution', input: {}, startedAtMs: runStartedAtMs, entries }
    expect(replay(heavy, source, {}, {}).machine.ending).toMatchObject({ ok: true, output: { caught: late.detail } })
  })

  test('an execution can be accepted and cancelled during a long expression', async () => {
    const { processor } = processorThat(compute)
    const ran = startTestRun(heavy, { processor: { ...processor, compute: () => new Promise(() => undefined) } })
    await ran.journal.commit()
    expect(await ran.run.accepted).toBe(true)
    ran.run.cancel()
    expect(await ended(ran)).toMatchObject({ state: 'cancelled' })
  })
})

test('an execution whose expressions together exceed the step budget faults, despite any catch', async () => {
  const greedy = definitionOf(`do:
  - each:
      for: { each: n, in: '\${ [range(30)] }' }
      do:
        - t: { try: [{ sum: { set: { sum: '\${ last(range(4900000)) }' } } }], catch: {} }
`)
  const ran = startTestRun(greedy)
  expect(await ended(ran)).toMatchObject({
    state: 'faulted',
    error: { status: 500, detail: expect.stringContaining('100000000 steps together') },
  })
})

import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { claimed, createFakeEngine } from '#testing/fake-engine.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, fork, runWorkflow, workflowOf } from '#testing/nodes.ts'
import { definitionOf } from '#testing/run-definition.ts'
import { runStartedAtMs, startTestRun, type TestRun } from '#testing/start-test-run.ts'
import { createJournalMeter, type JournalLimits } from './journal-meter.ts'
import { createRunRegistry } from '#durable/process/run-registry.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { verify } from '#testing/walks.ts'

const entry = (seq: number, value: Json = 1): JournalEntry => ({
  seq,
  position: `/do/${seq}/task${seq}`,
  phase: 'ended',
  kind: 'a',
  ok: true,
  value,
  decisions: '',
  startedAtMs: runStartedAtMs,
  endedAtMs: runStartedAtMs,
})

const limits = (more: { readonly entries?: number; readonly bytes?: number } = {}): JournalLimits => ({
  entries: { max: more.entries ?? 1_000, name: 'ENTRIES_MAX' },
  bytes: { max: more.bytes ?? 1_000_000, name: 'BYTES_MAX' },
})

const tooLarge = (instance: string, detail: RegExp) => ({
  state: 'faulted',
  error: {
    type: 'https://open-workflow-specification.org/spec/1.0.0/errors/runtime',
    title: 'Execution too large',
    detail: expect.stringMatching(detail),
    instance,
  },
})

/** Resolves the effects and commits the writes of a run until it ends. @returns how many entries were written. */
async function runToEnd({ run, journal, effects }: TestRun): Promise<number> {
  for (let turn = 0; run.ended === undefined && turn < 200; turn++) {
    if (journal.pending.length > 0) await journal.commit()
    effects[turn]?.resolve(turn)
    await settled()
  }
  return journal.submitted.flatMap(({ entries }) => entries).length
}

/** An endless loop in a try that catches all errors. */
const endless = definitionOf(`
do:
  - attempt:
      try:
        - loop:
            for: { in: '\${ [range(50)] }' }
            do: [{ ask: { call: http, with: { method: get, endpoint: http://x.test } } }]
      catch: {}
      then: attempt
`)

describe('a bound of the journal', () => {
  test('the journal bound ends an endless execution, and no catch handles the fault', async () => {
    const functions = { http: async () => ({ n: 1 }) }
    const fake = createFakeEngine(endless, functions)
    const live = createRunRegistry(fake.deps, { liveMax: 10, journalLimits: limits({ entries: 120 }) })
    const run = await live.resume(claimed('e'))
    let written = 0
    for (let turn = 0; run?.ended === undefined && turn < 500; turn++) {
      if (fake.journal.pending.length > 0) written += (await fake.journal.commit()).entries.length
      await settled()
    }
    expect(run?.ended).toMatchObject(tooLarge('/do/0/attempt~2/try/0/loop[20]/do/0/ask', /more than 120 entries.*raise ENTRIES_MAX/))
    expect(written).toBe(121)
  })

  test('an execution exactly at the journal bound completes', async () => {
    const at = startTestRun(workflowOf(call('a'), call('b')), { journalLimits: limits({ entries: 2 }) })
    expect(await runToEnd(at)).toBe(2)
    expect(at.run.ended).toMatchObject({ state: 'completed' })
  })

  test('the journal bound counts the entries of earlier runs', async () => {
    const at = startTestRun(workflowOf(call('a'), call('a'), call('c')), {
      entries: [entry(0), entry(1)],
      journalLimits: limits({ entries: 2 }),
    })
    await runToEnd(at)
    expect(at.run.ended).toMatchObject(tooLarge('/do/2/task2', /more than 2 entries/))
  })

  test('the journal bound counts the bytes of earlier runs', async () => {
    const fake = createFakeEngine(workflowOf(call('a'), call('b')), { b: async () => 'y'.repeat(600) })
    const live = createRunRegistry(fake.deps, { liveMax: 10, journalLimits: limits({ bytes: 1_000 }) })
    const run = await live.resume(claimed('e', { entries: [entry(0, 'x'.repeat(500))] }))
    for (let turn = 0; run?.ended === undefined && turn < 20; turn++) {
      if (fake.journal.pending.length > 0) await fake.journal.commit()
      await settled()
    }
    expect(run?.ended).toMatchObject(tooLarge('/do/1/task1', /more than 1000 bytes.*raise BYTES_MAX/))
  })

  test('a child whose start exceeds the journal bound is cancelled', async () => {
    const at = startTestRun(workflowOf(runWorkflow('w')), { journalLimits: limits({ entries: 0 }) })
    await runToEnd(at)
    expect(at.run.ended).toMatchObject(tooLarge('/do/0/task0', /more than 0 entries/))
    const [childId] = at.journal.submitted.flatMap(({ children }) => children.map(({ head }) => head.id))
    expect(childId).toBeDefined()
    expect(at.journal.submitted.flatMap(({ cancels }) => cancels)).toEqual([childId])
  })

  test('waits that exceed the journal bound are closed', async () => {
    const hear = `{ hear: { listen: { to: { one: { with: { type: a } } } } } }`
    const at = startTestRun(definitionOf(`do: [{ all: { fork: { branches: [{ x: { do: [${hear}] } }, { y: { do: [${hear}] } }] } } }]`), {
      journalLimits: limits({ entries: 1 }),
    })
    await runToEnd(at)
    expect(at.run.ended).toMatchObject(tooLarge('/do/0/all/fork/branches/1/y/do/0/hear', /more than 1 entries/))
    const { opened, closed } = at.journal.submitted[0]?.waits ?? { opened: [], closed: [] }
    expect(opened).toHaveLength(2)
    expect(closed).toEqual(opened.map(({ position }) => position))
  })

  test('exceeding the journal bound aborts the effects under way', async () => {
    const at = startTestRun(workflowOf(fork(false, call('a'), call('b'))), { journalLimits: limits({ entries: 0 }) })
    await at.journal.commit()
    at.effects[0]?.resolve(1)
    await settled()
    expect(at.effects[1]?.call.signal.aborted).toBe(true)
  })
})

test('an execution that exceeded the journal bound verifies without a difference', () => {
  const excess = createJournalMeter(limits({ entries: 0 }), []).add(entry(0))
  const record = { id: 'e', workflow: workflowOf(call('a'), call('b')), input: {}, startedAtMs: runStartedAtMs, secrets: {}, runtime: {} }
  const verdict = verify({ ...record, state: 'faulted', entries: [entry(0)], output: undefined, error: excess, decisions: '' })
  expect(verdict).toEqual({ entries: 1, difference: undefined })
})

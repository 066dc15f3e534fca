import { describe, expect, test } from 'vitest'
import type { CompiledWorkflow, TaskBody } from '#core/node.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, fork, node, runWorkflow, set, workflowOf } from '#testing/nodes.ts'
import { runStartedAtMs, startTestRun, type TestRun } from '#testing/start-test-run.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { carryOver, createReplay, replay, timelineOf, verify } from '#testing/walks.ts'

const loop = (count: number, body: TaskBody = set({ from: 'loop' })): TaskBody => ({
  kind: 'for',
  in: () => Array.from({ length: count }, (_, index) => index),
  each: 'item',
  at: 'index',
  tasks: { tasks: [node('body', '/do/0/body', body)] },
})
/** Loops without end and without requests. */
const endless: TaskBody = { kind: 'do', tasks: { tasks: [{ ...node('again', '/do/0/again', set(1)), then: { goto: 0 } }] } }
const source = { id: 'execution', input: {}, startedAtMs: runStartedAtMs }
const executionOf = (workflow: CompiledWorkflow) => ({ ...source, workflow, secrets: {}, runtime: {} })
const entriesOf = ({ journal }: TestRun): readonly JournalEntry[] => journal.submitted.flatMap(({ entries }) => entries)
const walkAgain = (workflow: CompiledWorkflow, entries: readonly JournalEntry[]) => replay(workflow, { ...source, entries }, {}, {}).machine

/** Commits writes until `ready`, while pure work continues. */
async function until({ journal }: TestRun, ready: () => boolean): Promise<void> {
  for (let turns = 0; turns < 10_000 && !ready(); turns++) {
    if (journal.pending.length > 0) await journal.commit()
    else await settled()
  }
  if (!ready()) throw new Error('the expected state was not reached')
}

/** Runs a workflow until its effect `a` has begun, ends the effect, and commits the outcome. */
async function afterEffect(workflow: CompiledWorkflow): Promise<TestRun> {
  const ran = startTestRun(workflow)
  await until(ran, () => ran.effects.length > 0)
  ran.effects[0]?.resolve({ from: 'a' })
  await until(ran, () => entriesOf(ran).length > 0 && ran.journal.pending.length === 0)
  return ran
}

describe('long pure work in a branch beside an effect', () => {
  const race = workflowOf(fork(true, loop(300_000), call('a')))

  test('a branch with long pure work loses a race in every replay as in the run', async () => {
    const ran = await afterEffect(race)
    await until(ran, () => ran.run.ended !== undefined)
    expect(ran.run.ended).toMatchObject({ state: 'completed', output: { from: 'a' } })
    const entries = entriesOf(ran)
    expect(entries).toMatchObject([{ kind: 'a', decisions: expect.stringMatching(/^p[1-9]\d*$/) }])
    expect(walkAgain(race, entries).ending).toMatchObject({ ok: true, output: { from: 'a' } })
    const end = { state: 'completed', output: { from: 'a' }, error: undefined, decisions: '' } as const
    expect(verify({ ...executionOf(race), entries, ...end })).toEqual({ entries: 1, difference: undefined })
  })

  test('a branch with long pure work reads the same clock in every replay', async () => {
    const clocks = new Set<number>()
    const reading: TaskBody = { kind: 'set', value: (_dot, { place }) => clocks.add(place.strand.execution.nowMs).size }
    const workflow = workflowOf(fork(false, loop(20_000, reading), call('a')))
    let nowMs = runStartedAtMs
    const ran = startTestRun(workflow, { now: () => ++nowMs })
    await until(ran, () => ran.effects.length > 0)
    ran.effects[0]?.resolve(null)
    await until(ran, () => ran.run.ended !== undefined)
    const first = [...clocks]
    clocks.clear()
    const again = createReplay(workflow, source, {}, {})
    for (const entry of entriesOf(ran)) again.deliver(entry)
    again.proceed(1_000)
    expect(again.machine.ending?.ok).toBe(true)
    expect([...clocks]).toEqual(first)
    expect(first.length).toBeGreaterThan(1)
  })

  test('a replay delivers an outcome at the same pause as the run', async () => {
    const ran = await afterEffect(workflowOf(fork(false, endless, call('a'))))
    const [entry] = entriesOf(ran)
    const pauses = Number(/p(\d+)$/.exec(entry?.decisions ?? '')?.[1])
    let tasks = 0
    const counting: TaskBody = { kind: 'set', value: () => ++tasks }
    const counted: TaskBody = { kind: 'do', tasks: { tasks: [{ ...node('again', '/do/0/again', counting), then: { goto: 0 } }] } }
    walkAgain(workflowOf(fork(false, counted, call('a'))), entriesOf(ran))
    expect(tasks / 1_000).toBeGreaterThan(pauses - 1)
    expect(tasks / 1_000).toBeLessThanOrEqual(pauses + 1)
    ran.run.cancel()
    await ran.journal.commit()
  })

  test('a journal with more pauses than the walk has diverges', () => {
    const entry: JournalEntry = {
      seq: 0,
      position: '/do/0/task0',
      phase: 'ended',
      kind: 'a',
      ok: true,
      value: 1,
      decisions: 'p3',
      startedAtMs: runStartedAtMs,
      endedAtMs: runStartedAtMs,
    }
    expect(() => walkAgain(workflowOf(call('a')), [entry])).toThrow('the walk took fewer pauses before it')
  })
})

describe('after a long stretch of pure work', () => {
  test('an effect after a long stretch of pure work begins', async () => {
    const ran = startTestRun(workflowOf(loop(5_000), call('a')))
    await until(ran, () => ran.effects.length > 0)
    expect(ran.effects).toHaveLength(1)
  })

  const runsChild = workflowOf(loop(5_000), runWorkflow('w'))

  async function afterStart(): Promise<readonly JournalEntry[]> {
    const ran = startTestRun(runsChild)
    await until(ran, () => ran.children.length > 0)
    return entriesOf(ran)
  }

  test('a child after pure work that an earlier run started is not started again', async () => {
    const again = startTestRun(runsChild, { entries: await afterStart() })
    expect(again.run.children()).toEqual(['child-1'])
    for (let turns = 0; turns < 50; turns++) await settled()
    expect([again.children, again.journal.submitted]).toEqual([[], []])
    again.run.childEnded('child-1', { ok: true, value: 'from child' })
    await until(again, () => again.run.ended !== undefined)
    expect(again.run.ended).toMatchObject({ state: 'completed', output: 'from child' })
  })

  test('the result of a child counts even if it arrives before the parent requests it', async () => {
    const again = startTestRun(runsChild, { entries: await afterStart() })
    again.run.childEnded('child-1', { ok: true, value: 'from child' })
    await until(again, () => again.run.ended !== undefined)
    expect(again.run.ended).toMatchObject({ state: 'completed', output: 'from child' })
  })
})

describe('pure work without end', () => {
  const workflow = workflowOf(call('a'), endless)

  test('an execution with endless pure work can be resumed and cancelled', async () => {
    const ran = await afterEffect(workflow)
    ran.run.release(false)
    await until(ran, () => ran.run.ended !== undefined)
    expect(ran.run.ended).toMatchObject({ kind: 'parked' })
    const again = startTestRun(workflow, { entries: entriesOf(ran) })
    await settled()
    again.run.cancel()
    await again.journal.commit()
    expect(again.run.ended).toMatchObject({ state: 'cancelled' })
  })

  test('an execution with endless pure work can be suspended', async () => {
    const ran = await afterEffect(workflow)
    ran.run.suspend()
    await until(ran, () => ran.run.ended !== undefined)
    expect(ran.journal.submitted.at(-1)).toMatchObject({ entries: [], progress: { state: 'suspended' } })
  })

  test('a suspend request stops endless pure work before it is resumed', async () => {
    const ran = startTestRun(workflow, { entries: [], suspendRequested: true })
    await until(ran, () => ran.run.ended !== undefined)
    expect(ran.effects).toEqual([])
    expect(ran.journal.submitted.at(-1)).toMatchObject({ progress: { state: 'suspended' } })
  })

  test('retries, timelines and verifications of endless pure work end', async () => {
    const ran = await afterEffect(workflow)
    ran.run.cancel()
    await until(ran, () => ran.run.ended !== undefined)
    const entries = entriesOf(ran)
    expect(carryOver({ ...executionOf(workflow), entries }, executionOf(workflow))).toEqual(entries)
    const cancelled = { state: 'cancelled', output: undefined, error: undefined, decisions: '' } as const
    expect(verify({ ...executionOf(workflow), entries, ...cancelled }).difference).toBeUndefined()
    const timeline = timelineOf(workflow, { ...source, entries }, true)
    expect(timeline.find(({ name }) => name === 'task0')).toMatchObject({ state: 'completed' })
    expect(timeline.find(({ name }) => name === 'task1')).toMatchObject({ state: 'cancelled' })
  })

  test('endless pure work does not prevent another version from taking over outcomes', () => {
    const otherVersion = workflowOf(fork(false, endless, { kind: 'do', tasks: { tasks: [node('task0', '/do/0/task0', call('a'))] } }))
    const position = '/do/0/task0/fork/branches//fork/1/do/0/task0'
    const entry = { seq: 0, position, phase: 'ended', kind: 'a', ok: true, value: 7, decisions: '', startedAtMs: 0, endedAtMs: 0 } as const
    const [at = ''] = walkAgain(otherVersion, []).pending.keys()
    const carried = carryOver({ ...executionOf(workflow), entries: [{ ...entry, position: at }] }, executionOf(otherVersion))
    expect(carried).toMatchObject([{ position: at, value: 7 }])
    expect(walkAgain(otherVersion, carried).pending.size).toBe(0)
  })
})

describe('a long stretch of pure work at the end', () => {
  const workflow = workflowOf(call('a'), loop(50_000), set({ from: 'the end' }))

  test('a verification includes long pure work at the end', async () => {
    const ran = await afterEffect(workflow)
    await until(ran, () => ran.run.ended !== undefined)
    const end = { state: 'completed', error: undefined, decisions: '' } as const
    const record = { ...executionOf(workflow), entries: entriesOf(ran), ...end }
    expect(verify({ ...record, output: { from: 'the end' } }).difference).toBeUndefined()
    expect(verify({ ...record, output: { from: 'elsewhere' } }).difference).toMatchObject({ part: 'output' })
  })

  test('a timeline includes long pure work at the end', async () => {
    const ran = await afterEffect(workflow)
    await until(ran, () => ran.run.ended !== undefined)
    const timeline = timelineOf(workflow, { ...source, entries: entriesOf(ran) }, true)
    expect(timeline).toHaveLength(50_003)
    expect(timeline.at(-1)).toMatchObject({ name: 'task2', state: 'completed' })
  })

  test('a retry takes over the outcome before long pure work that faults', () => {
    const raise: TaskBody = { kind: 'raise', error: () => ({ type: 'https://test/late', status: 500 }) }
    const faulting = workflowOf(call('a'), loop(50_000), raise)
    const value = { from: 'a' }
    const position = '/do/0/task0'
    const entry = { seq: 0, position, phase: 'ended', kind: 'a', ok: true, value, decisions: '', startedAtMs: 0, endedAtMs: 0 } as const
    expect(carryOver({ ...executionOf(faulting), entries: [entry] }, executionOf(faulting))).toEqual([entry])
  })
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { settled } from '#testing/manual-journal.ts'
import { call, fork, node, runWorkflow, wait, workflowOf } from '#testing/nodes.ts'
import { runStartedAtMs, startTestRun } from '#testing/start-test-run.ts'

describe('waiting', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: runStartedAtMs, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const timed = (workflow: Parameters<typeof startTestRun>[0], options: Parameters<typeof startTestRun>[1] = {}) =>
    startTestRun(workflow, { now: () => Date.now(), ...options })

  test('a run that waits for a short time stays in memory', async () => {
    const { journal, run } = timed(workflowOf(wait(900)))
    await journal.commit()
    expect(journal.pending).toEqual([])
    await vi.advanceTimersByTimeAsync(899)
    expect(journal.pending).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(await journal.commit()).toMatchObject({
      entries: [{ kind: 'timer', endedAtMs: runStartedAtMs + 900 }],
      progress: { state: 'completed' },
    })
    expect(run.ended).toMatchObject({ state: 'completed' })
  })

  test('a run that waits for a long time is parked with its wake time', async () => {
    const { journal, run } = timed(workflowOf(wait(5_000)))
    await journal.commit()
    expect(await journal.commit()).toMatchObject({ entries: [], progress: { state: 'waiting', wakeAtMs: runStartedAtMs + 5_000 } })
    await expect(run.end).resolves.toMatchObject({ kind: 'parked' })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a run that waits beyond every date is parked for a hundred years', async () => {
    const { journal } = timed(workflowOf(wait(8.64e15)))
    await journal.commit()
    expect(await journal.commit()).toMatchObject({ progress: { state: 'waiting', wakeAtMs: runStartedAtMs + 36_500 * 86_400_000 } })
  })

  test('a run with two timers is parked until the earlier one', async () => {
    const { journal } = timed(workflowOf(fork(false, wait(9_000), wait(5_000))))
    await journal.commit()
    expect(await journal.commit()).toMatchObject({ progress: { wakeAtMs: runStartedAtMs + 5_000 } })
  })

  test('a run with a long and a short timer stays in memory until the short one has fired', async () => {
    const { journal } = timed(workflowOf(fork(false, wait(9_000), wait(500))))
    await journal.commit()
    expect(journal.pending).toEqual([])
    await vi.advanceTimersByTimeAsync(500)
    await journal.commit()
    expect(await journal.commit()).toMatchObject({ progress: { state: 'waiting', wakeAtMs: runStartedAtMs + 9_000 } })
  })

  test('a run with a long timer stays in memory until its effect has ended', async () => {
    const { journal, effects } = timed(workflowOf(fork(false, wait(9_000), call('a'))))
    await journal.commit()
    expect(journal.pending).toEqual([])
    effects[0]?.resolve(1)
    await settled()
    expect(await journal.commit()).toMatchObject({ entries: [{ kind: 'a' }], progress: undefined })
    expect(await journal.commit()).toMatchObject({ progress: { state: 'waiting' } })
  })

  test('a run that waits for a child is parked after the grace time, without a wake time', async () => {
    const { journal } = timed(workflowOf(runWorkflow('w')))
    await journal.commit()
    await journal.commit()
    await vi.advanceTimersByTimeAsync(999)
    expect(journal.pending).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(await journal.commit()).toMatchObject({ progress: { state: 'waiting', wakeAtMs: undefined } })
  })

  test('a run that waits for a child is parked even if the grace timer fires early', async () => {
    let early = 0
    const { journal } = timed(workflowOf(runWorkflow('w')), { now: () => Date.now() - early })
    await journal.commit()
    await journal.commit()
    early = 2
    await vi.advanceTimersByTimeAsync(1_000)
    expect(journal.pending).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    expect(journal.pending).toMatchObject([{ progress: { state: 'waiting' } }])
  })

  test('a wait does not end before it is due, even if its timer fires early', async () => {
    let early = 0
    const { journal } = timed(workflowOf(wait(100)), { now: () => Date.now() - early })
    await journal.commit()
    early = 3
    await vi.advanceTimersByTimeAsync(100)
    expect(journal.pending).toEqual([])
    await vi.advanceTimersByTimeAsync(3)
    expect(journal.pending[0]?.entries[0]?.endedAtMs).toBe(runStartedAtMs + 100)
  })

  test('a wait longer than the maximum of setTimeout works where nothing is parked', async () => {
    const days40 = 40 * 24 * 60 * 60 * 1_000
    const { journal } = timed(workflowOf(wait(days40)), { parkAfterMs: Number.POSITIVE_INFINITY })
    await journal.commit()
    await vi.advanceTimersByTimeAsync(days40 - 1)
    expect(journal.pending).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(journal.pending).toHaveLength(1)
  })

  test('a wait that is due when its run is resumed ends at once', async () => {
    const { journal } = timed(workflowOf(wait(5_000)), { entries: [], now: () => Date.now() + 60_000 })
    await vi.advanceTimersByTimeAsync(0)
    expect(journal.pending).toMatchObject([{ entries: [{ kind: 'timer' }], progress: { state: 'completed' } }])
  })

  test('the timeout of a longer wait comes first even if both are due when the run is resumed', async () => {
    const slow = { ...node('t', '/do/0/t', wait(900)), timeoutMs: () => 300 }
    const { journal, run } = timed({ ...workflowOf(), tasks: { tasks: [slow] } }, { entries: [], now: () => Date.now() + 60_000 })
    await vi.advanceTimersByTimeAsync(1)
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'faulted', error: { status: 408 } })
  })

  test('a cancel ends a wait', async () => {
    const { journal, run } = timed(workflowOf(wait(900)))
    await journal.commit()
    run.cancel()
    expect(vi.getTimerCount()).toBe(0)
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'cancelled' })
  })

  test('a timeout aborts its effect', async () => {
    const slow = { ...node('t', '/do/0/t', call('a')), timeoutMs: () => 300 }
    const { journal, effects, run } = timed({ ...workflowOf(), tasks: { tasks: [slow] } })
    await journal.commit()
    await vi.advanceTimersByTimeAsync(300)
    expect(effects[0]?.call.signal.aborted).toBe(true)
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'faulted', error: { status: 408 } })
  })
})

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

  test('a short time keeps the run in memory', async () => {
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

  test('a long time parks it, with the time at which it goes on', async () => {
    const { journal, run } = timed(workflowOf(wait(5_000)))
    await journal.commit()
    expect(await journal.commit()).toMatchObject({ entries: [], progress: { state: 'waiting', wakeAtMs: runStartedAtMs + 5_000 } })
    await expect(run.end).resolves.toMatchObject({ kind: 'parked' })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('for two times parks it until the earlier', async () => {
    const { journal } = timed(workflowOf(fork(false, wait(9_000), wait(5_000))))
    await journal.commit()
    expect(await journal.commit()).toMatchObject({ progress: { wakeAtMs: runStartedAtMs + 5_000 } })
  })

  test('for a long and a short time keeps it until the short one has passed', async () => {
    const { journal } = timed(workflowOf(fork(false, wait(9_000), wait(500))))
    await journal.commit()
    expect(journal.pending).toEqual([])
    await vi.advanceTimersByTimeAsync(500)
    await journal.commit()
    expect(await journal.commit()).toMatchObject({ progress: { state: 'waiting', wakeAtMs: runStartedAtMs + 9_000 } })
  })

  test('for a long time while an effect is under way keeps it, until the effect has ended', async () => {
    const { journal, effects } = timed(workflowOf(fork(false, wait(9_000), call('a'))))
    await journal.commit()
    expect(journal.pending).toEqual([])
    effects[0]?.resolve(1)
    await settled()
    expect(await journal.commit()).toMatchObject({ entries: [{ kind: 'a' }], progress: undefined })
    expect(await journal.commit()).toMatchObject({ progress: { state: 'waiting' } })
  })

  test('for a child keeps it a while and then parks it without a time', async () => {
    const { journal } = timed(workflowOf(runWorkflow('w')))
    await journal.commit()
    await journal.commit()
    await vi.advanceTimersByTimeAsync(999)
    expect(journal.pending).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(await journal.commit()).toMatchObject({ progress: { state: 'waiting', wakeAtMs: undefined } })
  })

  test('for a child parks it also when the timer fires before the clock says so', async () => {
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

  test('ends no earlier than it is due, though a timer fires early', async () => {
    let early = 0
    const { journal } = timed(workflowOf(wait(100)), { now: () => Date.now() - early })
    await journal.commit()
    early = 3
    await vi.advanceTimersByTimeAsync(100)
    expect(journal.pending).toEqual([])
    await vi.advanceTimersByTimeAsync(3)
    expect(journal.pending[0]?.entries[0]?.endedAtMs).toBe(runStartedAtMs + 100)
  })

  test('longer than a timer can count works where nothing is parked', async () => {
    const days40 = 40 * 24 * 60 * 60 * 1_000
    const { journal } = timed(workflowOf(wait(days40)), { parkAfterMs: Number.POSITIVE_INFINITY })
    await journal.commit()
    await vi.advanceTimersByTimeAsync(days40 - 1)
    expect(journal.pending).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(journal.pending).toHaveLength(1)
  })

  test('that is over by the time it is resumed is over at once', async () => {
    const { journal } = timed(workflowOf(wait(5_000)), { entries: [], now: () => Date.now() + 60_000 })
    await vi.advanceTimersByTimeAsync(0)
    expect(journal.pending).toMatchObject([{ entries: [{ kind: 'timer' }], progress: { state: 'completed' } }])
  })

  test('is given up by a cancel', async () => {
    const { journal, run } = timed(workflowOf(wait(900)))
    await journal.commit()
    run.cancel()
    expect(vi.getTimerCount()).toBe(0)
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'cancelled' })
  })

  test('of an effect ends with its timeout, which aborts it', async () => {
    const slow = { ...node('t', '/do/0/t', call('a')), timeoutMs: () => 300 }
    const { journal, effects, run } = timed({ ...workflowOf(), tasks: { tasks: [slow] } })
    await journal.commit()
    await vi.advanceTimersByTimeAsync(300)
    expect(effects[0]?.call.signal.aborted).toBe(true)
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'faulted', error: { status: 408 } })
  })
})

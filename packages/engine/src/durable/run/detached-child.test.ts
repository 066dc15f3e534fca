import { describe, expect, test } from 'vitest'
import { call, workflowOf } from '#testing/nodes.ts'
import { runStartedAtMs, startTestRun, type TestRunOptions } from '#testing/start-test-run.ts'
import type { TaskBody } from '#core/node.ts'

const detached: TaskBody = { kind: 'run-workflow', namespace: 'test', name: 'child', version: '1.0.0', input: (dot) => dot, await: false }
const begun = {
  seq: 0,
  position: '/do/0/task0',
  phase: 'started',
  kind: 'workflow',
  ok: true,
  value: 'child-1',
  decisions: '',
  startedAtMs: runStartedAtMs,
  endedAtMs: runStartedAtMs,
} as const

/** Resumes a run whose journal ends with the start of the child. */
const resume = (options: TestRunOptions = {}) => startTestRun(workflowOf(detached, call('a')), { entries: [begun], ...options })

describe('a run whose process died after the start of a child that it does not await', () => {
  test('a resumed parent continues with the id of a child that it does not await', async () => {
    const { journal, effects } = resume()
    expect(await journal.commit()).toMatchObject({
      children: [],
      entries: [{ seq: 1, phase: 'ended', kind: 'workflow', ok: true, value: 'child-1' }],
    })
    expect(effects).toHaveLength(1)
  })

  test('a resumed parent continues with the id even if the child has ended', async () => {
    const { run, journal } = resume()
    expect(run.children()).toEqual([])
    expect((await journal.commit()).entries).toMatchObject([{ value: 'child-1' }])
  })

  test('a cancelled parent does not cancel a child that it does not await', async () => {
    const { journal } = resume({ cancelRequested: true })
    expect(await journal.commit()).toMatchObject({ cancels: [], progress: { state: 'cancelled' } })
  })

  test('a resumed parent is not parked before it has recorded the id of the child', async () => {
    const { journal, run } = resume({ parkAfterMs: 0 })
    const write = await journal.commit()
    expect(write.progress).toBeUndefined()
    expect(run.isRunning).toBe(true)
  })
})

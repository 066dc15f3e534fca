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

/** A run whose process died when the child was written down, and nothing behind that. */
const resume = (options: TestRunOptions = {}) => startTestRun(workflowOf(detached, call('a')), { entries: [begun], ...options })

describe('a workflow that runs another and does not wait for it, and whose process died right after it had begun it', () => {
  test('goes on with the id of the child, which tells nobody when it ends', async () => {
    const { journal, effects } = resume()
    expect(await journal.commit()).toMatchObject({
      children: [],
      entries: [{ seq: 1, phase: 'ended', kind: 'workflow', ok: true, value: 'child-1' }],
    })
    expect(effects).toHaveLength(1)
  })

  test('goes on with the id even where the child has ended meanwhile', async () => {
    const { run, journal } = resume()
    expect(run.children()).toEqual([])
    expect((await journal.commit()).entries).toMatchObject([{ value: 'child-1' }])
  })

  test('does not cancel the child when it is cancelled itself', async () => {
    const { journal } = resume({ cancelRequested: true })
    expect(await journal.commit()).toMatchObject({ cancels: [], progress: { state: 'cancelled' } })
  })

  test('parks no sooner than it has gone on', async () => {
    const { journal, run } = resume({ parkAfterMs: 0 })
    const write = await journal.commit()
    expect(write.progress).toBeUndefined()
    expect(run.isRunning).toBe(true)
  })
})

import { describe, expect, test } from 'vitest'
import type { TaskBody } from '#core/node.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, fork, node, set, workflowOf } from '#testing/nodes.ts'
import { runStartedAtMs, startTestRun } from '#testing/start-test-run.ts'

const list = (...bodies: readonly TaskBody[]): TaskBody => ({
  kind: 'do',
  tasks: { tasks: bodies.map((body, index) => node(`t${index}`, `/do/${index}/t${index}`, body)) },
})

describe('commit before effect', () => {
  test('the first effect begins after the execution was accepted', async () => {
    const { journal, effects } = startTestRun(workflowOf(call('a')))
    await settled()
    expect(effects).toHaveLength(0)
    expect(journal.pending).toEqual([
      expect.objectContaining({ accept: expect.objectContaining({ startedAtMs: runStartedAtMs }), entries: [] }),
    ])
    await journal.commit()
    expect(effects.map(({ name }) => name)).toEqual(['a'])
  })

  test('a second effect begins after the outcome of the first was committed', async () => {
    const { journal, effects } = startTestRun(workflowOf(call('a'), call('b')))
    await journal.commit()
    effects[0]?.resolve('done')
    await settled()
    expect(effects).toHaveLength(1)
    expect(journal.pending[0]?.entries).toEqual([
      expect.objectContaining({ seq: 0, position: '/do/0/task0', phase: 'ended', kind: 'a', ok: true, value: 'done' }),
    ])
    await journal.commit()
    expect(effects.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test('an effect that is requested during a write waits for the next commit', async () => {
    const { journal, effects } = startTestRun(workflowOf(fork(false, list(call('a'), call('c')), list(call('b'), call('d')))))
    await journal.commit()
    effects[0]?.resolve(1)
    await settled()
    effects[1]?.resolve(2)
    await settled()
    expect(journal.pending).toHaveLength(1)
    await journal.commit()
    expect(effects.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    await journal.commit()
    expect(effects.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('the end of a run is reported only after its commit', async () => {
    const { journal, run } = startTestRun(workflowOf(set({ x: 1 })))
    await settled()
    expect(run.ended).toBeUndefined()
    await journal.commit()
    await expect(run.accepted).resolves.toBe(true)
    expect(run.ended).toMatchObject({ kind: 'ended', state: 'completed', output: { x: 1 }, error: undefined })
  })
})

describe('writes', () => {
  test('an execution without effects is accepted and ended in one write', async () => {
    const { journal } = startTestRun(workflowOf(set({ x: 1 }), set({ x: 2 })))
    const write = await journal.commit()
    expect(write).toMatchObject({ accept: {}, entries: [], progress: { state: 'completed', output: { x: 2 } } })
    expect(journal.submitted).toHaveLength(1)
  })

  test('the last outcome and the end are in one write', async () => {
    const { journal, effects } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    effects[0]?.resolve('last')
    await settled()
    expect(await journal.commit()).toMatchObject({ entries: [{ value: 'last' }], progress: { state: 'completed', output: 'last' } })
    expect(journal.submitted).toHaveLength(2)
  })

  test('outcomes that arrive during a write are in the next write together', async () => {
    const { journal, effects } = startTestRun(workflowOf(fork(false, call('a'), call('b'), call('c'), call('d')), call('e')))
    await journal.commit()
    for (const [index, effect] of effects.entries()) {
      effect.resolve(index)
      await settled()
    }
    expect(journal.submitted.map(({ entries }) => entries.length)).toEqual([0, 1])
    await journal.commit()
    expect(journal.submitted.map(({ entries }) => entries.length)).toEqual([0, 1, 3])
    expect(journal.submitted.flatMap(({ entries }) => entries.map(({ seq }) => seq))).toEqual([0, 1, 2, 3])
  })

  test('a run has at most one write under way', async () => {
    const { journal, effects } = startTestRun(workflowOf(fork(false, call('a'), call('b'), call('c'))))
    await journal.commit()
    for (const effect of effects) {
      effect.resolve(1)
      await settled()
      expect(journal.pending).toHaveLength(1)
    }
  })

  test('a run without changes writes nothing', async () => {
    const { journal } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    expect(journal.pending).toEqual([])
  })

  test('entries carry the decisions before them and the times of their effect', async () => {
    let nowMs = runStartedAtMs
    const choice: TaskBody = { kind: 'switch', cases: [{ when: () => true, then: 'continue' }] }
    const { journal, effects } = startTestRun(workflowOf(choice, call('a')), { now: () => nowMs })
    await journal.commit()
    nowMs += 70
    effects[0]?.resolve(1)
    await settled()
    expect(journal.pending[0]?.entries[0]).toMatchObject({ decisions: 's0', startedAtMs: runStartedAtMs, endedAtMs: runStartedAtMs + 70 })
  })

  test('the times of an execution never go back, even if the clock does', async () => {
    let nowMs = runStartedAtMs
    const { journal, effects } = startTestRun(workflowOf(call('a'), call('b')), { now: () => nowMs })
    await journal.commit()
    nowMs += 100
    effects[0]?.resolve(1)
    await settled()
    await journal.commit()
    nowMs -= 60
    effects[1]?.resolve(1)
    await settled()
    expect(journal.pending[0]?.entries[0]?.endedAtMs).toBe(runStartedAtMs + 100)
    expect(journal.pending[0]?.progress).toMatchObject({ endedAtMs: runStartedAtMs + 100 })
  })

  test('boundaries are reported in the order of the durable steps', async () => {
    const { journal, effects, boundaries } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    effects[0]?.resolve(1)
    await settled()
    await journal.commit()
    expect(boundaries).toEqual(['accept-submitted', 'accept-committed', 'effect-starting', 'effect-done', 'end-submitted', 'end-committed'])
  })
})

describe('a write that fails', () => {
  test('after a failed write a run is lost: it begins nothing and writes nothing', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(fork(false, list(call('a'), call('c')), call('b'))))
    await journal.commit()
    effects[0]?.resolve(1)
    await settled()
    await journal.fail()
    effects[1]?.resolve(2)
    await settled()
    expect(effects.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(journal.submitted).toHaveLength(2)
    await expect(run.end).resolves.toMatchObject({ kind: 'lost', cause: expect.objectContaining({ message: 'the connection was lost' }) })
  })

  test('a failed write aborts the effects under way', async () => {
    const { journal, effects } = startTestRun(workflowOf(fork(false, call('a'), call('b'))))
    await journal.commit()
    effects[0]?.resolve(1)
    await settled()
    expect(effects[1]?.call.signal.aborted).toBe(false)
    await journal.fail()
    expect(effects[1]?.call.signal.aborted).toBe(true)
  })

  test('a failed first write rejects the acceptance', async () => {
    const { journal, run } = startTestRun(workflowOf(call('a')))
    await journal.fail()
    await expect(run.accepted).rejects.toThrow('the connection was lost')
  })

  test('a later failed write does not revoke the acceptance', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    effects[0]?.resolve(1)
    await settled()
    await journal.fail()
    await expect(run.accepted).resolves.toBe(true)
  })
})

test('a refused write ends the run before any effect begins', async () => {
  const { journal, effects, run } = startTestRun(workflowOf(call('a')))
  await journal.refuse()
  await expect(run.accepted).resolves.toBe(false)
  await expect(run.end).resolves.toEqual({ kind: 'refused' })
  expect(effects).toEqual([])
  expect(journal.submitted).toHaveLength(1)
})

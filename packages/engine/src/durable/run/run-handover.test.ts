import { describe, expect, test } from 'vitest'
import { standardError } from '#core/error.ts'
import type { TaskBody } from '#core/node.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, fork, node, runWorkflow, set, wait, workflowOf } from '#testing/nodes.ts'
import { startTestRun } from '#testing/start-test-run.ts'

const list = (...bodies: readonly TaskBody[]): TaskBody => ({
  kind: 'do',
  tasks: { tasks: bodies.map((body, index) => node(`t${index}`, `/do/${index}/t${index}`, body)) },
})

describe('a child', () => {
  test('a child begins when it is committed together with its journal entry', async () => {
    const { journal, children } = startTestRun(workflowOf(runWorkflow('w')))
    await journal.commit()
    expect(journal.pending[0]).toMatchObject({
      entries: [{ phase: 'started', kind: 'workflow', value: 'child-1' }],
      children: [
        {
          head: { id: 'child-1', parentId: 'execution', depth: 1, trigger: 'workflow', actor: 'execution:execution', accountId: 'account' },
        },
      ],
    })
    expect(children).toEqual([])
    await journal.commit()
    expect(children.map(({ id }) => id)).toEqual(['child-1'])
  })

  test('the result of a child is the outcome of its task, whether it completes or faults', async () => {
    for (const outcome of [{ ok: true, value: 'out' } as const, { ok: false, error: standardError('timeout', 'slow').data } as const]) {
      const { journal, run } = startTestRun(workflowOf(runWorkflow('w')))
      await journal.commit()
      await journal.commit()
      expect(run.children()).toEqual(['child-1'])
      run.childEnded('child-1', outcome)
      await journal.commit()
      expect(run.ended).toMatchObject(outcome.ok ? { output: 'out' } : { error: { status: 408 } })
    }
  })

  test('a task that does not await its child continues when the child is committed, and the child has no parent', async () => {
    const detached: TaskBody = {
      kind: 'run-workflow',
      namespace: 'n',
      name: 'w',
      version: '1',
      input: () => ({ for: 'child' }),
      await: false,
    }
    const { journal, children, run } = startTestRun(workflowOf(detached))
    await journal.commit()
    await journal.commit()
    expect(children).toEqual([expect.objectContaining({ input: { for: 'child' }, parentId: undefined })])
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'completed', output: {} })
  })

  test('a repeated result, or the result of an unknown child, changes nothing', async () => {
    const { journal, run } = startTestRun(workflowOf(runWorkflow('w'), call('a')))
    await journal.commit()
    await journal.commit()
    run.childEnded('unknown', { ok: true, value: 0 })
    run.childEnded('child-1', { ok: true, value: 1 })
    run.childEnded('child-1', { ok: true, value: 2 })
    await journal.commit()
    expect(journal.submitted.flatMap(({ entries }) => entries.filter(({ phase }) => phase === 'ended'))).toHaveLength(1)
  })

  test('a child that loses a race is cancelled in the write of the winner', async () => {
    const { journal, effects } = startTestRun(workflowOf(fork(true, call('a'), runWorkflow('w'))))
    await journal.commit()
    await journal.commit()
    effects[0]?.resolve('won')
    await settled()
    expect(await journal.commit()).toMatchObject({ entries: [{ value: 'won' }], cancels: ['child-1'] })
  })

  test('a child of a workflow that does not exist faults the task', async () => {
    const { journal, run, children } = startTestRun(workflowOf(runWorkflow('w')), { resolves: false })
    await journal.commit()
    await journal.commit()
    expect(run.ended).toMatchObject({
      state: 'faulted',
      error: { title: 'Configuration error', detail: 'there is no published workflow "test/w" in version "1.0.0"' },
    })
    expect(children).toEqual([])
  })

  test('the write of the end of a child names its parent', async () => {
    const { journal } = startTestRun(workflowOf(set({ x: 1 })), { parentId: 'parent' })
    expect((await journal.commit()).progress).toMatchObject({ parentId: 'parent' })
  })
})

describe('a run that is released', () => {
  test('a released run waits for the effects under way, begins nothing more and is handed over', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a'), call('b')))
    await journal.commit()
    run.release(false)
    expect(effects[0]?.call.signal.aborted).toBe(false)
    effects[0]?.resolve('kept')
    await settled()
    expect(await journal.commit()).toMatchObject({ entries: [{ value: 'kept' }], progress: undefined })
    expect(await journal.commit()).toMatchObject({ progress: { state: 'pending' } })
    expect(effects).toHaveLength(1)
    await expect(run.end).resolves.toMatchObject({ kind: 'parked' })
  })

  test('a forced release aborts effects, which the next run repeats', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    run.release(true)
    expect(effects[0]?.call.signal.aborted).toBe(true)
    effects[0]?.resolve('late')
    expect(await journal.commit()).toMatchObject({ entries: [], progress: { state: 'pending' } })
  })

  test('a run that is released before its acceptance is still accepted', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a')))
    run.release(false)
    await journal.commit()
    await expect(run.accepted).resolves.toBe(true)
    expect(await journal.commit()).toMatchObject({ progress: { state: 'pending' } })
    expect(effects).toEqual([])
  })

  test('a released run with an effect that has not begun is handed over at once, even beside a long wait', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(fork(false, wait(3_600_000), call('a'))))
    run.release(false)
    await journal.commit()
    expect(await journal.commit()).toMatchObject({ progress: { state: 'pending' } })
    expect(effects).toEqual([])
  })

  test('a released run whose end was reached ends', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    run.release(false)
    effects[0]?.resolve('end')
    await settled()
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'completed', output: 'end' })
  })

  test('a released run that waits for a child is handed over, and the child is not cancelled', async () => {
    const { journal, run } = startTestRun(workflowOf(runWorkflow('w')))
    await journal.commit()
    await journal.commit()
    run.release(false)
    expect(await journal.commit()).toMatchObject({ cancels: [], progress: { state: 'pending' } })
  })
})

test('a run that is dropped writes nothing more and begins nothing more', async () => {
  const { journal, effects, run } = startTestRun(workflowOf(call('a'), call('b')))
  await journal.commit()
  run.drop(new Error('fenced'))
  expect(effects[0]?.call.signal.aborted).toBe(true)
  effects[0]?.resolve(1)
  await settled()
  run.cancel()
  run.childEnded('x', { ok: true, value: 1 })
  expect(journal.submitted).toHaveLength(1)
  await expect(run.end).resolves.toMatchObject({ kind: 'lost' })
})

describe('a run that is resumed', () => {
  const workflow = workflowOf(fork(false, call('a'), call('b'), wait(3_600_000), list(runWorkflow('w'), call('c'))))

  async function firstHalf() {
    const { journal, effects, run } = startTestRun(workflow)
    await journal.commit()
    await journal.commit()
    effects[0]?.resolve('a')
    await settled()
    await journal.commit()
    run.drop(new Error('the process died'))
    return journal.submitted.flatMap(({ entries }) => entries)
  }

  test('a resumed run begins only the requests that were under way', async () => {
    const entries = await firstHalf()
    const { journal, effects, run, children } = startTestRun(workflow, { entries })
    await settled()
    expect(effects.map(({ name }) => name)).toEqual(['b'])
    expect(run.children()).toEqual(['child-1'])
    expect(children).toEqual([])
    expect(journal.submitted).toEqual([])
    await expect(run.accepted).resolves.toBe(true)
  })

  test('a resumed run continues the numbers of its entries', async () => {
    const entries = await firstHalf()
    const { journal, effects } = startTestRun(workflow, { entries })
    await settled()
    effects[0]?.resolve('b')
    await settled()
    expect(journal.pending[0]?.entries).toEqual([expect.objectContaining({ seq: entries.length, kind: 'b' })])
  })

  test('a resumed run accepts the result of a child that an earlier run started', async () => {
    const { journal, effects, run } = startTestRun(workflow, { entries: await firstHalf() })
    await settled()
    run.childEnded('child-1', { ok: true, value: 'child' })
    await journal.commit()
    expect(effects.map(({ name }) => name)).toEqual(['b', 'c'])
  })

  test('a resumed run whose journal is complete ends at once', async () => {
    const one = workflowOf(call('a'))
    const entry = {
      seq: 0,
      position: '/do/0/task0',
      phase: 'ended',
      kind: 'a',
      ok: true,
      value: 'x',
      decisions: '',
      startedAtMs: 0,
      endedAtMs: 0,
    } as const
    const { journal, effects } = startTestRun(one, { entries: [entry] })
    expect(await journal.commit()).toMatchObject({ accept: undefined, entries: [], progress: { state: 'completed', output: 'x' } })
    expect(effects).toEqual([])
  })

  test('a resumed run begins every open effect', async () => {
    const wide = workflowOf(fork(false, call('a'), call('b'), call('c'), call('d')))
    const first = startTestRun(wide)
    await first.journal.commit()
    first.effects[2]?.resolve('c')
    await settled()
    const { entries } = await first.journal.commit()
    const { effects } = startTestRun(wide, { entries })
    await settled()
    expect(effects.map(({ name }) => name)).toEqual(['a', 'b', 'd'])
  })
})

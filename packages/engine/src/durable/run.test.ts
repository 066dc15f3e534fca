import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { standardError, WorkflowError } from '#core/error.ts'
import type { TaskBody } from '#core/node.ts'
import { settled } from '#testing/held-journal.ts'
import { call, fork, node, runWorkflow, set, wait, workflowOf } from '#testing/nodes.ts'
import { runStartedAtMs, startTestRun } from '#testing/start-test-run.ts'

const bug: TaskBody = {
  kind: 'set',
  value() {
    throw new TypeError('a bug')
  },
}

const list = (...bodies: readonly TaskBody[]): TaskBody => ({
  kind: 'do',
  tasks: { tasks: bodies.map((body, index) => node(`t${index}`, `/do/${index}/t${index}`, body)) },
})

describe('what an effect rests on is committed before it begins', () => {
  test('the first waits for the execution to be accepted', async () => {
    const { journal, effects } = startTestRun(workflowOf(call('a')))
    await settled()
    expect(effects).toHaveLength(0)
    expect(journal.held).toEqual([
      expect.objectContaining({ accept: expect.objectContaining({ startedAtMs: runStartedAtMs }), entries: [] }),
    ])
    await journal.commit()
    expect(effects.map(({ name }) => name)).toEqual(['a'])
  })

  test('the second waits for the outcome of the first', async () => {
    const { journal, effects } = startTestRun(workflowOf(call('a'), call('b')))
    await journal.commit()
    effects[0]?.resolve('done')
    await settled()
    expect(effects).toHaveLength(1)
    expect(journal.held[0]?.entries).toEqual([
      expect.objectContaining({ seq: 0, position: '/do/0/task0', phase: 'ended', kind: 'a', ok: true, value: 'done' }),
    ])
    await journal.commit()
    expect(effects.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test('an effect that came up while a write was under way waits for the next one', async () => {
    const { journal, effects } = startTestRun(workflowOf(fork(false, list(call('a'), call('c')), list(call('b'), call('d')))))
    await journal.commit()
    effects[0]?.resolve(1)
    await settled()
    effects[1]?.resolve(2)
    await settled()
    expect(journal.held).toHaveLength(1)
    await journal.commit()
    expect(effects.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    await journal.commit()
    expect(effects.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('nobody is told of an end before it is committed', async () => {
    const { journal, run } = startTestRun(workflowOf(set({ x: 1 })))
    await settled()
    expect(run.ended).toBeUndefined()
    await journal.commit()
    await expect(run.accepted).resolves.toBe(true)
    expect(run.ended).toEqual({ kind: 'ended', state: 'completed', output: { x: 1 }, error: undefined })
  })
})

describe('writes', () => {
  test('an execution without effects is one write, accepted and ended', async () => {
    const { journal } = startTestRun(workflowOf(set({ x: 1 }), set({ x: 2 })))
    const write = await journal.commit()
    expect(write).toMatchObject({ accept: {}, entries: [], progress: { state: 'completed', output: { x: 2 } } })
    expect(journal.submitted).toHaveLength(1)
  })

  test('the last outcome and the end are one write', async () => {
    const { journal, effects } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    effects[0]?.resolve('last')
    await settled()
    expect(await journal.commit()).toMatchObject({ entries: [{ value: 'last' }], progress: { state: 'completed', output: 'last' } })
    expect(journal.submitted).toHaveLength(2)
  })

  test('outcomes of parallel branches that come during a write go out together with the next', async () => {
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

  test('there is never more than one under way', async () => {
    const { journal, effects } = startTestRun(workflowOf(fork(false, call('a'), call('b'), call('c'))))
    await journal.commit()
    for (const effect of effects) {
      effect.resolve(1)
      await settled()
      expect(journal.held).toHaveLength(1)
    }
  })

  test('there is none when there is nothing to write', async () => {
    const { journal } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    expect(journal.held).toEqual([])
  })

  test('entries carry the decisions before them and the times of their effect', async () => {
    let nowMs = runStartedAtMs
    const choice: TaskBody = { kind: 'switch', cases: [{ when: () => true, then: 'continue' }] }
    const { journal, effects } = startTestRun(workflowOf(choice, call('a')), { now: () => nowMs })
    await journal.commit()
    nowMs += 70
    effects[0]?.resolve(1)
    await settled()
    expect(journal.held[0]?.entries[0]).toMatchObject({ decisions: 's0', startedAtMs: runStartedAtMs, endedAtMs: runStartedAtMs + 70 })
  })

  test('no time goes back, although the clock of the process does', async () => {
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
    expect(journal.held[0]?.entries[0]?.endedAtMs).toBe(runStartedAtMs + 100)
    expect(journal.held[0]?.progress).toMatchObject({ endedAtMs: runStartedAtMs + 100 })
  })

  test('boundaries are told in the order in which things become durable', async () => {
    const { journal, effects, boundaries } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    effects[0]?.resolve(1)
    await settled()
    await journal.commit()
    expect(boundaries).toEqual(['accept-submitted', 'accept-committed', 'effect-starting', 'effect-done', 'end-submitted', 'end-committed'])
  })
})

describe('a write that fails', () => {
  test('loses the run: nothing more begins and nothing more is written', async () => {
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

  test('aborts the effects that are under way', async () => {
    const { journal, effects } = startTestRun(workflowOf(fork(false, call('a'), call('b'))))
    await journal.commit()
    effects[0]?.resolve(1)
    await settled()
    expect(effects[1]?.call.signal.aborted).toBe(false)
    await journal.fail()
    expect(effects[1]?.call.signal.aborted).toBe(true)
  })

  test('at the beginning is told to whoever started it', async () => {
    const { journal, run } = startTestRun(workflowOf(call('a')))
    await journal.fail()
    await expect(run.accepted).rejects.toThrow('the connection was lost')
  })

  test('later does not take back that it was accepted', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    effects[0]?.resolve(1)
    await settled()
    await journal.fail()
    await expect(run.accepted).resolves.toBe(true)
  })
})

test('a write that is refused ends the run before anything of it happens', async () => {
  const { journal, effects, run } = startTestRun(workflowOf(call('a')))
  await journal.refuse()
  await expect(run.accepted).resolves.toBe(false)
  await expect(run.end).resolves.toEqual({ kind: 'refused' })
  expect(effects).toEqual([])
  expect(journal.submitted).toHaveLength(1)
})

describe('an effect', () => {
  test('that fails as it declares is an error of the workflow, kept in the journal', async () => {
    const { journal, effects, run, warnings } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    effects[0]?.reject(standardError('communication', 'down'))
    await settled()
    const write = await journal.commit()
    expect(write.entries[0]).toMatchObject({ ok: false, value: { status: 500, detail: 'down' } })
    expect(run.ended).toMatchObject({ state: 'faulted', error: { detail: 'down', instance: '/do/0/task0' } })
    expect(warnings).toEqual([])
  })

  test('that fails in another way is a runtime error that tells nothing of the reason, which is reported', async () => {
    const { journal, effects, run, warnings } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    effects[0]?.reject(new Error('password=hush'))
    await settled()
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'faulted', error: { title: 'Runtime error', detail: 'the function "a" failed' } })
    expect(JSON.stringify(journal.submitted)).not.toContain('hush')
    expect(warnings).toHaveLength(1)
  })

  test('that asks to be retried later is kept with that, so that a replay waits as long', async () => {
    const retried: TaskBody = {
      kind: 'try',
      tasks: { tasks: [node('x', '/try/0/x', call('a'))] },
      catch: { filter: {}, as: 'error', retry: { delayMs: () => 10, backoff: 'constant' } },
    }
    const first = startTestRun(workflowOf(retried))
    await first.journal.commit()
    first.effects[0]?.reject(new WorkflowError({ type: 'https://t.test/busy', status: 503, title: 'Busy' }, { retryAfterMs: 60_000 }))
    await settled()
    const { entries } = await first.journal.commit()
    expect(entries[0]?.value).toEqual({ type: 'https://t.test/busy', status: 503, title: 'Busy', retryAfterMs: 60_000 })
    const again = startTestRun(workflowOf(retried), { entries })
    await settled()
    expect(again.journal.held[0]?.progress).toEqual({ state: 'waiting', wakeAtMs: runStartedAtMs + 60_000 })
  })

  test('of a function that nobody provides faults', async () => {
    const { journal, run } = startTestRun(workflowOf(call('unknown')))
    await journal.commit()
    await journal.commit()
    expect(run.ended).toMatchObject({
      state: 'faulted',
      error: { title: 'Configuration error', detail: expect.stringContaining('"unknown"') },
    })
  })

  test('gets its arguments, the secrets and a key that is the same when it is done again', async () => {
    const workflow = workflowOf(call('a', { x: 1 }))
    const first = startTestRun(workflow, { secrets: { token: 'hush' } })
    await first.journal.commit()
    const again = startTestRun(workflow, { secrets: { token: 'hush' }, entries: [] })
    await settled()
    expect(first.effects[0]?.call).toMatchObject({
      accountId: 'account',
      executionId: 'execution',
      arguments: { x: 1 },
      secrets: { token: 'hush' },
    })
    expect(again.effects[0]?.call.secrets).toEqual({ token: 'hush' })
    expect(again.effects[0]?.call.idempotencyKey).toBe(first.effects[0]?.call.idempotencyKey)
  })

  test('has another key at another position and fits into a header', async () => {
    const { journal, effects } = startTestRun(workflowOf(fork(false, call('a'), call('b'))))
    await journal.commit()
    const keys = effects.map(({ call: { idempotencyKey } }) => idempotencyKey)
    expect(new Set(keys).size).toBe(2)
    expect(keys.every((key) => /^execution-[0-9a-f]{24}$/.test(key))).toBe(true)
  })

  test('that loses a race is aborted, and what it still gives is ignored', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(fork(true, call('a'), call('b')), call('c')))
    await journal.commit()
    effects[0]?.resolve('won')
    await settled()
    expect(effects[1]?.call.signal.aborted).toBe(true)
    effects[1]?.resolve('too late')
    await journal.commit()
    effects[2]?.resolve('end')
    await settled()
    await journal.commit()
    expect(run.ended).toMatchObject({ output: 'end' })
    expect(journal.submitted.flatMap(({ entries }) => entries.map(({ kind }) => kind))).toEqual(['a', 'c'])
  })

  test('that was abandoned before it could begin never begins', async () => {
    const { journal, effects } = startTestRun(workflowOf(fork(true, list(call('a'), call('b')), call('c')), call('d')))
    await journal.commit()
    effects[0]?.resolve(1)
    await settled()
    effects[1]?.resolve(2)
    await settled()
    await journal.commit()
    await journal.commit()
    expect(effects.map(({ name }) => name)).toEqual(['a', 'c', 'd'])
  })

  test('that ends after the execution is ignored', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(fork(false, call('a'), call('b'))))
    await journal.commit()
    effects[0]?.reject(standardError('runtime', 'no'))
    await settled()
    effects[1]?.resolve('late')
    await settled()
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'faulted' })
    expect(journal.submitted).toHaveLength(2)
  })
})

describe('cancel', () => {
  test('aborts what is under way and ends as cancelled', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a'), call('b')))
    await journal.commit()
    run.cancel()
    expect(effects[0]?.call.signal.aborted).toBe(true)
    expect(run.state).toBe('ending')
    effects[0]?.resolve('late')
    const write = await journal.commit()
    expect(write).toMatchObject({ entries: [], progress: { state: 'cancelled', output: undefined, error: undefined } })
    expect(run.ended).toMatchObject({ kind: 'ended', state: 'cancelled' })
    expect(effects).toHaveLength(1)
  })

  test('before the execution is accepted lets nothing of it begin', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a')))
    run.cancel()
    await journal.commit()
    await journal.commit()
    expect(effects).toEqual([])
    expect(run.ended).toMatchObject({ state: 'cancelled' })
  })

  test('that was asked for before it was resumed comes before everything', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a')), { entries: [], cancelRequested: true })
    await journal.commit()
    expect(effects).toEqual([])
    expect(run.ended).toMatchObject({ state: 'cancelled' })
  })

  test('twice is once, and after the end it is nothing', async () => {
    const { journal, run } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    run.cancel()
    run.cancel()
    await journal.commit()
    run.cancel()
    expect(journal.submitted).toHaveLength(2)
  })

  test('does not undo an end that is being written', async () => {
    const { journal, run } = startTestRun(workflowOf(set({ x: 1 })))
    run.cancel()
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'completed' })
  })

  test('reaches an execution that never waits for anything', async () => {
    const endless = workflowOf({ kind: 'do', tasks: { tasks: [{ ...node('x', '/do/0/x', set({ x: 1 })), then: { goto: 0 } }] } })
    const { journal, run } = startTestRun(endless)
    await journal.commit()
    await settled()
    expect(run.ended).toBeUndefined()
    run.cancel()
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'cancelled' })
  })

  test('is told to children, in the same write', async () => {
    const { journal, run } = startTestRun(workflowOf(runWorkflow('w')))
    await journal.commit()
    await journal.commit()
    run.cancel()
    expect(await journal.commit()).toMatchObject({ cancels: ['child-1'], progress: { state: 'cancelled' } })
  })
})

describe('a bug in a task', () => {
  test('after an outcome faults the execution, keeps the outcome and is reported', async () => {
    const { journal, effects, run, warnings } = startTestRun(workflowOf(fork(false, list(call('a'), bug), call('b'), runWorkflow('w'))))
    await journal.commit()
    await journal.commit()
    effects[0]?.resolve('kept')
    await settled()
    const write = await journal.commit()
    expect(write).toMatchObject({ entries: [{ value: 'kept' }], cancels: ['child-1'], progress: { state: 'faulted' } })
    expect(run.ended).toMatchObject({ error: { title: 'Runtime error', detail: 'an internal error of the engine' } })
    expect(effects[1]?.call.signal.aborted).toBe(true)
    expect(warnings).toHaveLength(1)
  })

  test('of nesting too deeply says so', async () => {
    const deep: TaskBody = {
      kind: 'set',
      value: () => {
        throw new RangeError('Maximum call stack size exceeded')
      },
    }
    const { journal, effects, run } = startTestRun(workflowOf(call('a'), deep))
    await journal.commit()
    effects[0]?.resolve(1)
    await settled()
    await journal.commit()
    expect(run.ended).toMatchObject({ error: { detail: 'the definition nests too deeply' } })
  })
})

describe('a child', () => {
  test('begins when it is committed with the entry that says so', async () => {
    const { journal, children } = startTestRun(workflowOf(runWorkflow('w')))
    await journal.commit()
    expect(journal.held[0]).toMatchObject({
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

  test('gives its outcome to the task, whether it completes or faults', async () => {
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

  test('that nobody waits for lets the task go on when it is committed, and knows no parent', async () => {
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

  test('that ends twice, or is not known, changes nothing', async () => {
    const { journal, run } = startTestRun(workflowOf(runWorkflow('w'), call('a')))
    await journal.commit()
    await journal.commit()
    run.childEnded('stranger', { ok: true, value: 0 })
    run.childEnded('child-1', { ok: true, value: 1 })
    run.childEnded('child-1', { ok: true, value: 2 })
    await journal.commit()
    expect(journal.submitted.flatMap(({ entries }) => entries.filter(({ phase }) => phase === 'ended'))).toHaveLength(1)
  })

  test('that loses a race is cancelled in the write that says who won', async () => {
    const { journal, effects } = startTestRun(workflowOf(fork(true, call('a'), runWorkflow('w'))))
    await journal.commit()
    await journal.commit()
    effects[0]?.resolve('won')
    await settled()
    expect(await journal.commit()).toMatchObject({ entries: [{ value: 'won' }], cancels: ['child-1'] })
  })

  test('of a workflow that does not exist faults the task', async () => {
    const { journal, run, children } = startTestRun(workflowOf(runWorkflow('w')), { resolves: false })
    await journal.commit()
    await journal.commit()
    expect(run.ended).toMatchObject({
      state: 'faulted',
      error: { title: 'Configuration error', detail: 'there is no published workflow "test/w" in version "1.0.0"' },
    })
    expect(children).toEqual([])
  })

  test('tells its parent with its end', async () => {
    const { journal } = startTestRun(workflowOf(set({ x: 1 })), { parentId: 'parent' })
    expect((await journal.commit()).progress).toMatchObject({ tell: 'parent' })
  })
})

describe('a run that is released', () => {
  test('lets effects under way end, begins nothing more and hands the execution over', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a'), call('b')))
    await journal.commit()
    run.release(false)
    expect(effects[0]?.call.signal.aborted).toBe(false)
    effects[0]?.resolve('kept')
    await settled()
    expect(await journal.commit()).toMatchObject({ entries: [{ value: 'kept' }], progress: undefined })
    expect(await journal.commit()).toMatchObject({ progress: { state: 'pending' } })
    expect(effects).toHaveLength(1)
    await expect(run.end).resolves.toEqual({ kind: 'parked' })
  })

  test('by force aborts effects, which are done again by whoever goes on', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    run.release(true)
    expect(effects[0]?.call.signal.aborted).toBe(true)
    effects[0]?.resolve('late')
    expect(await journal.commit()).toMatchObject({ entries: [], progress: { state: 'pending' } })
  })

  test('before it was accepted still accepts it', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a')))
    run.release(false)
    await journal.commit()
    await expect(run.accepted).resolves.toBe(true)
    expect(await journal.commit()).toMatchObject({ progress: { state: 'pending' } })
    expect(effects).toEqual([])
  })

  test('with an effect that has not begun is handed over at once, though it also waits for long', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(fork(false, wait(3_600_000), call('a'))))
    run.release(false)
    await journal.commit()
    expect(await journal.commit()).toMatchObject({ progress: { state: 'pending' } })
    expect(effects).toEqual([])
  })

  test('that has come to its end ends', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    run.release(false)
    effects[0]?.resolve('end')
    await settled()
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'completed', output: 'end' })
  })

  test('that waits for a child hands over and leaves the child alone', async () => {
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
  run.drop(new Error('given up'))
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

  test('begins again what was under way, and only that', async () => {
    const entries = await firstHalf()
    const { journal, effects, run, children } = startTestRun(workflow, { entries })
    await settled()
    expect(effects.map(({ name }) => name)).toEqual(['b'])
    expect(run.children()).toEqual(['child-1'])
    expect(children).toEqual([])
    expect(journal.submitted).toEqual([])
    await expect(run.accepted).resolves.toBe(true)
  })

  test('goes on with its numbers where they ended', async () => {
    const entries = await firstHalf()
    const { journal, effects } = startTestRun(workflow, { entries })
    await settled()
    effects[0]?.resolve('b')
    await settled()
    expect(journal.held[0]?.entries).toEqual([expect.objectContaining({ seq: entries.length, kind: 'b' })])
  })

  test('hears of a child that was begun before', async () => {
    const { journal, effects, run } = startTestRun(workflow, { entries: await firstHalf() })
    await settled()
    run.childEnded('child-1', { ok: true, value: 'child' })
    await journal.commit()
    expect(effects.map(({ name }) => name)).toEqual(['b', 'c'])
  })

  test('ends at once when its journal says so', async () => {
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

  test('of which several effects were open begins every one of them', async () => {
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
    expect(journal.held).toEqual([])
    await vi.advanceTimersByTimeAsync(899)
    expect(journal.held).toEqual([])
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
    await expect(run.end).resolves.toEqual({ kind: 'parked' })
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
    expect(journal.held).toEqual([])
    await vi.advanceTimersByTimeAsync(500)
    await journal.commit()
    expect(await journal.commit()).toMatchObject({ progress: { state: 'waiting', wakeAtMs: runStartedAtMs + 9_000 } })
  })

  test('for a long time while an effect is under way keeps it, until the effect has ended', async () => {
    const { journal, effects } = timed(workflowOf(fork(false, wait(9_000), call('a'))))
    await journal.commit()
    expect(journal.held).toEqual([])
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
    expect(journal.held).toEqual([])
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
    expect(journal.held).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    expect(journal.held).toMatchObject([{ progress: { state: 'waiting' } }])
  })

  test('ends no earlier than it is due, though a timer fires early', async () => {
    let early = 0
    const { journal } = timed(workflowOf(wait(100)), { now: () => Date.now() - early })
    await journal.commit()
    early = 3
    await vi.advanceTimersByTimeAsync(100)
    expect(journal.held).toEqual([])
    await vi.advanceTimersByTimeAsync(3)
    expect(journal.held[0]?.entries[0]?.endedAtMs).toBe(runStartedAtMs + 100)
  })

  test('longer than a timer can count works where nothing is parked', async () => {
    const days40 = 40 * 24 * 60 * 60 * 1_000
    const { journal } = timed(workflowOf(wait(days40)), { parkAfterMs: Number.POSITIVE_INFINITY })
    await journal.commit()
    await vi.advanceTimersByTimeAsync(days40 - 1)
    expect(journal.held).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(journal.held).toHaveLength(1)
  })

  test('that is over by the time it is resumed is over at once', async () => {
    const { journal } = timed(workflowOf(wait(5_000)), { entries: [], now: () => Date.now() + 60_000 })
    await vi.advanceTimersByTimeAsync(0)
    expect(journal.held).toMatchObject([{ entries: [{ kind: 'timer' }], progress: { state: 'completed' } }])
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

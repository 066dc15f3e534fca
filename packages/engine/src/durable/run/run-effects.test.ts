import { describe, expect, test } from 'vitest'
import { standardError, WorkflowError } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import type { TaskBody } from '#core/node.ts'
import type { Reception } from '#durable/ports/reception.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, fork, node, runWorkflow, set, workflowOf } from '#testing/nodes.ts'
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

describe('an effect', () => {
  test('a WorkflowError of an effect is journalled and faults the workflow', async () => {
    const { journal, effects, run, warnings } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    effects[0]?.reject(standardError('communication', 'down'))
    await settled()
    const write = await journal.commit()
    expect(write.entries[0]).toMatchObject({ ok: false, value: { status: 500, detail: 'down' } })
    expect(run.ended).toMatchObject({ state: 'faulted', error: { detail: 'down', instance: '/do/0/task0' } })
    expect(warnings).toEqual([])
  })

  test('a secret of five characters in an output or an error is masked in the journal', async () => {
    const { journal, effects } = startTestRun(workflowOf(set({ echo: 'Bearer hush5' })), { secrets: { token: 'hush5' } })
    expect(effects).toEqual([])
    await settled()
    await journal.commit()
    expect(JSON.stringify(journal.submitted)).not.toContain('hush5')
    expect(JSON.stringify(journal.submitted)).toContain('Bearer ***')
  })

  test('an unexpected error of an effect is a runtime error without its reason, which is logged', async () => {
    const { journal, effects, run, warnings } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    effects[0]?.reject(new Error('password=hush'))
    await settled()
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'faulted', error: { title: 'Runtime error', detail: 'the function "a" failed' } })
    expect(JSON.stringify(journal.submitted)).not.toContain('hush')
    expect(warnings).toHaveLength(1)
  })

  test('a retry delay that an effect asks for is journalled, so that a replay waits as long', async () => {
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
    expect(again.journal.pending[0]?.progress).toEqual({ state: 'waiting', wakeAtMs: runStartedAtMs + 60_000 })
  })

  test.each(['answer', 'emit'] as const)(
    'an effect after an immediate request (%s) is performed once, in a new run and in a resumed run',
    async (kind) => {
      const first: TaskBody =
        kind === 'answer' ? { kind, arguments: () => ({ body: 1 }) } : { kind, event: () => ({ source: 'https://t.test', type: 't' }) }
      const { journal, effects, run } = startTestRun(workflowOf(first, call('a')))
      await journal.commit()
      expect(effects.map(({ name }) => name)).toEqual(['a'])
      effects[0]?.resolve('done')
      await settled()
      await journal.commit()
      expect(run.ended).toMatchObject({ state: 'completed', output: 'done' })
      const again = startTestRun(workflowOf(first, call('a')), { entries: [] })
      await again.journal.commit()
      expect(again.effects.map(({ name }) => name)).toEqual(['a'])
    },
  )

  test('an effect of an unknown function faults', async () => {
    const { journal, run } = startTestRun(workflowOf(call('unknown')))
    await journal.commit()
    await journal.commit()
    expect(run.ended).toMatchObject({
      state: 'faulted',
      error: { title: 'Configuration error', detail: expect.stringContaining('"unknown"') },
    })
  })

  test('an effect receives its arguments, the secrets and an idempotency key that is the same in a repetition', async () => {
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

  test('an idempotency key differs by position and fits into a header', async () => {
    const { journal, effects } = startTestRun(workflowOf(fork(false, call('a'), call('b'))))
    await journal.commit()
    const keys = effects.map(({ call: { idempotencyKey } }) => idempotencyKey)
    expect(new Set(keys).size).toBe(2)
    expect(keys.every((key) => /^execution-[0-9a-f]{24}$/.test(key))).toBe(true)
  })

  test('an effect that loses a race is aborted, and its outcome is ignored', async () => {
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

  test('an effect that was abandoned before its gate opened never begins', async () => {
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

  test('an effect that ends after the execution is ignored', async () => {
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
  test('a cancel aborts the effects under way and ends the execution as cancelled', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a'), call('b')))
    await journal.commit()
    run.cancel()
    expect(effects[0]?.call.signal.aborted).toBe(true)
    expect(run.isRunning).toBe(false)
    effects[0]?.resolve('late')
    const write = await journal.commit()
    expect(write).toMatchObject({ entries: [], progress: { state: 'cancelled', output: undefined, error: undefined } })
    expect(run.ended).toMatchObject({ kind: 'ended', state: 'cancelled' })
    expect(effects).toHaveLength(1)
  })

  test('a cancel before the acceptance lets no effect begin', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a')))
    run.cancel()
    await journal.commit()
    await journal.commit()
    expect(effects).toEqual([])
    expect(run.ended).toMatchObject({ state: 'cancelled' })
  })

  test('a cancel that was requested before a run was resumed comes first', async () => {
    const { journal, effects, run } = startTestRun(workflowOf(call('a')), { entries: [], cancelRequested: true })
    await journal.commit()
    expect(effects).toEqual([])
    expect(run.ended).toMatchObject({ state: 'cancelled' })
  })

  test('a second cancel, or one after the end, changes nothing', async () => {
    const { journal, run } = startTestRun(workflowOf(call('a')))
    await journal.commit()
    run.cancel()
    run.cancel()
    await journal.commit()
    run.cancel()
    expect(journal.submitted).toHaveLength(2)
  })

  test('a cancel does not undo an end that is being written', async () => {
    const { journal, run } = startTestRun(workflowOf(set({ x: 1 })))
    run.cancel()
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'completed' })
  })

  test('a cancel reaches an execution in endless pure work', async () => {
    const endless = workflowOf({ kind: 'do', tasks: { tasks: [{ ...node('x', '/do/0/x', set({ x: 1 })), then: { goto: 0 } }] } })
    const { journal, run } = startTestRun(endless)
    await journal.commit()
    await settled()
    expect(run.ended).toBeUndefined()
    run.cancel()
    await journal.commit()
    expect(run.ended).toMatchObject({ state: 'cancelled' })
  })

  test('a cancel cancels children in the same write', async () => {
    const { journal, run } = startTestRun(workflowOf(runWorkflow('w')))
    await journal.commit()
    await journal.commit()
    run.cancel()
    expect(await journal.commit()).toMatchObject({ cancels: ['child-1'], progress: { state: 'cancelled' } })
  })
})

test('a child that is started and cancelled by the last write of its parent runs, so that its process can cancel it', async () => {
  const prepared = Promise.withResolvers<Json>()
  const reception: Reception = {
    passInput: () => prepared.promise,
    passLabels: (_receiver, labels) => Promise.resolve(labels),
    receive: (_receiver, _source, outcome) => Promise.resolve(outcome),
  }
  const { journal, run, effects, children } = startTestRun(workflowOf(fork(false, call('a'), runWorkflow('w'))), { reception })
  await journal.commit()
  effects[0]?.resolve('done')
  await settled()
  prepared.resolve({})
  await settled()
  run.cancel()
  expect(await journal.commit()).toMatchObject({ entries: [{ value: 'done' }], children: [] })
  const last = await journal.commit()
  expect(last).toMatchObject({ children: [{ head: { id: 'child-1' } }], cancels: ['child-1'], progress: { state: 'cancelled' } })
  expect(children.map(({ id }) => id)).toEqual(['child-1'])
})

describe('a bug in a task', () => {
  test('a bug after an outcome faults the execution, keeps the outcome and is logged', async () => {
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

  test('a stack overflow is reported as a definition that nests too deeply', async () => {
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

  test.each<[times: number, end: object]>([
    [1, { kind: 'ended', state: 'faulted', error: { detail: 'an internal error of the engine' } }],
    [Number.POSITIVE_INFINITY, { kind: 'lost' }],
  ])('a bug outside of the walk, which occurs %d times, ends the run and is logged', async (times, end) => {
    let failures = 0
    const now = () => {
      if (failures > 0) {
        failures -= 1
        throw new Error('the clock failed')
      }
      return runStartedAtMs
    }
    const { journal, effects, run, warnings } = startTestRun(workflowOf(call('a')), { now })
    await journal.commit()
    failures = times
    effects[0]?.resolve(1)
    await settled()
    for (let turns = 0; turns < 5 && journal.pending.length > 0; turns++) await journal.commit()
    expect(run.ended).toMatchObject(end)
    expect(warnings).toHaveLength(Math.min(times, 2))
  })
})

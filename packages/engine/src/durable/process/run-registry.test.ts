import { assert, describe, expect, test, vi } from 'vitest'
import type { CompiledWorkflow, TaskBody } from '#core/node.ts'
import { claimed, createFakeEngine, headOf, snapshot } from '#testing/fake-engine.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, fork, runWorkflow, set, workflowOf } from '#testing/nodes.ts'
import { createRunRegistry } from './run-registry.ts'
import type { EffectCall, EffectFunction } from '#durable/ports/effects.ts'
import type { ExecutionSnapshot } from '#durable/ports/execution.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'

const never: EffectFunction = () => new Promise(() => undefined)
const bug: TaskBody = {
  kind: 'set',
  value() {
    throw new TypeError('a bug')
  },
}

function setUp(workflow: CompiledWorkflow, functions: Readonly<Record<string, EffectFunction>> = { a: never }, liveMax = 10) {
  const fake = createFakeEngine(workflow, functions)
  return { ...fake, live: createRunRegistry(fake.deps, { liveMax }) }
}

async function begin({ live }: Pick<ReturnType<typeof setUp>, 'live'>, id: string) {
  const head = headOf(id)
  const run = await live.begin(head)
  assert(run)
  return run
}

describe('the run registry', () => {
  test('a run occupies a place from its beginning to its end', async () => {
    const it = setUp(workflowOf(set({ x: 1 })), {}, 1)
    expect([it.live.size(), it.live.hasRoom()]).toEqual([0, true])
    const run = await begin(it, 'e1')
    expect([it.live.size(), it.live.hasRoom()]).toEqual([1, false])
    await it.journal.commit()
    await run.end
    expect([it.live.size(), it.live.hasRoom()]).toEqual([0, true])
  })

  test('an execution receives only the secrets that its definition names', async () => {
    const calls: EffectCall[] = []
    const a: EffectFunction = (effectCall) => {
      calls.push(effectCall)
      return never(effectCall)
    }
    const it = setUp({ ...workflowOf(call('a')), secrets: ['token'] }, { a })
    await begin(it, 'e1')
    await it.journal.commit()
    await it.live.resume(claimed('e2'))
    expect(calls.map(({ executionId, secrets }) => ({ executionId, secrets }))).toEqual([
      { executionId: 'e1', secrets: { token: 'secret token' } },
      { executionId: 'e2', secrets: { token: 'secret token' } },
    ])
  })

  test('a run is found until it ends, and only by its own account', async () => {
    const it = setUp(workflowOf(set({ x: 1 })))
    await begin(it, 'e1')
    const run = it.live.find('account', 'e1')
    expect(it.live.find('other-account', 'e1')).toBeUndefined()
    await it.journal.commit()
    await expect(run?.end).resolves.toMatchObject({ kind: 'ended', output: { x: 1 } })
    expect(it.live.find('account', 'e1')).toBeUndefined()
  })

  test('an execution is cancelled by its id, and an unknown id is ignored', async () => {
    const it = setUp(workflowOf(call('a')))
    const run = await begin(it, 'e1')
    await it.journal.commit()
    it.live.cancel('unknown')
    it.live.cancel('e1')
    await it.journal.commit()
    await expect(run.end).resolves.toMatchObject({ state: 'cancelled' })
  })
})

describe('a resumed execution', () => {
  const entry: JournalEntry = {
    seq: 0,
    position: '/do/0/task0',
    phase: 'ended',
    kind: 'a',
    ok: true,
    value: 'kept',
    decisions: '',
    startedAtMs: 0,
    endedAtMs: 0,
  }

  test('a resumed execution continues after the last entry of its journal', async () => {
    const it = setUp(workflowOf(call('a'), set({ x: 1 })))
    const run = await it.live.resume(claimed('e1', { entries: [entry] }))
    await it.journal.commit()
    await expect(run?.end).resolves.toMatchObject({ state: 'completed', output: { x: 1 } })
  })

  test('a resumed execution whose journal does not match faults as diverged, with the position', async () => {
    const it = setUp(workflowOf(set({ x: 1 })))
    const run = await it.live.resume(claimed('e1', { entries: [entry] }))
    await it.journal.commit()
    await expect(run?.end).resolves.toMatchObject({ state: 'faulted', error: { title: 'Diverged', instance: '/do/0/task0' } })
    expect(it.warnings).toEqual([])
  })

  test('a resumed execution faults if its replay has a bug, and the bug is reported', async () => {
    const it = setUp(workflowOf(bug))
    const run = await it.live.resume(claimed('e1'))
    await it.journal.commit()
    await expect(run?.end).resolves.toMatchObject({ state: 'faulted', error: { detail: 'an internal error of the engine' } })
    expect(it.warnings).toEqual(['execution cannot be replayed'])
  })

  test('a resumed execution receives the results of children that ended while no process ran it', async () => {
    const it = setUp(workflowOf(runWorkflow('w')))
    it.answers.children = [snapshot('child', 'completed', { output: 'from child' })]
    const run = await it.live.resume(claimed('e1', { entries: [{ ...entry, phase: 'started', kind: 'workflow', value: 'child' }] }))
    await it.journal.commit()
    await expect(run?.end).resolves.toMatchObject({ output: 'from child' })
  })

  test('a resumed execution receives results and messages that arrived between its claim and its run', async () => {
    const it = setUp(workflowOf(runWorkflow('w')))
    const child: JournalEntry = { ...entry, phase: 'started', kind: 'workflow', value: 'child' }
    const resuming = it.live.resume(claimed('e1', { entries: [child] }))
    // This signal arrives while the definition is being loaded: there is no run yet, and the signal is not repeated.
    it.answers.children = [snapshot('child', 'completed', { output: 'from child' })]
    await it.live.refresh('e1')
    const run = await resuming
    await it.journal.commit()
    await expect(run?.end).resolves.toMatchObject({ output: 'from child' })

    const other = setUp(workflowOf({ kind: 'message', topic: 'sign', arguments: () => null }))
    const open: JournalEntry = { ...entry, phase: 'started', kind: 'wait', value: 'sign' }
    const waiting = other.live.resume(claimed('e2', { entries: [open] }))
    other.answers.messages = [{ id: '1', position: '/do/0/task0', value: 'yes' }]
    await other.live.refresh('e2')
    const answered = await waiting
    await other.journal.commit()
    await expect(answered?.end).resolves.toMatchObject({ state: 'completed', output: 'yes' })
  })

  test('a resumed execution is not parked before it knows which of its children have ended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      const { deps, journal } = createFakeEngine(workflowOf(runWorkflow('w')))
      const read = Promise.withResolvers<readonly ExecutionSnapshot[]>()
      const live = createRunRegistry({ ...deps, store: { ...deps.store, findSnapshots: () => read.promise } }, { liveMax: 10 })
      const resuming = live.resume(claimed('e1', { entries: [{ ...entry, phase: 'started', kind: 'workflow', value: 'child' }] }))
      // The database takes longer than a run waits in memory.
      await vi.advanceTimersByTimeAsync(10_000)
      expect(journal.pending).toEqual([])
      read.resolve([snapshot('child', 'completed', { output: 'from child' })])
      const run = await resuming
      await journal.commit()
      await expect(run?.end).resolves.toMatchObject({ output: 'from child' })
    } finally {
      vi.useRealTimers()
    }
  })

  test('a resumed execution is parked if its child has not ended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      const { deps, journal } = createFakeEngine(workflowOf(runWorkflow('w')))
      const read = Promise.withResolvers<readonly ExecutionSnapshot[]>()
      const live = createRunRegistry({ ...deps, store: { ...deps.store, findSnapshots: () => read.promise } }, { liveMax: 10 })
      const resuming = live.resume(claimed('e1', { entries: [{ ...entry, phase: 'started', kind: 'workflow', value: 'child' }] }))
      await vi.advanceTimersByTimeAsync(10_000)
      read.resolve([])
      const run = await resuming
      expect(await journal.commit()).toMatchObject({ progress: { state: 'waiting' } })
      await expect(run?.end).resolves.toMatchObject({ kind: 'parked' })
    } finally {
      vi.useRealTimers()
    }
  })

  test('a resumed execution whose version does not exist is not started', async () => {
    const it = setUp(workflowOf(set({ x: 1 })))
    await expect(it.live.resume(claimed('e1', { head: headOf('e1', { versionId: 'missing' }) }))).rejects.toThrow('no such version')
    expect(it.live.size()).toBe(0)
  })
})

test('a bug in the first step faults the execution and leaves the process alone', async () => {
  const it = setUp(workflowOf(bug))
  const run = await begin(it, 'e1')
  await it.journal.commit()
  await expect(run.accepted).resolves.toBe(true)
  await expect(run.end).resolves.toMatchObject({ state: 'faulted', error: { status: 500 } })
  expect(it.warnings).toEqual(['an execution faulted because of a bug'])
})

describe('children in this process', () => {
  const parent = () => setUp(workflowOf(fork(false, runWorkflow('w'), call('a'))))

  test('a child in the same process reports its result to its parent without the database', async () => {
    const it = setUp(workflowOf(runWorkflow('w')))
    const nested = {
      ...it.deps,
      definitions: {
        ...it.deps.definitions,
        load: async (_: string, id: string) => workflowOf(id === 'wfv' ? runWorkflow('w') : set({ from: 'child' })),
      },
    }
    const live = createRunRegistry(nested, { liveMax: 10 })
    const run = await begin({ live }, 'e1')
    for (let writes = 0; writes < 4; writes++) await it.journal.commit()
    await expect(run.end).resolves.toMatchObject({ output: { from: 'child' } })
  })

  test('a refresh reads the results of children that ended in other processes', async () => {
    const it = parent()
    await begin(it, 'e1')
    await it.journal.commit()
    await it.journal.commit()
    it.answers.children = [snapshot('id-1', 'running')]
    await it.live.refresh('e1')
    expect(it.journal.pending.filter(({ executionId }) => executionId === 'e1')).toEqual([])
    it.answers.children = [snapshot('id-1', 'cancelled')]
    await it.live.refresh('e1')
    await settled()
    const outcome = it.journal.submitted.flatMap(({ entries }) => entries).find(({ phase }) => phase === 'ended')
    expect(outcome).toMatchObject({ ok: false, value: { status: 500, detail: 'the workflow it ran was cancelled' } })
  })

  test('a refresh of an unknown execution does not query the database', async () => {
    const it = parent()
    await it.live.refresh('unknown')
    expect(it.storeCalls).toEqual([])
  })
})

describe('an execution whose write is lost', () => {
  test('an execution whose commit is uncertain is reported as lost once', async () => {
    const it = setUp(workflowOf(call('a')))
    const run = await begin(it, 'e1')
    await it.journal.fail()
    await expect(run.end).resolves.toMatchObject({ kind: 'lost' })
    expect(it.live.takeLost()).toEqual(['e1'])
    expect(it.live.takeLost()).toEqual([])
    expect(it.warnings).toHaveLength(1)
  })

  test('a lost execution that this process has claimed again is not abandoned', async () => {
    const it = setUp(workflowOf(call('a')))
    const run = await begin(it, 'e1')
    await it.journal.fail()
    await run.end
    const resumed = it.live.resume(claimed('e1'))
    it.live.addLost(['e1', 'e2'])
    expect(it.live.takeLost()).toEqual(['e2'])
    await resumed
    it.live.addLost(['e1'])
    expect(it.live.takeLost()).toEqual([])
  })

  test('executions can be added to the lost ones', () => {
    const it = setUp(workflowOf(call('a')))
    it.live.addLost(['e1', 'e2'])
    expect(it.live.takeLost()).toEqual(['e1', 'e2'])
  })
})

test('a fenced process drops its runs and writes nothing more for them', async () => {
  const it = setUp(workflowOf(call('a')))
  const runs = [await begin(it, 'e1'), await begin(it, 'e2')]
  it.live.dropAll()
  await Promise.all(runs.map(({ end }) => end))
  expect(it.live.size()).toBe(0)
  expect(it.journal.submitted).toHaveLength(2)
})

test('a fenced process does not abandon the claims of what it ran before: others run it, or this process claims it anew', async () => {
  const it = setUp(workflowOf(call('a')))
  const run = await begin(it, 'e1')
  it.live.addLost(['e2'])
  it.live.dropAll()
  await run.end
  expect(it.live.takeLost()).toEqual([])
  expect(it.warnings).toEqual([])
})

test.each(['replayed', 'read'])('an execution whose journal is being %s when its process is fenced does not run', async (until) => {
  const fake = createFakeEngine(workflowOf(call('a')), { a: never })
  const loaded = Promise.withResolvers<CompiledWorkflow>()
  const live = createRunRegistry({ ...fake.deps, definitions: { ...fake.deps.definitions, load: () => loaded.promise } }, { liveMax: 10 })
  const resuming = live.resume(claimed('e1'))
  live.dropAll()
  if (until === 'read') loaded.reject(new Error('the database is away'))
  else loaded.resolve(workflowOf(call('a')))
  expect(await resuming).toBeUndefined()
  expect(await live.resume(claimed('e2'), live.lease() - 1)).toBeUndefined()
  expect(live.size()).toBe(0)
  expect(live.takeLost()).toEqual([])
  expect(fake.journal.submitted).toEqual([])
})

describe('a drain', () => {
  test('a drain accepts no new executions and hands over those that do not end', async () => {
    const it = setUp(workflowOf(call('a')))
    const run = await begin(it, 'e1')
    await it.journal.commit()
    const drained = it.live.drain(Date.now())
    expect(it.live.hasRoom()).toBe(false)
    await settled()
    expect(await it.journal.commit()).toMatchObject({ progress: { state: 'pending' } })
    await drained
    await expect(run.end).resolves.toMatchObject({ kind: 'parked' })
    expect(it.storeCalls).toEqual([])
  })

  test('a drain hands over a child that is accepted meanwhile, and an execution whose journal is being read', async () => {
    const fake = createFakeEngine(workflowOf(runWorkflow('w')))
    const loaded = Promise.withResolvers<CompiledWorkflow>()
    const load = (_accountId: string, versionId: string) =>
      versionId === 'slow' ? loaded.promise : fake.deps.definitions.load(_accountId, versionId)
    const live = createRunRegistry({ ...fake.deps, definitions: { ...fake.deps.definitions, load } }, { liveMax: 10 })
    await live.begin(headOf('e1'))
    await fake.journal.commit()
    // The write that starts the child is under way.
    expect(fake.journal.pending).toMatchObject([{ children: [{ startedAtMs: expect.any(Number) }] }])
    const resuming = live.resume(claimed('e2', { head: headOf('e2', { versionId: 'slow' }) }))
    const drained = live.drain(Date.now() + 60_000)
    const { children } = await fake.journal.commit()
    loaded.reject(new Error('the database is away'))
    expect(await fake.journal.commit()).toMatchObject({ executionId: 'e1', progress: { state: 'pending' } })
    await drained
    expect(await resuming).toBeUndefined()
    expect(fake.storeCalls.filter((one) => one.startsWith('release'))).toEqual([`release ${children[0]?.head.id},e2`])
    expect(fake.warnings).toEqual([])
  })

  test('a drain releases the lost executions', async () => {
    const it = setUp(workflowOf(call('a')))
    it.live.addLost(['e9'])
    await it.live.drain(Date.now())
    expect(it.storeCalls).toEqual(['release e9'])
  })

  test('a drain without runs ends at once', async () => {
    const it = setUp(workflowOf(call('a')))
    await it.live.drain(Date.now() + 60_000)
    expect(it.storeCalls).toEqual([])
  })
})

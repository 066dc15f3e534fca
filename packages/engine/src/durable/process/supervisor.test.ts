import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { claimed, createFakeEngine } from '#testing/fake-engine.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, workflowOf } from '#testing/nodes.ts'
import { createRunRegistry } from './run-registry.ts'
import { createSupervisor } from './supervisor.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function supervised(prepare: (it: ReturnType<typeof setUp>) => unknown = () => undefined) {
  const it = setUp()
  await prepare(it)
  it.supervisor.start()
  await settled()
  await it.supervisor.stop()
  return it
}

function setUp() {
  const fake = createFakeEngine(workflowOf(call('a')), { a: () => new Promise(() => undefined) })
  const live = createRunRegistry(fake.deps, { liveMax: 10 })
  return { ...fake, live, supervisor: createSupervisor(fake.deps, live, { liveMax: 10, recoverMs: 60_000 }) }
}

describe('a supervisor', () => {
  test('a supervisor renews the lease and recovers executions as soon as it starts', async () => {
    const { storeCalls } = await supervised()
    expect(storeCalls).toEqual(expect.arrayContaining(['heartbeat', 'recover']))
  })

  test('a supervisor polls signals only while executions run', async () => {
    expect((await supervised()).storeCalls).not.toContain('signals')
    const { storeCalls } = await supervised(({ live }) => live.resume(claimed('e1')))
    expect(storeCalls).toContain('signals')
  })

  test('a supervisor cancels the executions that have a cancel signal', async () => {
    const { journal } = await supervised(async ({ live, answers }) => {
      await live.resume(claimed('e1'))
      answers.signals.push({ id: 'e1', cancel: true, suspend: false, at: 'now' })
    })
    expect(journal.pending).toMatchObject([{ executionId: 'e1', progress: { state: 'cancelled' } }])
  })

  test('a signal about children does not end their parent', async () => {
    const { journal, live } = await supervised(async ({ live: runs, answers }) => {
      await runs.resume(claimed('e1'))
      answers.signals.push({ id: 'e1', cancel: false, suspend: false, at: 'now' })
    })
    expect(journal.pending).toEqual([])
    expect(live.size()).toBe(1)
  })

  test('a supervisor abandons the claims of lost executions', async () => {
    const { storeCalls, live } = await supervised(({ live: runs }) => runs.addLost(['e1', 'e2']))
    expect(storeCalls).toContain('abandonClaims e1,e2')
    expect(live.takeLost()).toEqual([])
  })

  test('lost executions are kept and the failure is reported if their claims cannot be abandoned yet', async () => {
    const { live, warnings } = await supervised(({ live: runs, answers }) => {
      runs.addLost(['e1'])
      answers.failing = 'abandonClaims'
    })
    expect(live.takeLost()).toEqual(['e1'])
    expect(warnings).toEqual(['polling of signals failed'])
  })

  test('a fenced process drops its runs before it registers again', async () => {
    const { storeCalls, live, warnings } = await supervised(async ({ live: runs, answers }) => {
      await runs.resume(claimed('e1'))
      answers.alive = false
    })
    expect(live.size()).toBe(0)
    expect(storeCalls).toContain('register')
    expect(storeCalls.some((name) => name.startsWith('abandonClaims'))).toBe(false)
    expect(warnings).toEqual(['process fenced; its executions were reassigned'])
  })

  test('a supervisor logs nothing if there was nothing to recover', async () => {
    expect((await supervised()).warnings).toEqual([])
  })
})

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
  test('says that the process lives and looks for executions of others, at once', async () => {
    const { storeCalls: asked } = await supervised()
    expect(asked).toEqual(expect.arrayContaining(['heartbeat', 'recover']))
  })

  test('asks for signals only while something runs', async () => {
    expect((await supervised()).storeCalls).not.toContain('signals')
    const { storeCalls: asked } = await supervised(({ live }) => live.resume(claimed('e1')))
    expect(asked).toContain('signals')
  })

  test('cancels what it is told to', async () => {
    const { journal } = await supervised(async ({ live, answers }) => {
      await live.resume(claimed('e1'))
      answers.signals.push({ id: 'e1', cancel: true, suspend: false, at: 'now' })
    })
    expect(journal.pending).toMatchObject([{ executionId: 'e1', progress: { state: 'cancelled' } }])
  })

  test('leaves what it has only heard of children running', async () => {
    const { journal, live } = await supervised(async ({ live: given, answers }) => {
      await given.resume(claimed('e1'))
      answers.signals.push({ id: 'e1', cancel: false, suspend: false, at: 'now' })
    })
    expect(journal.pending).toEqual([])
    expect(live.size()).toBe(1)
  })

  test('gives up what was lost, so that it is recovered', async () => {
    const { storeCalls: asked, live } = await supervised(({ live: given }) => given.lose(['e1', 'e2']))
    expect(asked).toContain('abandonClaims e1,e2')
    expect(live.takeLost()).toEqual([])
  })

  test('keeps what was lost when it cannot be given up yet, and says so', async () => {
    const { live, warnings } = await supervised(({ live: given, answers }) => {
      given.lose(['e1'])
      answers.failing = 'abandonClaims'
    })
    expect(live.takeLost()).toEqual(['e1'])
    expect(warnings).toEqual(['polling of signals failed'])
  })

  test('of a fenced process drops its executions before it registers again', async () => {
    const {
      storeCalls: asked,
      live,
      warnings,
    } = await supervised(async ({ live: given, answers }) => {
      await given.resume(claimed('e1'))
      answers.alive = false
    })
    expect(live.size()).toBe(0)
    expect(asked).toContain('register')
    expect(asked.some((name) => name.startsWith('abandonClaims'))).toBe(false)
    expect(warnings).toContain('process fenced; its executions were reassigned')
  })

  test('says nothing when there was nothing to recover', async () => {
    expect((await supervised()).warnings).toEqual([])
  })
})

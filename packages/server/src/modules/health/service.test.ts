import { expect, test, describe } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { watchEventLoop } from './event-loop.ts'
import { createHealth, type Installation, type Part } from './index.ts'
import { statusOfStrain, worst } from './model.ts'

const installation: Installation = {
  version: '1.2.3',
  address: 'https://millrace.example.com',
  startedAt: new Date(0),
  roles: ['api'],
  home: '/',
  migrations: [1, 2],
  models: [],
  providers: [],
}

async function healthOf(given: Partial<Installation>) {
  const db = await createTestDatabase()
  const health = createHealth({
    db: db.database.system,
    isOut: () => false,
    pool: () => ({ total: 0, idle: 0, waiting: 0 }),
    eventLoop: { read: () => ({ mean: 0, p99: 0 }) },
    memory: () => ({ rss: 2, heapUsed: 1 }),
    clock: () => 0,
    modelsOf: () => Promise.resolve([]),
    mailTrouble: () => Promise.resolve(undefined),
    testMail: () => Promise.reject(new Error('these tests send no mail')),
    installation: { ...installation, ...given },
  })
  return { health, [Symbol.asyncDispose]: () => db.drop() }
}

const part = (name: string, probe: Part['probe'], configured = true): Part => ({ name, configured, probe })

describe('a part', () => {
  test('a part that responds is reachable, one that fails shows the cause, and an unconfigured one is not called', async () => {
    await using scene = await healthOf({
      providers: [
        part('mail', () => Promise.resolve()),
        part('payment', () => Promise.reject(new Error('connection refused'))),
        part('storage', () => Promise.reject(new Error('never asked')), false),
      ],
    })
    expect(await scene.health.providers()).toEqual({
      status: 'degraded',
      data: [
        { name: 'mail', configured: true, reachable: true, latencyMs: 0, detail: null },
        { name: 'payment', configured: true, reachable: false, latencyMs: null, detail: 'connection refused' },
        { name: 'storage', configured: false, reachable: null, latencyMs: null, detail: null },
      ],
    })
  })
})

describe('the database', () => {
  test('an unreachable database is down, with its last known migrations', async () => {
    const db = await createTestDatabase()
    const health = createHealth({
      db: db.database.system,
      isOut: () => false,
      pool: () => ({ total: 0, idle: 0, waiting: 0 }),
      eventLoop: { read: () => ({ mean: 0, p99: 0 }) },
      memory: () => ({ rss: 2, heapUsed: 1 }),
      clock: () => 0,
      modelsOf: () => Promise.resolve([]),
      mailTrouble: () => Promise.resolve(undefined),
      testMail: () => Promise.reject(new Error('these tests send no mail')),
      installation,
    })
    const { migrations } = await health.database()
    await db.drop()
    expect(await health.database()).toEqual({ status: 'down', latencyMs: null, migrations, pool: { total: 0, idle: 0, waiting: 0 } })
  })
})

describe('the whole', () => {
  test('the overall state is that of the worst part', () => {
    expect(worst(['ok', 'degraded', 'ok'])).toBe('degraded')
    expect(worst(['degraded', 'down'])).toBe('down')
    expect(worst([])).toBe('ok')
  })

  const fine = {
    queue: { depth: 0, active: 0, deadLetters: 5, oldestWaitingSeconds: null },
    disk: { freeBytes: 50, totalBytes: 100 },
    eventLoopDelayMs: { mean: 1, p99: 5 },
  }

  test('unclaimed jobs, a full disk and a late event loop degrade the overall state', () => {
    expect(statusOfStrain(fine)).toBe('ok')
    expect(statusOfStrain({ ...fine, disk: null })).toBe('ok')
    expect(statusOfStrain({ ...fine, queue: { ...fine.queue, oldestWaitingSeconds: 61 } })).toBe('degraded')
    expect(statusOfStrain({ ...fine, disk: { freeBytes: 4, totalBytes: 100 } })).toBe('degraded')
    expect(statusOfStrain({ ...fine, eventLoopDelayMs: { mean: 1, p99: 501 } })).toBe('degraded')
  })
})

describe('the event loop', () => {
  test('the delay of the event loop is about the time for which it was blocked', async () => {
    const watch = watchEventLoop()
    try {
      await new Promise((resolve) => setTimeout(resolve, 60))
      const until = performance.now() + 200
      while (performance.now() < until);
      await new Promise((resolve) => setTimeout(resolve, 60))
      expect(watch.read().p99).toBeGreaterThan(100)
    } finally {
      watch.stop()
    }
  })
})

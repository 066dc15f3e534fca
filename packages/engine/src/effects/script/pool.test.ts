import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createScriptPool, type ScriptPool, type ScriptPoolOptions } from './pool.ts'

const pools: ScriptPool[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

function poolOf(options: ScriptPoolOptions = {}): ScriptPool {
  const pool = createScriptPool(options)
  pools.push(pool)
  return pool
}

function run(pool: ScriptPool, code: string, accountId = 'account', signal = new AbortController().signal) {
  return pool.run({ code, stdin: '', arguments: [], environment: {} }, { accountId, signal })
}

/** Runs a short script until its time lasts: on a busy machine, a limit that endless scripts soon reach may be too short for it. */
async function untilExited(pool: ScriptPool, code: string) {
  for (;;) {
    const outcome = await run(pool, code)
    if (outcome.kind === 'exited') return outcome
  }
}

const endless = 'for (;;);'
const done = { kind: 'exited', code: 0, stdout: 'done\n', stderr: '' }

test('there is no thread before the first script', () => {
  expect(poolOf().size()).toBe(0)
})

test('a script runs in a thread, which the next one uses again', async () => {
  const pool = poolOf()
  expect(await run(pool, `console.log('done')`)).toEqual(done)
  expect(await run(pool, `console.log('done')`)).toEqual(done)
  expect(pool.size()).toBe(1)
})

test('there are no more threads than allowed, and every script has its turn', async () => {
  const pool = poolOf({ workersMax: 2 })
  const runs = Array.from({ length: 20 }, (_, index) => run(pool, `process.stdout.write('${index}')`))
  expect(pool.size()).toBe(2)
  const outcomes = await Promise.all(runs)
  expect(outcomes.map((outcome) => outcome.kind === 'exited' && outcome.stdout)).toEqual(runs.map((_, index) => String(index)))
  expect(pool.size()).toBe(2)
})

test('a thread without work ends', async () => {
  const pool = poolOf({ idleMs: 50 })
  await run(pool, '1')
  await vi.waitFor(() => expect(pool.size()).toBe(0))
  expect(await run(pool, `console.log('done')`)).toEqual(done)
})

test('scripts do not block this thread', async () => {
  const pool = poolOf({ limits: { timeoutMs: 60_000 } })
  const controller = new AbortController()
  const running = run(pool, endless, 'account', controller.signal)
  // This thread is free to abort it, long before its limit of time.
  await pause(1)
  controller.abort(new Error('not wanted any more'))
  await expect(running).rejects.toThrow('not wanted any more')
})

test('60 endless scripts of one account do not delay the script of another', async () => {
  const pool = poolOf({ limits: { timeoutMs: 60_000 } })
  let ended = 0
  for (let index = 0; index < 60; index += 1)
    run(pool, endless, 'attacker').then(
      () => (ended += 1),
      () => undefined,
    )
  for (let index = 0; index < 3; index += 1) expect(await run(pool, `console.log('done')`, 'victim')).toEqual(done)
  expect(ended).toBe(0)
})

test('accounts take turns', async () => {
  const pool = poolOf({ workersMax: 1, workersMaxContended: 1 })
  const order: string[] = []
  const note = (name: string, accountId: string) => run(pool, '1', accountId).then(() => order.push(name))
  await Promise.all([note('a1', 'a'), note('a2', 'a'), note('a3', 'a'), note('b1', 'b'), note('c1', 'c')])
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
})

test('one account cannot let more scripts wait than allowed, and others are not touched by that', async () => {
  const pool = poolOf({ workersMax: 1, workersMaxContended: 1, queuedMax: 2 })
  const runs = [run(pool, '1', 'a'), run(pool, '1', 'a'), run(pool, '1', 'a')]
  await expect(run(pool, '1', 'a')).rejects.toThrow('2 jobs of the account wait for a thread')
  expect(await run(pool, `console.log('done')`, 'b')).toEqual(done)
  expect(await Promise.all(runs)).toHaveLength(3)
})

describe('an abort', () => {
  test('ends a running script, with the reason of the signal', async () => {
    const pool = poolOf({ limits: { timeoutMs: 60_000 } })
    await run(pool, '1')
    const controller = new AbortController()
    const running = run(pool, endless, 'account', controller.signal)
    await pause(50)
    controller.abort(new Error('not wanted any more'))
    await expect(running).rejects.toThrow('not wanted any more')
    await vi.waitFor(() => expect(pool.size()).toBe(0))
  })

  test.each([
    ['a regular expression', `/^(a+)+$/.test('a'.repeat(50) + 'b')`],
    ['large numbers', `for (;;) try { 3n ** 2000000n } catch {}`],
    ['promises', `for (;;) await null`],
  ])('ends what nothing else could: %s', async (_, code) => {
    const pool = poolOf({ limits: { timeoutMs: 60_000 } })
    await run(pool, '1')
    const controller = new AbortController()
    const running = run(pool, code, 'account', controller.signal)
    await pause(300)
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    await vi.waitFor(() => expect(pool.size()).toBe(0))
  })

  test('takes a waiting script out of the queue', async () => {
    const pool = poolOf({ workersMax: 1 })
    const controller = new AbortController()
    const first = run(pool, `console.log('done')`)
    const waiting = run(pool, endless, 'account', controller.signal)
    controller.abort(new Error('not wanted any more'))
    await expect(waiting).rejects.toThrow('not wanted any more')
    expect(await first).toEqual(done)
    expect(await run(pool, `console.log('done')`)).toEqual(done)
  })

  test('while its thread starts leaves the thread to the next', async () => {
    const pool = poolOf({ workersMax: 1 })
    const controller = new AbortController()
    const starting = run(pool, endless, 'account', controller.signal)
    controller.abort(new Error('not wanted any more'))
    await expect(starting).rejects.toThrow('not wanted any more')
    expect(await run(pool, `console.log('done')`)).toEqual(done)
    expect(pool.size()).toBe(1)
  })

  test('before the start starts nothing', async () => {
    const pool = poolOf()
    await expect(run(pool, endless, 'account', AbortSignal.abort(new Error('never')))).rejects.toThrow('never')
    expect(pool.size()).toBe(0)
  })

  test('after the end changes nothing', async () => {
    const pool = poolOf()
    const controller = new AbortController()
    await run(pool, '1', 'account', controller.signal)
    controller.abort()
    expect(await run(pool, `console.log('done')`)).toEqual(done)
  })
})

describe('a stopped thread is replaced', () => {
  test.each([
    ['out of time', endless, 'time', 1_000],
    // A busy machine must not use up the time before the memory.
    ['out of memory', `const all = []; for (;;) all.push(new Uint8Array(1e6))`, 'memory', 60_000],
  ])('%s', async (_, code, limit, timeoutMs) => {
    const pool = poolOf({ workersMax: 1, limits: { timeoutMs } })
    expect(await run(pool, code)).toEqual({ kind: 'limit', limit })
    expect(await untilExited(pool, `console.log('done')`)).toEqual(done)
    expect(pool.size()).toBe(1)
  })

  test('many at once', async () => {
    const pool = poolOf({ limits: { timeoutMs: 500 } })
    const short = () => untilExited(pool, '1')
    const outcomes = await Promise.all([run(pool, endless), short(), run(pool, endless), short(), run(pool, endless), short()])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['limit', 'exited', 'limit', 'exited', 'limit', 'exited'])
  })
})

describe('when it is closed', () => {
  test('what runs and what waits is refused, and no thread is left', async () => {
    const pool = poolOf({ workersMax: 1 })
    const runs = [run(pool, endless), run(pool, endless)].map((one) => one.catch(String))
    await pause(100)
    await pool.close()
    expect(await Promise.all(runs)).toEqual(Array.from(runs, () => 'ThreadPoolError: the thread pool was closed'))
    await vi.waitFor(() => expect(pool.size()).toBe(0))
  })

  test('a thread that just starts ends', async () => {
    const pool = poolOf()
    const running = run(pool, endless).catch(String)
    await pool.close()
    expect(await running).toContain('the thread pool was closed')
    await vi.waitFor(() => expect(pool.size()).toBe(0))
  })

  test('nothing is taken any more', async () => {
    const pool = poolOf()
    await pool.close()
    await expect(run(pool, '1')).rejects.toThrow('the thread pool is closed')
  })

  test('closing twice does no harm', async () => {
    const pool = poolOf()
    await run(pool, '1')
    await pool.close()
    await pool.close()
    expect(pool.size()).toBe(0)
  })
})

describe('a process with a pool ends by itself', () => {
  const index = JSON.stringify(fileURLToPath(new URL('./index.ts', import.meta.url)))
  const start = `const { createScriptPool } = await import(${index}); const pool = createScriptPool({ limits: { timeoutMs: 600_000 } });
    const run = (code) => pool.run({ code, stdin: '', arguments: [], environment: {} }, { accountId: 'a', signal: new AbortController().signal });`

  test.each([
    ['that runs nothing', ``],
    ['that is idle', `const keep = setInterval(() => {}, 1000); await run('1'); clearInterval(keep)`],
    ['whose script never ends', `void run('for (;;);')`],
  ])('%s', async (_, code) => {
    const ended = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', start + code], { timeout: 100_000 })
    await expect(ended).resolves.toMatchObject({ stderr: '' })
  })
})

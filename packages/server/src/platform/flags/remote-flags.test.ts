import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startOfrepServer } from '#testing/ofrep-server.ts'
import { createOfrepProvider } from './ofrep-provider.ts'
import { createRemoteFlags } from './remote-flags.ts'

const minuteMs = 60_000

let server: Awaited<ReturnType<typeof startOfrepServer>>
let at = 0
let changes: string[] = []
beforeEach(async () => {
  server = await startOfrepServer('secret')
  at = 0
  changes = []
})
afterEach(() => server[Symbol.asyncDispose]())

async function open(token = 'secret') {
  return await createRemoteFlags({
    provider: await createOfrepProvider({ url: server.url, token, timeoutMs: 10_000 }, fetch),
    domain: randomUUID(),
    flags: ['one', 'two'],
    configured: new Set(['two', 'three']),
    cachedMs: minuteMs,
    clock: () => at,
    onChange: (change) => changes.push(change),
  })
}

test('a flag is that of the provider, and one that the provider does not know is that of the configuration', async () => {
  server.flags.set('one', true)
  const flags = await open()
  await flags.refresh()
  expect([flags.has('one'), flags.has('two'), await flags.hasFor('three', 'a'), await flags.hasFor('four', 'a')]).toEqual([
    true,
    true,
    true,
    false,
  ])
  server.flags.set('two', false)
  await flags.refresh()
  expect(flags.has('two')).toBe(false)
  expect(changes).toEqual([])
})

test('an account is the targeting key, and is evaluated once in its time, by one of concurrent requests', async () => {
  server.flags.set('one', (key) => key === 'a')
  const flags = await open()
  expect(await Promise.all(['a', 'a', 'b', 'a'].map((account) => flags.hasFor('one', account)))).toEqual([true, true, false, true])
  expect(server.asked.map(({ context }) => context)).toEqual([
    { targetingKey: 'a', account: 'a' },
    { targetingKey: 'b', account: 'b' },
  ])
  server.flags.set('one', false)
  at = minuteMs - 1
  expect(await flags.hasFor('one', 'a')).toBe(true)
  at = minuteMs
  expect(await flags.hasFor('one', 'a')).toBe(false)
})

test('while the provider is away the last values stay, those without one are of the configuration, and it is not asked again at once', async () => {
  server.flags.set('one', true).set('two', false)
  const flags = await open()
  await flags.refresh()
  await flags.hasFor('one', 'a')
  server.state.isAway = true
  at = minuteMs
  await flags.refresh()
  expect([flags.has('one'), flags.has('two')]).toEqual([true, false])
  expect([await flags.hasFor('one', 'a'), await flags.hasFor('one', 'new'), await flags.hasFor('two', 'new')]).toEqual([true, false, true])
  expect(changes).toEqual(['failed'])
  server.state.isAway = false
  await flags.refresh()
  expect(changes).toEqual(['failed'])
  at += 30_000
  server.flags.set('one', false)
  await flags.refresh()
  expect([flags.has('one'), changes]).toEqual([false, ['failed', 'recovered']])
})

test.each<[string, (token: string) => Promise<Awaited<ReturnType<typeof open>>>]>([
  ['that refuses the token', () => open('another')],
  ['whose value is not a boolean', () => (server.flags.set('two', () => 'off'), open())],
])('of a provider %s the configuration applies', async (_name, opened) => {
  const flags = await opened('secret')
  await flags.refresh()
  expect([flags.has('one'), flags.has('two'), changes]).toEqual([false, true, ['failed']])
})

test('a flag whose value is wrong is reported once, and the flags after it are evaluated', async () => {
  server.flags.set('one', () => 'off').set('two', false)
  const flags = await open()
  await flags.refresh()
  await flags.refresh()
  expect([flags.has('one'), flags.has('two'), await flags.hasFor('two', 'a'), changes]).toEqual([false, false, false, ['failed']])
  server.flags.set('one', true)
  await flags.refresh()
  expect([flags.has('one'), changes]).toEqual([true, ['failed', 'recovered']])
})

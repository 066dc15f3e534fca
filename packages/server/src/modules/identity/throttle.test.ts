import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Called, goodPassword, type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'
import { deleteForgottenThrottles } from './throttle-store.ts'

const rule = { delaySecondsFirst: 1, delaySecondsMax: 900, forgetSeconds: 86_400 }
const attacker = { ip: '198.51.100.66' }

let server: IdentityServer
beforeAll(async () => {
  server = await startIdentityServer({
    settings: { throttleRules: { address: { ...rule, freeFailures: 8 }, account: { ...rule, freeFailures: 3 } } },
    connectionsMax: 12,
  })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  await server.reset()
  await server.register('ada@example.com')
})

const guess = (email: string, ip: string): Promise<Called> => server.login(email, 'a wrong guess', { ip })
const waitOf = ({ headers }: Called) => Number(headers['retry-after'])

/** An address of its own for each attempt, so that the account alone is what is counted. */
let attempts = 0
const elsewhere = () => `203.0.113.${(attempts = (attempts % 250) + 1)}`

async function guessUntilBlocked(email: string): Promise<Called> {
  for (let i = 0; i < 10; i++) {
    const reply = await guess(email, elsewhere())
    if (reply.status === 429) return reply
  }
  throw new Error('Ten guesses were not slowed down.')
}

test('guesses at one account are slowed down from wherever they come, twice as long each time', async () => {
  const waits: number[] = []
  for (let i = 0; i < 5; i++) {
    const blocked = await guessUntilBlocked('ada@example.com')
    expect(blocked.body.code).toBe('rate_limited')
    waits.push(waitOf(blocked))
    server.clock.at += waitOf(blocked) * 1000
  }
  expect(waits).toEqual([1, 2, 4, 8, 16])
})

test('an address without a user is throttled like one with a user', async () => {
  const known = await guessUntilBlocked('ada@example.com')
  const unknown = await guessUntilBlocked('unknown@example.com')
  expect(waitOf(unknown)).toBe(waitOf(known))
  expect({ ...unknown.body, requestId: '' }).toEqual({ ...known.body, requestId: '' })
})

test('while it is blocked even the right password is refused, and the wait does not grow', async () => {
  const blocked = await guessUntilBlocked('ada@example.com')
  for (let i = 0; i < 5; i++) expect((await server.login('ada@example.com', goodPassword, { ip: elsewhere() })).status).toBe(429)
  server.clock.at += waitOf(blocked) * 1000
  expect((await server.login('ada@example.com', goodPassword, { ip: elsewhere() })).status).toBe(200)
})

test('a free failure blocks no attempt of another process whose clock is a second behind', async () => {
  const statuses: number[] = []
  for (const step of [0, -1000, -1000]) {
    server.clock.at += step
    statuses.push((await guess('ada@example.com', attacker.ip)).status)
  }
  expect(statuses).toEqual([401, 401, 401])
})

test('the wait has an end, however often is guessed', async () => {
  for (let i = 0; i < 15; i++) server.clock.at += waitOf(await guessUntilBlocked('ada@example.com')) * 1000
  expect(waitOf(await guessUntilBlocked('ada@example.com'))).toBe(rule.delaySecondsMax)
})

test('guesses at many accounts from one address are slowed down', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 10; i++) statuses.push((await guess(`user${i}@example.com`, attacker.ip)).status)
  expect(statuses).toEqual([...Array.from({ length: 9 }, () => 401), 429])
  expect((await guess('ada@example.com', elsewhere())).status).toBe(401)
})

test('addresses of one IPv6 network count as one', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 10; i++) statuses.push((await guess(`user${i}@example.com`, `2001:db8:1:2::${i + 1}`)).status)
  expect(statuses.at(-1)).toBe(429)
  expect((await guess('user@example.com', '2001:db8:1:3::1')).status).toBe(401)
})

test('guessing from elsewhere cannot lock a user out of an address from which the user has signed in', async () => {
  for (let i = 0; i < 6; i++) server.clock.at += waitOf(await guessUntilBlocked('ada@example.com')) * 1000
  await guessUntilBlocked('ada@example.com')
  expect((await server.login('ada@example.com')).status).toBe(200)
})

test('guesses from a familiar address are slowed down too', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) statuses.push((await guess('ada@example.com', '192.0.2.1')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 429])
})

test('signing in with an own account between guesses does not reset the count of the address', async () => {
  await server.register('eve@example.com', {}, attacker)
  let refused = 0
  for (let i = 0; i < 20; i++) {
    if ((await guess(`victim${i}@example.com`, attacker.ip)).status === 429) refused++
    await server.login('eve@example.com', goodPassword, attacker)
  }
  expect(refused).toBeGreaterThan(5)
})

test('signing in rightly again and again is never slowed down', async () => {
  for (let i = 0; i < 30; i++) expect((await server.login('ada@example.com')).status).toBe(200)
})

test('the right password starts the account anew', async () => {
  for (let round = 0; round < 3; round++) {
    const ip = elsewhere()
    for (let i = 0; i < 3; i++) expect((await guess('ada@example.com', ip)).status).toBe(401)
    expect((await server.login('ada@example.com', goodPassword, { ip })).status).toBe(200)
  }
})

test('fifty guesses at the same time get no more tries than fifty in a row', async () => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => guess('ada@example.com', elsewhere())))
  expect(replies.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(4)
})

test('failures are forgotten after a day without one', async () => {
  for (let i = 0; i < 4; i++) server.clock.at += waitOf(await guessUntilBlocked('ada@example.com')) * 1000
  server.clock.at += rule.forgetSeconds * 1000
  expect(waitOf(await guessUntilBlocked('ada@example.com'))).toBe(1)
})

test('a throttle whose count would be reset is deleted, and a blocked one stays', async () => {
  await guessUntilBlocked('ada@example.com')
  expect(await deleteForgottenThrottles(server.db, new Date(server.clock.at - 1), 1000)).toBe(0)
  server.clock.at += rule.forgetSeconds * 1000
  expect(await deleteForgottenThrottles(server.db, server.now(), 1000)).toBeGreaterThan(1)
  expect((await guess('ada@example.com', elsewhere())).status).toBe(401)
})

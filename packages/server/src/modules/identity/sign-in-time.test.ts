import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createPasswordHasher } from '#platform/auth/password-hasher.ts'
import { type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'

const tries = inject('deep') ? 1000 : 600
const rule = { freeFailures: 1_000_000, delaySecondsFirst: 1, delaySecondsMax: 1, forgetSeconds: 1 }

let server: IdentityServer
beforeAll(async () => {
  // A hash of some milliseconds: enough to be seen if it were left out, and not so much that it would hide all else.
  const passwords = createPasswordHasher({ cost: { memoryKib: 4096, passes: 1, lanes: 1 } })
  server = await startIdentityServer({ settings: { throttleRules: { address: rule, account: rule } }, passwords })
  for (let i = 0; i < 20; i++) await server.register(`user${i}@example.com`)
})
afterAll(() => server[Symbol.asyncDispose]())

async function timeOf(email: string): Promise<number> {
  const startedAt = performance.now()
  const { status } = await server.login(email, 'a wrong guess')
  const tookMs = performance.now() - startedAt
  if (status !== 401) throw new Error(`login answered ${status}`)
  return tookMs
}

/**
 * How often a time of the first group is longer than one of the second: one half when the groups are indistinguishable, one when they are disjoint.
 *
 * The statistic of Mann and Whitney, which outliers of a busy machine do not move. For two groups of 300 alike its deviation is 0.024.
 */
function oftenLonger(first: readonly number[], second: readonly number[]): number {
  let longer = 0
  for (const one of first) for (const other of second) longer += one > other ? 1 : one === other ? 0.5 : 0
  return longer / (first.length * second.length)
}

test('the time of a refused sign-in does not reveal whether the address has a user', async () => {
  for (let i = 0; i < 20; i++) await timeOf(i % 2 === 0 ? 'user1@example.com' : 'unknown@example.com')
  const known: number[] = []
  const unknown: number[] = []
  // Turn by turn, so that whatever else the machine does meets both; and each address as often as another.
  for (let i = 0; i < tries / 2; i++) {
    known.push(await timeOf(`user${i % 20}@example.com`))
    unknown.push(await timeOf(`none${i % 20}@example.com`))
  }
  const seen = oftenLonger(known, unknown)
  expect(seen).toBeGreaterThan(0.4)
  expect(seen).toBeLessThan(0.6)
})

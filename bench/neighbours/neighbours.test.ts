import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Attack } from './attack.ts'
import { attacks } from './catalogue.ts'
import { type Bounds, verdictOf, verdictOfTermination } from './verdict.ts'
import { openStage, type Stage } from './stage.ts'

/**
 * Attacks for a second and a half each, since a harmful one has its effect with the first requests: of most families one after which the server is soon quiet, and in the
 * deep run at least the worst known one of each. `npm run bench:neighbours` runs all attacks, also with the default rate limits, and checks the guaranteed bounds.
 */
const chosen = [
  'a thousand small expressions, a hundred executions',
  'a value 100,000 deep',
  'format url',
  'tags on one node',
  '25,000 tasks',
  'tasks that go back to the first',
  ...(inject('deep')
    ? [
        'regex with g',
        'one entry of a computed timeline',
        'unique among 60,000 numbers',
        'references that double 22 times, allOf',
        'filters that read the scope',
        'endless scripts',
      ]
    : []),
]

/**
 * The machine may be busy with other work, which the delays of the control show in part only, so the bounds are wider: no stall of five seconds, and half of
 * the victim's requests within sixty times their quiet median or three seconds. Real failures took ten seconds or had no end.
 */
const roomy: Bounds = { healthP99Ms: 5_000, healthMaxMs: 5_000, share: 'p50', slowdownMax: 60, quietMsMin: 50 }
/** Long enough that a failure is a violated bound and not a timeout. */
const timeout = 300_000

let stage: Stage
beforeAll(() => {
  stage = openStage({ limits: 'raised', quietMs: 1_000, attackMs: 1_500, graceMs: 10_000, settleMs: 60_000, shutdownSeconds: 5 })
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
}, timeout)

test.each(chosen)('no neighbour feels it: %s', { timeout }, async (name) => {
  const outcome = await stage.attack(attackCalled(name))
  expect(verdictOf(outcome, roomy)).toEqual([])
  // Without requests there was no attack.
  expect(outcome.assailed.sent).toBeGreaterThan(0)
})

test('SIGTERM ends a server under attack by its deadline, and its data harms no account after a restart', { timeout }, async () => {
  const outcome = await stage.terminateDuring(attackCalled('filters that read the scope'))
  expect(verdictOfTermination(outcome, roomy)).toEqual([])
})

test('the catalogue has at least twenty expensive expressions, and as many schemas, filters and documents, each under a name of its own', () => {
  const kinds = (...families: readonly Attack['family'][]) => attacks.filter(({ family }) => families.includes(family)).length
  expect(kinds('expressions')).toBeGreaterThanOrEqual(20)
  expect(kinds('schemas', 'events', 'documents')).toBeGreaterThanOrEqual(20)
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length)
})

function attackCalled(name: string): Attack {
  const attack = attacks.find((one) => one.name === name)
  if (attack === undefined) throw new Error(`there is no attack called ${name}`)
  return attack
}

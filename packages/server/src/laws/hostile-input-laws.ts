import { type AnyOperation, pathParameters } from '@millrace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Call, call, exampleBody, memberNames, paramsOf, queryNames, rows } from './calls.ts'
import { flawsOf } from './manners.ts'
import type { LawServer } from './operation-laws.ts'
import { createWorld, type World } from './world.ts'

const texts = [
  '',
  ' ',
  '\n\t\r',
  '\u202E',
  'NUL \0',
  'half \uD800',
  '💥'.repeat(300),
  'x'.repeat(1_100),
  'x'.repeat(200_000),
  '9'.repeat(400),
  '-1',
  '1e309',
  'NaN',
  'null',
  "'; drop table users; --",
  '../../../etc/passwd',
  '${jndi:ldap://x}',
  '{{7*7}}',
  '%00',
  '%',
  '2026-13-45T99:99:99Z',
  '-999999-01-01T00:00:00Z',
  'P99999999999999D',
  'do: [a: {set: &a [*a]}]',
  'do: "\\0"',
  'a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]',
  '__proto__',
  'constructor',
]
const values: readonly unknown[] = [...texts, null, true, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER + 1, [], [null], {}, { a: {} }, [[[]]]]
// What an address of a reasonable length can hold.
const shortTexts = texts.filter((text) => text.length < 2000)
const headerTexts = ['x'.repeat(1000), '"', ',;=,;=', '*', '-1', '%00', '"9999999999999999999"', 'wait=99999999999999999999, wait=']

/** Bad input of every kind: none is ever answered with a 500, nor with less than every answer has. */
export function describeHostileInput(start: () => Promise<LawServer>): void {
  let server: LawServer
  let world: World
  beforeAll(async () => {
    server = await start()
    world = await createWorld(server.url, server.database.system)
  })
  afterAll(() => server.close())

  /** Makes the calls, a few at a time, and tells of each that was answered as none should be. */
  async function faultsOf(op: AnyOperation, calls: readonly Call[]): Promise<readonly string[]> {
    const faults: string[] = []
    for (let at = 0; at < calls.length; at += 8) {
      const batch = calls.slice(at, at + 8)
      const answers = await Promise.all(batch.map((parts) => call(server.url, op, { token: world.owner.token, ...parts })))
      for (const [index, answer] of answers.entries()) faults.push(...faultsIn(answer, batch[index]))
    }
    return faults
  }

  // These two end what the other calls need: the session and the user.
  const lasting = (op: AnyOperation) => !/^auth\.(logout|deleteMe)/.test(op.id)

  describe('is refused as what it is', () => {
    test.each(rows((op) => op.body !== undefined))('by %s in its body', async (_id, op) => {
      const example = exampleBody(op) ?? {}
      const params = paramsOf(op, (prefix) => world.ownIds[prefix] ?? 'none')
      const whole = values.map((body) => ({ params, body }))
      const members = memberNames(op).flatMap((name) => values.map((value) => ({ params, body: { ...example, [name]: value } })))
      expect(await faultsOf(op, [...whole, ...members])).toEqual([])
    })

    test.each(rows((op) => queryNames(op).length > 0))('by %s in its query', async (_id, op) => {
      const params = paramsOf(op, (prefix) => world.ownIds[prefix] ?? 'none')
      const calls = queryNames(op).flatMap((name) => shortTexts.map((text) => ({ params, query: { [name]: text } })))
      expect(await faultsOf(op, calls)).toEqual([])
    })

    test.each(rows((op) => pathParameters(op).length > 0))('by %s in its path', async (_id, op) => {
      const calls = shortTexts.filter((text) => text !== '').map((text) => ({ params: paramsOf(op, () => text), body: exampleBody(op) }))
      expect(await faultsOf(op, calls)).toEqual([])
    })

    test.each(rows(lasting))('by %s in its headers', async (_id, op) => {
      const params = paramsOf(op, (prefix) => `${prefix}_01h455vb4pex5vsknk084sn02q`)
      const names = [
        'idempotency-key',
        'if-match',
        'prefer',
        'x-request-id',
        'accept-encoding',
        'accept',
        'user-agent',
        'origin',
        'x-forwarded-for',
      ]
      const calls = names.flatMap((name) => headerTexts.map((text) => ({ params, body: exampleBody(op), headers: { [name]: text } })))
      expect(await faultsOf(op, calls)).toEqual([])
    })
  })
}

function faultsIn(answer: Answer, parts: Call | undefined): readonly string[] {
  const flaws = flawsOf(answer)
  if (answer.status < 500 && flaws.length === 0) return []
  return [`${answer.status} ${flaws.join(' ')} for ${JSON.stringify({ ...parts, params: undefined }).slice(0, 200)}`]
}

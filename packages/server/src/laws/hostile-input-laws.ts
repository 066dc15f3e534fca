import { type AnyOperation, pathParameters } from '@millrace/contract'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type ApiResponse, type Call, call, exampleBody, memberNames, paramsOf, queryNames, rows } from './calls.ts'
import { protocolViolations } from './protocol-violations.ts'
import type { LawServer } from './operation-laws.ts'
import { createTwoAccounts, type TwoAccounts } from './two-accounts.ts'

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
  '2147483648',
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
const values: readonly unknown[] = [
  ...texts,
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 31,
  Number.MAX_SAFE_INTEGER + 1,
  [],
  [null],
  {},
  { a: {} },
  [[[]]],
]
// Texts that fit into a URL.
const shortTexts = texts.filter((text) => text.length < 2000)
const headerTexts = ['x'.repeat(1000), '"', ',;=,;=', '*', '-1', '%00', '"9999999999999999999"', 'wait=99999999999999999999, wait=']

/**
 * `--mode deep` sends everything to each operation. The test command sends each operation a part of the bodies, members, paths, query parameters and headers, and
 * each value to many operations: what reads them is the same code for all operations.
 */
const isDeep = inject('deep')
let turn = 0

/** One value in `partOf`, and the next time those after them. */
function some<T>(all: readonly T[], partOf: number): readonly T[] {
  turn += 1
  return isDeep ? all : all.filter((_, index) => (index + turn) % partOf === 0)
}

/** Laws for malformed input: no operation responds with a 500, or with a response that lacks a required header or member. */
export function describeHostileInput(start: () => Promise<LawServer>): void {
  let server: LawServer
  let accounts: TwoAccounts
  beforeAll(async () => {
    server = await start()
    accounts = await createTwoAccounts(server.url, server.database.system)
  })
  afterAll(() => server.close())

  /** Makes the calls, eight at a time, and describes every response that violates the laws. */
  async function violationsOf(op: AnyOperation, calls: readonly Call[]): Promise<readonly string[]> {
    const violations: string[] = []
    for (let at = 0; at < calls.length; at += 8) {
      const batch = calls.slice(at, at + 8)
      const responses = await Promise.all(batch.map((parts) => call(server.url, op, { token: accounts.owner.token, ...parts })))
      for (const [index, response] of responses.entries()) violations.push(...violationsIn(response, batch[index]))
    }
    return violations
  }

  // These operations end the session or the user that the other calls need.
  const keepsSession = (op: AnyOperation) => !/^auth\.(logout|deleteMe)/.test(op.id)
  // A stream of everything that happens has no end to wait for.
  const ends = (op: AnyOperation) => op.media === undefined || pathParameters(op).length > 0
  // Each of these calls asks a payment provider; the tests of billing send malformed input to it.
  const isQuick = (op: AnyOperation) => !op.id.startsWith('billing.') || op.method === 'GET'

  test.each(rows((op) => op.body !== undefined))('%s refuses malformed bodies without a server error', async (_id, op) => {
    const example = exampleBody(op) ?? {}
    const params = paramsOf(op, (prefix) => accounts.ownIds[prefix] ?? 'none')
    const whole = some(values, 4).map((body) => ({ params, body }))
    const members = memberNames(op).flatMap((name) => some(values, 13).map((value) => ({ params, body: { ...example, [name]: value } })))
    expect(await violationsOf(op, [...whole, ...members])).toEqual([])
  })

  test.each(rows((op) => queryNames(op).length > 0 && ends(op)))(
    '%s refuses malformed query parameters without a server error',
    async (_id, op) => {
      const params = paramsOf(op, (prefix) => accounts.ownIds[prefix] ?? 'none')
      const calls = queryNames(op).flatMap((name) => some(shortTexts, 9).map((text) => ({ params, query: { [name]: text } })))
      expect(await violationsOf(op, calls)).toEqual([])
    },
  )

  test.each(rows((op) => pathParameters(op).length > 0))('%s refuses malformed path parameters without a server error', async (_id, op) => {
    const filled = shortTexts.filter((text) => text !== '')
    const calls = some(filled, 4).map((text) => ({ params: paramsOf(op, () => text), body: exampleBody(op) }))
    expect(await violationsOf(op, calls)).toEqual([])
  })

  test.each(rows((op) => keepsSession(op) && ends(op) && isQuick(op)))(
    '%s accepts or refuses malformed headers without a server error',
    async (_id, op) => {
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
      const calls = names.flatMap((name) =>
        some(headerTexts, 16).map((text) => ({ params, body: exampleBody(op), headers: { [name]: text } })),
      )
      expect(await violationsOf(op, calls)).toEqual([])
    },
  )
}

function violationsIn(response: ApiResponse, parts: Call | undefined): readonly string[] {
  const missing = protocolViolations(response)
  // 503 says that a part is not installed or not reachable.
  if ((response.status < 500 || response.status === 503) && missing.length === 0) return []
  return [`${response.status} ${missing.join(' ')} for ${JSON.stringify({ ...parts, params: undefined }).slice(0, 200)}`]
}

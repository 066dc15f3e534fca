import { setImmediate } from 'node:timers/promises'
import type { JsonObject } from '@millrace/engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMember, type Member, openApproval } from '#testing/approvals.ts'
import { longestStretchMs } from '#testing/longest-stretch.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let owner: TestAccount
let ada: Member
beforeAll(async () => {
  server = await createTestServer()
  owner = await server.registerAccount()
  ada = await addMember(server, owner, 'admin')
})
afterAll(() => server.close())

/** Each definition refers twice to the next one, so a naive validator applies 2^30 of them. */
function doublingReferences(): JsonObject {
  const twice = (index: number) => ({ allOf: [{ $ref: `#/$defs/d${index}` }, { $ref: `#/$defs/d${index}` }] })
  const definitions = Array.from({ length: 30 }, (_, index) => [`d${index}`, twice(index + 1)])
  return { $ref: '#/$defs/d0', $defs: { ...Object.fromEntries(definitions), d30: { type: 'object' } } }
}

function nested(levels: number): JsonObject {
  let schema: JsonObject = { type: 'string' }
  for (let level = 0; level < levels; level++) schema = { properties: { a: schema } }
  return schema
}

test.each<[string, JsonObject, JsonObject]>([
  ['whose references double', doublingReferences(), {}],
  ['with a large pattern', { properties: { text: { pattern: '^(?:a{1,30}){1,30}$' } } }, { text: 'a'.repeat(20_000) }],
  ['with a pattern that backtracks', { properties: { text: { pattern: '^(a|aa)+$' } } }, { text: `${'a'.repeat(20_000)}b` }],
  [
    'that compares all items',
    { properties: { list: { uniqueItems: true } } },
    { list: Array.from({ length: 1_000 }, (_, n) => ({ n, m: [n] })) },
  ],
  [
    'that searches all items',
    { properties: { list: { items: { contains: { const: 1 } } } } },
    { list: Array(60).fill(Array(100).fill(0)) },
  ],
  ['with deep nesting', nested(30), {}],
])('a form %s does not stall the server', async (_form, form, data) => {
  const asked = await openApproval(owner, { approvers: [ada.email], form })
  let healthChecks = 0
  const stretchMs = await longestStretchMs(async () => {
    const decided = ada.decide(asked, { decision: 'approve', data })
    for (let isDone = false; !isDone; healthChecks++) {
      const health = await fetch(`${server.url}/api/v1/health`)
      expect(health.status).toBe(200)
      isDone = await Promise.race([decided.then(() => true), setImmediate(false)])
    }
    const { status, body } = await decided
    expect([200, 422], JSON.stringify(body)).toContain(status)
  })
  expect(healthChecks).toBeGreaterThan(0)
  // A validator without a budget needs seconds for any of them.
  expect(stretchMs).toBeLessThan(1_000)
})

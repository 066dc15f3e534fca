import { randomBytes } from 'node:crypto'
import { Problem } from '@millrace/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { inBatches } from '#platform/db/in-batches.ts'
import { deleteOldDecisions } from './decision-store.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

const text = 'My name is Ada Lovelace, write to ada@example.com.'

test('a check returns spans and leaves a decision without the text', async () => {
  const checked = await account.client.privacy.check({ body: { text, purpose: 'support' } })
  expect(checked.spans.map(({ kind, start, end }) => [kind, text.slice(start, end)])).toEqual([
    ['person', 'Ada Lovelace'],
    ['email', 'ada@example.com'],
  ])
  const { data } = await account.client.privacy.logs({ query: { source: 'check' } })
  expect(data[0]).toMatchObject({ id: checked.decisionId, action: 'detected', counts: { person: 1, email: 1 }, purpose: 'support' })
  const { rows } = await sql<{ row: string }>`select to_jsonb(d)::text as row from privacy_decisions d`.execute(server.database.system)
  expect(rows.map(({ row }) => row).join('')).not.toContain('Lovelace')
})

test('a redaction applies the operator of each kind', async () => {
  const body = { text, operators: { person: 'mask', email: 'keep' }, keepLast: 3 } as const
  expect((await account.client.privacy.redact({ body })).text).toBe('My name is *********ace, write to ada@example.com.')
  expect((await account.client.privacy.redact({ body: { text } })).text).toBe('My name is <PERSON>, write to <EMAIL>.')
  const hashed = async (by: TestAccount) => (await by.client.privacy.redact({ body: { text, operator: 'hash' } })).text
  expect(await hashed(account)).toBe(await hashed(account))
  expect(await hashed(account)).not.toBe(await hashed(await server.registerAccount()))
})

test('what was encrypted is restored under the same key, and under no other', async () => {
  const key = randomBytes(32).toString('base64')
  for (const more of [{}, { key }]) {
    const redacted = await account.client.privacy.redact({ body: { text, operator: 'encrypt', ...more } })
    expect(redacted.text).not.toContain('Ada')
    expect(await account.client.privacy.restore({ body: { text: redacted.text, ...more } })).toEqual({ text, restored: 2 })
    const other = { text: redacted.text, key: randomBytes(32).toString('base64') }
    await expect(account.client.privacy.restore({ body: other })).rejects.toMatchObject({ status: 400 })
  }
})

test('a pattern that RE2 refuses is a 400 with its pointer', async () => {
  const rules = [{ name: 'bad', pattern: '(?<=a)b' }]
  const response = await account.send('POST', '/api/v1/privacy/check', { text, rules })
  expect([response.status, Problem.parse(response.body).errors?.[0]?.pointer]).toEqual([400, '/rules/0/pattern'])
})

describe('a privacy policy', () => {
  const policy = { purpose: 'orders', legalBasis: 'contract' } as const

  test('decides at the start of an execution, and the policy of a workflow precedes that of the account', async () => {
    const own = await server.registerAccount()
    const { id } = await own.client.workflows.create({ body: { definition: documentOf(greets) } })
    const start = () => own.send('POST', `/api/v1/workflows/${id}/execute`, { input: { note: text } })
    const inputOf = async (execution: string) => (await own.client.workflows.execution({ params: { executionId: execution } })).input
    await own.client.privacy.putPolicy({ body: { ...policy, action: 'block' } })
    const blocked = await start()
    expect([blocked.status, blocked.body.code, blocked.body.errors[0].pointer]).toEqual([422, 'personal_data_blocked', '/input/note'])
    await own.client.privacy.putPolicy({ body: { ...policy, workflowId: id, action: 'redact' } })
    const started = await start()
    expect(started.status).toBe(200)
    expect(await inputOf(started.body.id)).toEqual({ note: 'My name is <PERSON>, write to <EMAIL>.' })
    const { data } = await own.client.privacy.logs({ query: { source: 'execution', workflowId: id } })
    expect(data.map(({ action }) => action)).toEqual(['redacted', 'blocked'])
    const stats = await own.client.privacy.stats()
    expect(stats).toMatchObject({ decisions: 2, byAction: { redacted: 1, blocked: 1 }, byKind: { person: 2, email: 2 } })
    const report = await own.client.privacy.compliance({ query: { regulation: 'GDPR' } })
    expect(report.articles.find(({ article }) => article === '5(1)(c)')?.status).toBe('met')
    expect(report.articles.find(({ article }) => article === '33')).toMatchObject({ status: 'not_met', unmet: ['breach'] })
  })
})

test('the report of compliance says how long an account keeps executions, also where an operator has set that it is for ever', async () => {
  const own = await server.registerAccount()
  const evidence = async () => {
    const { articles } = await own.client.privacy.compliance({ query: { regulation: 'GDPR' } })
    return articles.find(({ article }) => article === '5(1)(e)')?.evidence[0]
  }
  expect(await evidence()).toBe('Ended executions are deleted after 30 days.')
  await sql`insert into account_retention (account_id, milliseconds) values (${own.accountId}, null)`.execute(server.database.system)
  expect(await evidence()).toBe('Ended executions are kept without a limit.')
})

test('all decisions that are too old are deleted in one run, however many there are', async () => {
  const own = await server.registerAccount()
  const db = server.database.system
  const insert = (count: number, at: string) =>
    sql`
    insert into privacy_decisions (id, account_id, at, source, action, actor, counts, characters)
    select gen_random_uuid(), ${own.accountId}, ${at}, 'check', 'none', 'system:test', '{}', 0 from generate_series(1, ${count})`.execute(
      db,
    )
  await insert(25, '2020-01-01T00:00:00Z')
  await insert(1, '2020-01-03T00:00:00Z')
  await inBatches((limit) => deleteOldDecisions(db, new Date('2020-01-02T00:00:00Z'), limit), 10)
  const { rows } = await sql`select from privacy_decisions where account_id = ${own.accountId}`.execute(db)
  expect(rows).toHaveLength(1)
})

test('data leaves the region only with the consent of the account, within its terms', async () => {
  const own = await server.registerAccount()
  const ask = (host = 'models.example.com', region = 'US') =>
    own.client.privacy.egress({ body: { destination: { kind: 'webhook', host, region }, categories: ['email'] } })
  expect((await ask()).action).toBe('refuse')
  await own.client.account.giveCrossBorder({ body: { purposes: ['answers'], recipients: ['models.example.com'], regions: ['US'] } })
  expect((await ask()).action).toBe('allow')
  expect((await ask('other.example.com')).action).toBe('refuse')
  expect((await ask('models.example.com', 'CN')).action).toBe('refuse')
  await own.client.account.putPrivacyPreferences({ body: { webhooks: 'redact' } })
  expect((await ask()).action).toBe('redact')
  await own.client.account.withdrawCrossBorder()
  expect((await ask()).action).toBe('refuse')
  const { data } = await own.client.privacy.logs({ query: { source: 'egress' } })
  expect(data[0]).toMatchObject({ action: 'blocked', target: 'webhook:models.example.com' })
})

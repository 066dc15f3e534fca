import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#config/read-config.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { fromTypeId } from '#platform/ids.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { openKeys } from './keys.ts'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer({ MILLRACE_SECRET_KEY: oldKey.toString('base64') })
  account = await server.registerAccount()
})
afterAll(() => server.close())

const keysWith = (key: Buffer) => openKeys(readConfig({ MILLRACE_SECRET_KEY: key.toString('base64') }), server.databaseUrl, 2)

async function secretOf(owner: TestAccount, name: string, value: string): Promise<string> {
  const { status, body } = await owner.send('POST', '/api/v1/variables', { name, kind: 'secret', value })
  expect(status).toBe(200)
  return body.id
}

async function rootsInUse(): Promise<readonly number[]> {
  const { rows } = await sql<{ readonly sealed_by: number }>`select distinct sealed_by from account_keys`.execute(server.database.system)
  return rows.map((row) => row.sealed_by)
}

/** A secret as releases before the keys of accounts sealed it. */
async function sealAsBefore(id: string, value: string): Promise<void> {
  const uuid = fromTypeId('var', id) ?? ''
  const box = createSecretBox(oldKey, 'variables', randomBytes)
  const sealed = box.seal(Buffer.from(JSON.stringify(value)), `variables/${account.accountId}/${uuid}`)
  await server.database.system.updateTable('variables').set({ sealed }).where('id', '=', uuid).execute()
}

const definitionOf = (url: string) => ({
  document: { dsl: '1.0.3', namespace: 'test', name: 'uses-a-secret', version: '1.0.0' },
  use: { secrets: ['TOKEN'] },
  do: [{ ask: { call: 'http', with: { method: 'post', endpoint: url, body: { token: '${ $secrets.TOKEN }' } } } }],
})

test('root keys rotate and the secret key is replaced while executions use secrets, and none fails', async () => {
  await using bank = await startHttpStandIn(() => ({ body: { ok: true } }))
  await sealAsBefore(await secretOf(account, 'TOKEN', 'open sesame'), 'open sesame')
  const others = await Promise.all([1, 2, 3].map(() => server.registerAccount()))
  for (const other of others) await secretOf(other, 'TOKEN', 'of another account')
  const { id } = (await account.send('POST', '/api/v1/workflows', { definition: definitionOf(bank.url), publish: true })).body
  let rotating = true
  const statuses: number[] = []
  async function runAll(): Promise<void> {
    while (rotating) statuses.push((await account.send('POST', `/api/v1/execute/${id}/run`, {})).status)
  }
  const running = Promise.all([runAll(), runAll()])
  const keys = keysWith(oldKey)
  const first = await keys.rotate()
  expect([first.version, first.accounts, first.secrets, await rootsInUse()]).toEqual([2, 4, 1, [2]])
  const second = await keys.rotate()
  expect([second.version, second.secrets, await rootsInUse()]).toEqual([3, 0, [3]])
  await keys.addSecretKey(newKey)
  await keys.close()
  const restarted = await server.startSecond({ MILLRACE_SECRET_KEY: newKey.toString('base64') })
  for (let seen = statuses.length; statuses.length < seen + 10; ) {
    const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' }
    statuses.push((await fetch(`${restarted.url}/api/v1/execute/${id}/run`, { method: 'POST', headers, body: '{}' })).status)
  }
  rotating = false
  await running
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(bank.requests.length).toBe(statuses.length)
  expect(new Set(bank.requests.map(({ body }) => JSON.stringify(body)))).toEqual(new Set(['{"token":"open sesame"}']))
})

test('the old secret key is accepted until it is retired, and refused afterwards', async () => {
  await (await server.startSecond()).close()
  const keys = keysWith(newKey)
  expect([await keys.retire(), await keys.retire()]).toEqual([true, false])
  await keys.close()
  await expect(server.startSecond()).rejects.toThrow('sealed under another secret key')
  const younger = await server.startSecond({ MILLRACE_SECRET_KEY: newKey.toString('base64') })
  const secret = await secretOf(account, 'YOUNG', 'a later secret')
  const headers = { authorization: `Bearer ${account.token}` }
  const revealed = await fetch(`${younger.url}/api/v1/variables/${secret}/reveal`, { headers })
  expect(await revealed.json()).toMatchObject({ value: 'a later secret' })
})

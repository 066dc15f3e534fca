import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Executor } from '#modules/identity/store.ts'
import { fromTypeId } from '#platform/ids.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startDnsStandIn } from '#testing/sign-in/dns-stand-in.ts'

let dns: Awaited<ReturnType<typeof startDnsStandIn>>
let server: TestServer
beforeAll(async () => {
  dns = await startDnsStandIn()
  server = await createTestServer({ MILLRACE_DNS_SERVERS: dns.address })
})
afterAll(async () => {
  await server.close()
  await dns[Symbol.asyncDispose]()
})

const settings = '/api/v1/account/scim'
let owner: TestAccount
let domain: string
let domains = 0
let token: string

beforeEach(async () => {
  owner = await server.registerAccount()
  domain = `race${++domains}.example`
  const { body } = await owner.send('POST', '/api/v1/account/domains', { domain })
  dns.records.set(body.record.name, body.record.value)
  await owner.send('POST', `/api/v1/account/domains/${body.id}/verify`)
  await owner.send('PUT', settings, { roles: {} })
  token = (await owner.send('POST', `${settings}/token`)).body.token
})

async function call(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${server.url}/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const newUser = (name = 'ada') => ({ userName: `${name}@${domain}` })
const patch = (...Operations: readonly object[]) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })

/** Begins a call while a transaction has the lock of the account; once the call waits, the transaction makes a change of its own. */
async function whileLocked<T>(begin: () => Promise<T>, change: (tx: Executor) => Promise<unknown>): Promise<T> {
  const { system } = server.database
  const { waiting } = await system.transaction().execute(async (tx) => {
    await sql`select from accounts where id = ${owner.accountId} for no key update`.execute(tx)
    let hasEnded = false
    const begun = begin().finally(() => (hasEnded = true))
    const locks = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => hasEnded || (await locks.execute(system)).rows.length > 0).toBe(true)
    await change(tx)
    return { waiting: begun }
  })
  return await waiting
}

describe('a change that waits for another one', () => {
  test('leaves a user deactivated whom the other has deactivated', async () => {
    const { id } = (await call('POST', '/Users', newUser())).body
    const changed = await whileLocked(
      () => call('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'displayName', value: 'Ada King' })),
      (tx) => sql`update users set deactivated_at = now() where id = ${fromTypeId('usr', id) ?? ''}`.execute(tx),
    )
    expect(changed).toMatchObject({ status: 200, body: { displayName: 'Ada King', active: false } })
  })

  test('keeps the member that the other has added to the group', async () => {
    const [first, second] = [(await call('POST', '/Users', newUser('a'))).body.id, (await call('POST', '/Users', newUser('b'))).body.id]
    const { id } = (await call('POST', '/Groups', { displayName: 'Builders' })).body
    const changed = await whileLocked(
      () => call('PATCH', `/Groups/${id}`, patch({ op: 'add', path: 'members', value: [{ value: first }] })),
      (tx) =>
        sql`insert into scim_members (account_id, group_id, user_id)
        values (${owner.accountId}, ${fromTypeId('grp', id)}, ${fromTypeId('usr', second)})`.execute(tx),
    )
    expect(changed.body.members.map(({ value }: { value: string }) => value)).toEqual([first, second])
  })

  test('is refused for a version that the other has replaced', async () => {
    const { id, meta } = (await call('POST', '/Users', newUser())).body
    const deactivate = patch({ op: 'replace', path: 'active', value: false })
    const changed = await whileLocked(
      () => call('PATCH', `/Users/${id}`, deactivate, { 'if-match': meta.version }),
      (tx) => sql`update users set name = 'Ada King' where id = ${fromTypeId('usr', id) ?? ''}`.execute(tx),
    )
    expect(changed.status).toBe(412)
  })
})

describe('settings that change while a group is created', () => {
  test('give its members the role of the group', async () => {
    const { id } = (await call('POST', '/Users', newUser())).body
    await whileLocked(
      () => owner.send('PUT', settings, { roles: { Builders: 'admin' } }),
      (tx) => insertGroup(tx, 'Builders', id),
    )
    expect((await call('GET', `/Users/${id}`)).body.roles).toMatchObject([{ value: 'admin' }])
  })

  test('leave no group when provisioning is turned off', async () => {
    const { id } = (await call('POST', '/Users', newUser())).body
    await whileLocked(
      () => owner.send('DELETE', settings),
      (tx) => insertGroup(tx, 'Builders', id),
    )
    const { rows } = await sql`select from scim_groups where account_id = ${owner.accountId}`.execute(server.database.system)
    expect(rows).toEqual([])
  })

  const insertGroup = (tx: Executor, name: string, member: string) =>
    sql`
    with made as (insert into scim_groups (id, account_id, display_name, created_at, updated_at)
      values (gen_random_uuid(), ${owner.accountId}, ${name}, now(), now()) returning account_id, id)
    insert into scim_members (account_id, group_id, user_id) select account_id, id, ${fromTypeId('usr', member)} from made`.execute(tx)
})

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const create = async (account: TestAccount, body: string) =>
  (await account.client.workflows.create({ body: { definition: documentOf(body) } })).id

/** Waits until the workflow has been started once. */
const begun = (account: TestAccount, id: string) =>
  expect.poll(async () => (await account.client.workflows.executions({ params: { id } })).data.length).toBe(1)

async function ended(account: TestAccount, id: string) {
  const last = async () => (await account.client.workflows.executions({ params: { id } })).data[0]
  await expect.poll(async () => (await last())?.endedAt ?? null).not.toBeNull()
  return account.client.workflows.execution({ params: { executionId: (await last())?.id ?? '' } })
}

/** Counts the connections of other clients to the server's database. */
async function connectionsOf(server: TestServer): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name in ('millrace engine', 'millrace queue')`.execute(server.database.system)
  return rows[0]?.count ?? -1
}

describe('closing', () => {
  test('closing responds to waiting requests, parks their executions and closes every connection', async () => {
    await using server = await createTestServer({ MILLRACE_SHUTDOWN_SECONDS: '2' })
    const account = await server.registerAccount()
    const second = await server.startSecond({ MILLRACE_SHUTDOWN_SECONDS: '2' })
    const id = await create(account, 'do:\n  - pause: { wait: { seconds: 30 } }\n')
    const waiting = fetch(`${second.url}/api/v1/execute/${id}/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}` },
    })
    await begun(account, id)
    const before = await connectionsOf(server)
    await second.close()
    const answer = await waiting
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({ code: 'execution_unfinished' })
    expect(await connectionsOf(server)).toBeLessThan(before)
    const executions = await account.client.workflows.executions({ params: { id } })
    expect(executions.data).toMatchObject([{ state: 'waiting' }])
  })

  test('closing lets a request end within its grace period, and lasts no longer than the request', async () => {
    await using server = await createTestServer()
    const account = await server.registerAccount()
    // A whole grace period would last longer than the test may.
    const second = await server.startSecond({ MILLRACE_SHUTDOWN_SECONDS: '600' })
    const id = await create(account, 'do:\n  - pause: { wait: { milliseconds: 300 } }\n  - done: { set: { done: true } }\n')
    const waiting = fetch(`${second.url}/api/v1/execute/${id}/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}` },
    })
    await begun(account, id)
    await second.close()
    const answer = await waiting
    expect([answer.status, await answer.json()]).toEqual([200, { done: true }])
  })

  test('closing twice has the effect of closing once', async () => {
    await using server = await createTestServer()
    const second = await server.startSecond()
    await Promise.all([second.close(), second.close()])
    await expect(fetch(`${second.url}/api/v1/health`)).rejects.toThrow('fetch failed')
    expect((await fetch(`${server.url}/api/v1/health`)).status).toBe(200)
  })

  test('closing passes running executions to another process, which completes them', async () => {
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const second = await server.startSecond()
    const id = await create(account, 'do:\n  - pause: { wait: { milliseconds: 1500 } }\n  - done: { set: { done: true } }\n')
    const headers = { authorization: `Bearer ${account.token}` }
    expect((await fetch(`${second.url}/api/v1/workflows/${id}/execute`, { method: 'POST', headers })).status).toBe(200)
    await second.close()
    expect(await ended(account, id)).toMatchObject({ state: 'completed', output: { done: true } })
  })
})

describe('the roles of a process', () => {
  test('a process without the role worker accepts executions, which another process runs', async () => {
    await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await server.registerAccount()
    const id = await create(account, greets)
    expect(await account.client.workflows.execute({ params: { id }, body: { input: { name: 'A' } } })).toMatchObject({ state: 'pending' })
    await server.startSecond({ MILLRACE_ROLES: 'worker,scheduler' })
    expect(await ended(account, id)).toMatchObject({ state: 'completed', output: { greeting: 'Hello, A' } })
  })

  test('a process without the role api serves only its health', async () => {
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const worker = await server.startSecond({ MILLRACE_ROLES: 'worker' })
    const ask = async (path: string) =>
      (await fetch(`${worker.url}${path}`, { headers: { authorization: `Bearer ${account.token}` } })).status
    expect(await ask('/api/v1/health')).toBe(200)
    expect(await ask('/api/v1/health/db')).toBe(200)
    expect(await ask('/api/v1/workflows')).toBe(404)
    expect(worker.operatorCode).toBeUndefined()
  })
})

describe('a second process', () => {
  test('sees at once what the first one did: a workflow that is disabled, a session that is revoked', async () => {
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const second = await server.startSecond()
    const id = await create(account, greets)
    const run = () =>
      fetch(`${second.url}/api/v1/execute/${id}/run`, { method: 'POST', headers: { authorization: `Bearer ${account.token}` } })
    expect((await run()).status).toBe(200)
    await account.client.workflows.update({ params: { id }, body: { enabled: false } })
    expect((await run()).status).toBe(409)
    await account.client.auth.logout()
    expect((await run()).status).toBe(401)
  })
})

describe('starting', () => {
  test('a failed start releases everything that it had opened', async () => {
    await using server = await createTestServer()
    const before = await connectionsOf(server)
    const { port } = new URL(server.url)
    await expect(server.startSecond({ PORT: port })).rejects.toThrow(/EADDRINUSE/)
    // A connection that is closed is a moment in leaving; the first server may open one of its own meanwhile.
    await expect.poll(() => connectionsOf(server)).toBeLessThanOrEqual(before + 1)
    const { rows } = await sql`select from processes`.execute(server.database.system)
    expect(rows).toHaveLength(1)
  })

  test('a server logs a warning for each unknown setting', async () => {
    await using server = await createTestServer({ MILLRACE_ROLLS: 'api' })
    expect(server.log.join()).toContain('did you mean MILLRACE_ROLES?')
  })

  test('gives a code with which the first user becomes the operator, once', async () => {
    await using server = await createTestServer()
    const { operatorCode } = server
    const register = (email: string) =>
      server.client.auth.register({
        body: { email, password: 'a rather unusual phrase 4711', ...(operatorCode === undefined ? {} : { operatorCode }) },
      })
    expect(operatorCode).toMatch(/^mlr-operator-/)
    await register('first@example.com')
    await expect(register('second@example.com')).rejects.toMatchObject({ status: 403 })
    expect((await server.startSecond()).operatorCode).toBeUndefined()
  })
})

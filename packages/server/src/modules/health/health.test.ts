import { startSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, waits } from '#testing/definitions.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

describe('public health', () => {
  test('public health reports that the server is alive and nothing else', async () => {
    const response = await fetch(`${server.url}/api/v1/health`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ok' })
  })
})

describe('readiness', () => {
  test('a server is ready while its database responds and has every migration', async () => {
    await using own = await createTestServer()
    const ready = () => fetch(`${own.url}/api/v1/health/ready`)
    expect((await ready()).status).toBe(200)
    await sql`delete from schema_migrations where number = 1`.execute(own.database.system)
    const refused = await ready()
    expect(refused.status).toBe(503)
    expect((await fetch(`${own.url}/api/v1/health`)).status).toBe(200)
  })
})

describe('metrics', () => {
  test('have the figures of the installation and the responses by operation', async () => {
    await fetch(`${server.url}/api/v1/health`)
    const response = await fetch(`${server.url}/metrics`)
    expect(response.headers.get('content-type')).toContain('version=0.0.4')
    const text = await response.text()
    expect(text).toMatch(/^millrace_http_request_duration_seconds_count\{operation="health.live",status="2xx"\} [1-9]/m)
    expect(text).toMatch(/^millrace_processes\{role="scheduler"\} 1$/m)
    expect(text).toMatch(/^millrace_database_up 1$/m)
    // Every line is a comment or a sample.
    for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{[^}]*\})? [\d.e+-]+)$/)
  })

  test('need the token where one is set', async () => {
    const token = 'a token of a monitor'
    await using own = await createTestServer({ MILLRACE_METRICS_TOKEN: token })
    const read = (authorization?: string) => fetch(`${own.url}/metrics`, authorization === undefined ? {} : { headers: { authorization } })
    expect((await read()).status).toBe(401)
    expect((await read('Bearer another token')).status).toBe(401)
    expect((await read(`Bearer ${token}`)).status).toBe(200)
  })
})

describe('the health of the parts', () => {
  test('the health of the parts requires authentication', async () => {
    for (const part of ['health/db', 'health/models', 'health/providers', 'system/health'])
      expect((await fetch(`${server.url}/api/v1/${part}`)).status).toBe(401)
  })

  test('of the database has latency, migrations and pool', async () => {
    const account = await server.registerAccount()
    const health = await account.client.health.database()
    expect(health.status).toBe('ok')
    expect(health.latencyMs).toBeGreaterThanOrEqual(0)
    expect(health.migrations.applied).toBeGreaterThanOrEqual(5)
    expect(health.migrations.pending).toBe(0)
    expect(health.pool.total).toBeGreaterThan(0)
    expect(health.pool.idle).toBeLessThanOrEqual(health.pool.total)
  })

  test('of the database is degraded while a migration is pending', async () => {
    await using own = await createTestServer()
    const account = await own.registerAccount()
    await sql`delete from schema_migrations where number = 1`.execute(own.database.system)
    expect(await account.client.health.database()).toMatchObject({ status: 'degraded', migrations: { pending: 1 } })
  })

  const noMail = { name: 'mail', configured: false, reachable: null, latencyMs: null, detail: null }

  test('of models and providers says that none is configured', async () => {
    const account = await server.registerAccount()
    expect(await account.client.health.models()).toEqual({ status: 'ok', data: [] })
    expect(await account.client.health.providers()).toEqual({ status: 'ok', data: [noMail] })
  })

  test('of providers says which of them responds, and why another one does not', async () => {
    await using smtp = await startSmtpServer()
    await using own = await createTestServer({
      MILLRACE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MILLRACE_SMTP_TLS: 'off',
      MILLRACE_MAIL_FROM: 'millrace@example.com',
      MILLRACE_SMS_URL: 'http://127.0.0.1:9/messages',
      MILLRACE_SMS_COUNTRIES: '*',
    })
    const account = await own.registerAccount()
    expect(await account.client.health.providers()).toEqual({
      status: 'degraded',
      data: [
        { name: 'mail', configured: true, reachable: true, latencyMs: expect.any(Number), detail: null },
        { name: 'sms', configured: true, reachable: false, latencyMs: null, detail: 'It cannot be reached.' },
      ],
    })
  })
})

describe('the health of the installation', () => {
  const operator = async (own: TestServer) => {
    const account = await own.registerAccount()
    await sql`update users set is_operator = true where id = ${account.userId}`.execute(own.database.system)
    return account
  }

  test('the health of the installation is for operators only', async () => {
    const account = await server.registerAccount()
    expect(await account.send('GET', '/api/v1/system/health')).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
  })

  test('reports every part in one response', async () => {
    const health = await (await operator(server)).client.health.system()
    expect(health).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      roles: ['api', 'worker', 'scheduler'],
      database: { status: 'ok' },
      queue: { deadLetters: 0 },
      models: [],
      providers: [{ name: 'mail', configured: false }],
    })
    expect(Date.parse(health.startedAt)).toBeLessThanOrEqual(Date.now())
    expect(health.process.memoryBytes.resident).toBeGreaterThan(health.process.memoryBytes.heap)
    expect(health.process.eventLoopDelayMs.p99).toBeGreaterThanOrEqual(0)
    expect(health.disk?.totalBytes).toBeGreaterThan(health.disk?.freeBytes ?? 0)
  })

  test('names the roles that no live process has', async () => {
    await using own = await createTestServer({ MILLRACE_ROLES: 'api,worker' })
    const account = await operator(own)
    const health = await account.client.health.system()
    expect(health).toMatchObject({ status: 'degraded', missingRoles: ['scheduler'], processes: [{ roles: ['api', 'worker'] }] })
    await own.startSecond({ MILLRACE_ROLES: 'scheduler' })
    expect(await account.client.health.system()).toMatchObject({ missingRoles: [], processes: [{}, { roles: ['scheduler'] }] })
  })

  test('counts the unclaimed jobs, how long the oldest of them has waited, and the dead letters', async () => {
    await using own = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await operator(own)
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(waits) } })
    for (let count = 0; count < 3; count++) await account.client.workflows.execute({ params: { id }, body: {} })
    await sql`update pgboss.job set start_after = now() - interval '90 seconds' where id = (select id from pgboss.job where data ? 'executionId' limit 1)`.execute(
      own.database.system,
    )
    await sql`insert into dead_letters (id, account_id, execution_id, reason, attempts, payload, created_at)
      values (gen_random_uuid(), ${account.accountId}, gen_random_uuid(), 'test', 3, '{}', now())`.execute(own.database.system)
    const { status, queue } = await account.client.health.system()
    expect(queue).toMatchObject({ depth: 3, active: 0, deadLetters: 1 })
    expect(queue.oldestWaitingSeconds).toBeGreaterThanOrEqual(90)
    expect(status).toBe('degraded')
  })

  test('counts the executions that are parked', async () => {
    await using own = await createTestServer()
    const account = await operator(own)
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(waits) } })
    await account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=1' })
    const { executions, queue } = await account.client.health.system()
    expect(executions).toEqual({ running: 0, waiting: 1 })
    // Its timer is a job, and one that waits for its time is not waiting for us.
    expect(queue.depth).toBe(0)
  })
})

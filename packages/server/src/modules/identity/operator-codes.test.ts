import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { goodPassword, type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'

let server: IdentityServer
beforeAll(async () => {
  server = await startIdentityServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  await server.reset()
})

const register = (email: string, operatorCode: string) =>
  server.call('POST', '/api/v1/auth/register', { body: { email, password: goodPassword, operatorCode } })

async function issue(): Promise<string> {
  const code = await server.operatorCodes.issue()
  if (code === undefined) throw new Error('There is an operator already.')
  return code
}

test('a user who registers with the printed code is the operator', async () => {
  const reply = await register('root@example.com', await issue())
  expect(reply.status).toBe(200)
  const me = await server.call('GET', '/api/v1/auth/me', { token: reply.body.accessToken })
  expect(me.body.isOperator).toBe(true)
})

test('the first user without the code is no operator', async () => {
  await issue()
  const { accessToken } = await server.register('first@example.com')
  expect((await server.call('GET', '/api/v1/auth/me', { token: accessToken })).body.isOperator).toBe(false)
})

test('a wrong code makes neither an operator nor a user, and leaves the right one as it was', async () => {
  const code = await issue()
  for (const wrong of ['guess', code.slice(0, -1), `${code}x`, code.toUpperCase()])
    expect(await register('root@example.com', wrong)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect((await server.login('root@example.com')).status).toBe(401)
  expect((await register('root@example.com', code)).status).toBe(200)
})

test('a code works once, even when two use it at the same time', async () => {
  const code = await issue()
  const replies = await Promise.all([1, 2, 3, 4].map((n) => register(`root${n}@example.com`, code)))
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403, 403])
  expect((await register('late@example.com', code)).status).toBe(403)
})

test('every code that was printed works until there is an operator, and none after', async () => {
  const [first, second] = [await issue(), await issue()]
  expect((await register('root@example.com', first)).status).toBe(200)
  expect((await register('other@example.com', second)).status).toBe(403)
})

test('no code is made once an operator exists', async () => {
  await register('root@example.com', await issue())
  expect(await server.operatorCodes.issue()).toBeUndefined()
})

test('a code that another process made in the moment of the first use is worth nothing', async () => {
  const code = await issue()
  await register('root@example.com', code)
  const { rows } = await sql`insert into operator_codes (hash, created_at) values (sha256('late'), now()) returning 1`.execute(server.db)
  expect(rows).toHaveLength(1)
  expect((await register('late@example.com', 'late')).status).toBe(403)
})

test('an address that is taken does not use up the code', async () => {
  await server.register('root@example.com')
  const code = await issue()
  expect((await register('root@example.com', code)).status).toBe(409)
  expect((await register('other@example.com', code)).status).toBe(200)
})

test('a code is long, and not kept as it is', async () => {
  const code = await issue()
  expect(code).toMatch(/^mlr-operator-[0-9A-Za-z]{26}$/)
  const { rows } = await sql<{ readonly dump: string }>`select jsonb_agg(c)::text as dump from operator_codes c`.execute(server.db)
  expect(rows[0]?.dump).not.toContain(Buffer.from(code).toString('hex'))
})

test('many starts without an operator leave no more than twenty codes', async () => {
  for (let i = 0; i < 25; i++) {
    server.clock.at += 1000
    await server.operatorCodes.issue()
  }
  const { rows } = await sql<{ readonly count: number }>`select count(*)::int as count from operator_codes`.execute(server.db)
  expect(rows).toEqual([{ count: 20 }])
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'

const path = '/api/v1/audit'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

describe('reading', () => {
  test('filters by event, target, text and time, and pages without a gap', async () => {
    const account = await server.registerAccount()
    const ids: string[] = []
    for (let index = 0; index < 4; index++)
      ids.push((await account.client.workflows.create({ body: { definition: documentOf(greets, `p${index}`) } })).id)
    const read = async (query: string) => (await account.send('GET', `${path}/query?${query}`)).body
    expect((await read(`target=${ids[2]}`)).data.map(({ event }: { event: string }) => event)).toEqual(['workflow.created'])
    expect((await read('event=workflow.*')).data).toHaveLength(4)
    expect((await read('event=workflow')).data).toEqual([])
    expect((await read(`q=${String(ids[1]).toUpperCase()}`)).data).toHaveLength(1)
    expect((await read('q=%25')).data).toEqual([])
    expect((await read('to=2020-01-01T00:00:00Z')).data).toEqual([])
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const page = await read(`event=workflow.*&limit=3${cursor}`)
      seen.push(...page.data.map(({ target }: { target: string }) => target))
      if (page.nextCursor === null) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(seen).toEqual(ids.toReversed())
    expect((await account.send('GET', `${path}/query?cursor=abc`)).body).toMatchObject({ status: 400, errors: [{ pointer: '/cursor' }] })
  })

  test('shows members only what they did themselves, and no account the log of another one', async () => {
    const [account, other] = [await server.registerAccount(), await server.registerAccount()]
    await account.send('POST', '/api/v1/workflows', { definition: documentOf(greets) })
    const mine = (await account.send('GET', `${path}/me`)).body.data
    expect(mine.map(({ event }: { event: string }) => event)).toEqual(['workflow.created', 'account.registered'])
    expect((await other.send('GET', `${path}/query`)).body.data).toHaveLength(1)
    await sql`update users set role = 'member' where id = ${account.userId}`.execute(server.database.system)
    const login = await server.client.auth.login({ body: { email: account.email, password: account.password } })
    if (login.status !== 'signed_in') throw new Error('the user has no second factor')
    const asMember = { authorization: `Bearer ${login.accessToken}` }
    expect((await account.send('GET', `${path}/query`, undefined, asMember)).status).toBe(403)
    expect((await account.send('GET', `${path}/me`, undefined, asMember)).body.data.length).toBeGreaterThanOrEqual(2)
  })

  test('a day without a log and a text that is no date are not found', async () => {
    const account = await server.registerAccount()
    for (const date of ['1999-01-01', '2026-02-30', 'today'])
      expect((await account.send('GET', `${path}/verify/${date}`)).status, date).toBe(404)
  })
})

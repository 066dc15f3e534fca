import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMember, openApproval } from '#testing/approvals.ts'
import { documentOf, greets } from '#testing/definitions.ts'
import { toTypeId } from '#platform/ids.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { listEnded, listLatestEnded, searchEvents } from '#modules/audit/query/query-store.ts'

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
    const several = await read('event=account.registered,workflow.*,trigger.fired')
    expect(several.data.map(({ event }: { event: string }) => event)).toEqual([...ids.map(() => 'workflow.created'), 'account.registered'])
    expect((await account.send('GET', `${path}/query?event=a.*b,c`)).body).toMatchObject({ status: 400, errors: [{ pointer: '/event' }] })
    const rest = await read('event=!workflow.*,!execution.*')
    expect(rest.data.map(({ event }: { event: string }) => event)).toEqual(['account.registered'])
    expect((await read('event=workflow.*,!workflow.created')).data).toEqual([])
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

  test('text finds events by the names of people and things, and names are looked up when the log is read', async () => {
    const account = await server.registerAccount()
    const { system } = server.database
    await sql`update users set name = 'Sara Lind' where id = ${account.userId}`.execute(system)
    const { id } = await account.client.workflows.create({
      body: { definition: documentOf(greets, 'invoices'), name: 'Invoices of the week' },
    })
    await account.client.workflows.create({ body: { definition: documentOf(greets, 'other') } })
    const trigger = await account.send('POST', '/api/v1/triggers', { kind: 'manual', name: 'Monday', workflowId: id })
    const read = async (q: string) => (await account.send('GET', `${path}/query?q=${encodeURIComponent(q)}`)).body
    const targets = ({ data }: { data: readonly { target: string }[] }) => data.map(({ target }) => target)
    const ofWorkflow = await read('invoices OF')
    expect(targets(ofWorkflow)).toEqual([trigger.body.id, id])
    expect(ofWorkflow).toMatchObject({ searchedTo: null, names: { [id]: 'Invoices of the week', [trigger.body.id]: 'Monday' } })
    expect(Object.values(ofWorkflow.names)).toContain('Sara Lind')
    expect((await read('sara')).data).toHaveLength(4)
    expect(targets(await read('monday'))).toEqual([trigger.body.id])
    await sql`update users set name = null where id = ${account.userId}`.execute(system)
    expect((await read('sara')).data).toEqual([])
    const another = await server.registerAccount()
    expect((await another.send('GET', `${path}/query?q=Invoices`)).body).toMatchObject({ data: [], names: {} })
  })

  test('an event has the name that a thing had then, until the change that renamed it is erased', async () => {
    const account = await server.registerAccount()
    const { system } = server.database
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets, 'invoices'), name: 'Invoices' } })
    const rename = (name: string) => account.send('PUT', `/api/v1/workflows/${id}`, { name })
    await rename('Bills')
    await account.send('PUT', `/api/v1/workflows/${id}`, { tags: ['money'] })
    await rename('Billing')
    const read = async () => (await account.send('GET', `${path}/query?target=${id}`)).body
    const namesThen = async () => (await read()).data.map(({ earlierNames }: { earlierNames?: unknown }) => earlierNames ?? null)
    expect(await namesThen()).toEqual([{ [id]: 'Bills' }, { [id]: 'Bills' }, { [id]: 'Invoices' }, { [id]: 'Invoices' }])
    expect((await read()).names).toEqual(expect.objectContaining({ [id]: 'Billing' }))
    await account.send('PATCH', '/api/v1/auth/me', { name: 'Sara' })
    await account.send('PATCH', '/api/v1/auth/me', { name: 'Sara Lind' })
    expect((await read()).data[0].earlierNames).toEqual({ [id]: 'Bills', [toTypeId('usr', account.userId)]: 'Sara' })
    await sql`delete from audit_changes where account_id = ${account.accountId} and revealed::text like '%"Invoices"%'`.execute(system)
    await sql`delete from audit_changes where account_id = ${account.accountId} and revealed::text like '%Sara%'`.execute(system)
    expect(await namesThen()).toEqual([{ [id]: 'Bills' }, { [id]: 'Bills' }, { [id]: 'Bills' }, { [id]: 'Bills' }])
  })

  test('an approval has its title as name and an execution its workflow, and what was deleted its name in the details', async () => {
    const account = await server.registerAccount()
    const ada = await addMember(server, account, 'admin')
    const asked = await openApproval(account, { title: 'Pay invoice 4711', approvers: [ada.email] })
    await ada.decide(asked, { decision: 'approve' })
    await account.send('POST', `/api/v1/workflows/executions/${asked.executionId}/cancel`)
    const read = async (query: string) => (await account.send('GET', `${path}/query?${query}`)).body
    const workflow = (await account.client.workflows.list({ query: {} })).data[0]
    expect(await read('event=approval.*')).toMatchObject({
      data: [{ event: 'approval.answered', target: asked.approvalId }],
      names: { [asked.approvalId]: 'Pay invoice 4711', [asked.executionId]: workflow?.name },
    })
    expect((await read('q=INVOICE%204711')).data).toMatchObject([{ target: asked.approvalId }])
    const other = await server.registerAccount()
    expect((await other.send('GET', `${path}/query?q=4711`)).body).toMatchObject({ data: [], names: {} })
    const start = await account.send('POST', '/api/v1/triggers', { kind: 'manual', name: 'Monday', workflowId: workflow?.id })
    await account.send('DELETE', `/api/v1/triggers/${start.body.id}`)
    expect(await read('event=trigger.deleted')).toMatchObject({
      data: [{ details: { name: 'Monday', workflowId: workflow?.id } }],
      names: { [String(workflow?.id)]: workflow?.name },
    })
    await account.send('DELETE', `/api/v1/workflows/${workflow?.id}`)
    await account.send('DELETE', `/api/v1/account/users/${ada.id}`)
    expect(await read('event=workflow.deleted,user.removed')).toMatchObject({
      data: [{ details: { name: expect.stringContaining('Member') } }, { details: { name: workflow?.name } }],
    })
  })

  test('a search reads a bounded part of the log, and continues where it ended without a gap', async () => {
    const account = await server.registerAccount()
    const { system } = server.database
    await sql`
      insert into audit_events (id, account_id, at, actor, event, details)
      select millrace_uuid_v7(), ${account.accountId}, timestamptz '2026-01-01T00:00:00Z' + make_interval(secs => n), 'system:test', 'test.done',
        jsonb_build_object('n', n, 'word', case when n % 30 = 0 then 'needle' else 'hay' end)
      from generate_series(1, 100) n`.execute(system)
    const filter = { actor: undefined, event: undefined, target: undefined, requestId: undefined, from: undefined, to: undefined }
    const found: unknown[] = []
    let before: { readonly at: string; readonly id: string } | undefined
    let requests = 0
    for (; requests < 20; requests++) {
      const limits = { windowEvents: 10, windowsMax: 2 }
      const { events, searchedTo } = await searchEvents(
        system,
        account.accountId,
        { ...filter, text: 'needle' },
        { before, limit: 2 },
        limits,
      )
      found.push(...events.map(({ details }) => details))
      const last = events.at(-1)
      if (searchedTo === undefined && last === undefined) break
      before = searchedTo === undefined && last !== undefined ? last : { at: searchedTo ?? '', id: '00000000-0000-0000-0000-000000000000' }
    }
    expect(found).toMatchObject([{ n: 90 }, { n: 60 }, { n: 30 }])
    expect(requests).toBeGreaterThan(3)
  })

  test('the latest executions of a period are those that ended last', async () => {
    const account = await server.registerAccount()
    const { system } = server.database
    await sql`
      insert into audit_events (id, account_id, at, actor, event, target, details)
      select millrace_uuid_v7(), ${account.accountId}, timestamptz '2026-01-01T00:00:00Z' + make_interval(secs => n), 'system:engine',
        'execution.ended', 'exec_' || n, '{}'
      from generate_series(1, 5) n`.execute(system)
    const period = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-01-01T00:00:05Z'), limit: 2 }
    expect(await listLatestEnded(system, account.accountId, period)).toEqual(['exec_4', 'exec_3'])
    expect(await listEnded(system, account.accountId, period)).toEqual(['exec_1', 'exec_2'])
  })

  test('a day without a log and a text that is no date are not found', async () => {
    const account = await server.registerAccount()
    for (const date of ['1999-01-01', '2026-02-30', 'today'])
      expect((await account.send('GET', `${path}/verify/${date}`)).status, date).toBe(404)
  })
})

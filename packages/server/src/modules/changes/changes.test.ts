import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { notify } from '#modules/notifications/index.ts'
import { documentOf, greets, waits } from '#testing/definitions.ts'
import { type EventStream, openEventStream, type StreamEvent } from '#testing/event-stream.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

interface Opening {
  readonly owner?: TestAccount
  readonly token?: string
  readonly query?: string
  readonly lastEventId?: string
  readonly url?: string
}

/** A stream whose first event was read. */
async function open({ owner = account, token = owner.token, query = '', lastEventId, url = server.url }: Opening = {}) {
  const headers = { authorization: `Bearer ${token}`, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) }
  const stream = await openEventStream(`${url}/api/v1/stream${query}`, headers)
  const ready = await stream.next()
  expect(ready?.event).toBe('ready')
  return Object.assign(stream, { ready })
}

async function run(body: string, owner = account, wait = 10): Promise<{ readonly workflowId: string; readonly id: string }> {
  const { id: workflowId } = await owner.client.workflows.create({ body: { definition: documentOf(body) } })
  const { body: started } = await owner.send('POST', `/api/v1/workflows/${workflowId}/execute`, {}, { prefer: `wait=${wait}` })
  return { workflowId, id: started.id }
}

const is = (name: string, id: string) => (event: StreamEvent) => event.event === name && event.data.id === id
const namesOf = (events: readonly StreamEvent[], id: string) => events.filter(({ data }) => data.id === id).map(({ event }) => event)

async function until(stream: EventStream, name: string, id: string) {
  const events = await stream.until(is(name, id))
  expect(events.at(-1)?.event).toBe(name)
  return events
}

const asks = `do: [{ ask: { call: approve, with: { approvers: [{ role: owner }], title: Go? } } }]\n`

describe('the stream of an account', () => {
  test('executions, versions and approvals are reported in order, with ids and without values', async () => {
    await using stream = await open()
    const { workflowId, id } = await run(waits, account, 1)
    const begun = await until(stream, 'execution.waiting', id)
    expect(namesOf(begun, id)).toEqual(['execution.started', 'execution.waiting'])
    expect(begun.find(({ event }) => event === 'workflow.published')?.data).toMatchObject({ workflowId, version: 1 })
    await account.send('POST', `/api/v1/workflows/executions/${id}/cancel`, undefined, { prefer: 'wait=10' })
    const ended = (await until(stream, 'execution.ended', id)).at(-1)
    expect(ended?.data).toEqual({ at: expect.any(String), id, workflowId, state: 'cancelled', trigger: 'manual' })
    const { id: asking } = await run(asks, account, 1)
    const opened = (await stream.until(({ event }) => event === 'approval.opened')).at(-1)
    expect(opened?.data).toMatchObject({ executionId: asking, state: 'open' })
    await account.send('POST', `/api/v1/workflows/executions/${asking}/cancel`, undefined, { prefer: 'wait=10' })
    expect((await until(stream, 'approval.decided', opened?.data.id)).at(-1)?.data.state).toBe('closed')
  })

  test('another account sees nothing of it, and a user none of the notifications of others', async () => {
    const other = await server.registerAccount()
    await using stream = await open({ owner: other })
    await run(greets)
    const db = server.database.system
    const own = { accountId: other.accountId, kind: 'system.notice' } as const
    await sql`insert into notifications (id, account_id, user_id, kind, title, body, in_app, created_at, last_at)
      values (gen_random_uuid(), ${other.accountId}, ${account.userId}, 'system.notice', 'of a colleague', '', true, now(), now())`.execute(
      db,
    )
    await notify(db, { ...own, userIds: [other.userId], title: 'for you' })
    const events = await stream.until(({ event }) => event === 'notification')
    expect(events.map(({ data }) => data.title)).toEqual(['for you'])
  })

  test('a stream continues after its last event, in another process, without gaps or repetitions', async () => {
    const second = await server.startSecond()
    const first = await open({ query: '?kinds=execution.ended' })
    const before = await run(greets)
    const last = (await until(first, 'execution.ended', before.id)).at(-1)
    await first.close()
    const missed = await run(greets)
    await using next = await open({ query: '?kinds=execution.ended', lastEventId: last?.id ?? '', url: second.url })
    expect(next.ready?.data).toEqual({ resumed: true, kinds: ['execution.ended'] })
    const after = await run(greets)
    expect((await until(next, 'execution.ended', after.id)).map(({ data }) => data.id)).toEqual([missed.id, after.id])
  })

  test('a change of a transaction that commits late is not lost behind a later one', async () => {
    await using stream = await open({ query: '?kinds=notification' })
    const notice = { accountId: account.accountId, userIds: [account.userId], kind: 'system.notice' } as const
    const db = server.database.system
    await db.transaction().execute(async (late) => {
      await notify(late, { ...notice, title: 'first' })
      await notify(db, { ...notice, title: 'second' })
    })
    const events = await stream.until(({ data }) => data.title === 'second')
    expect(events.map(({ data }) => data.title)).toEqual(['first', 'second'])
  })

  test('a position that is no longer kept begins anew and says so', async () => {
    await using stream = await open({ lastEventId: `3-1-${Date.now()}` })
    expect(stream.ready?.data.resumed).toBe(false)
  })

  test('an id of no event is refused', async () => {
    const answer = await account.send('GET', '/api/v1/stream', undefined, { 'last-event-id': 'x' })
    expect(answer.body).toMatchObject({ code: 'request_invalid', errors: [{ pointer: '/last-event-id' }] })
  })

  test('a key gets only the kinds of its scopes, and its stream ends when it is revoked', async () => {
    const { secret, id } = (await account.send('POST', '/api/v1/api-keys', { name: 'watcher', scopes: ['account:read', 'workflows:read'] }))
      .body
    const refused = await fetch(`${server.url}/api/v1/stream?kinds=notification`, { headers: { authorization: `Bearer ${secret}` } })
    expect(refused.status).toBe(403)
    await using stream = await open({ token: secret })
    expect(stream.ready?.data.kinds).toEqual(['workflow.published'])
    await account.send('DELETE', `/api/v1/api-keys/${id}`)
    expect((await stream.rest()).filter(({ event }) => event !== 'workflow.published')).toEqual([])
  })
})

test('the changes of an account that has no watch are not recorded', async () => {
  const other = await server.registerAccount()
  await run(greets, other)
  const { rows } = await sql`select from account_changes where account_id = ${other.accountId}`.execute(server.database.system)
  expect(rows).toEqual([])
})

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { fromTypeId, toTypeId } from '#platform/ids.ts'
import { documentOf } from '#testing/definitions.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'

const path = '/api/v1/queue/dead-letter'
const subscriptions = '/api/v1/events/subscriptions'

/** Two calls one after another, the second with what the input says; its input has to have a name. */
const calls = (url: string) => `input:
  schema: { document: { type: object, required: [name], properties: { name: { type: string } } } }
do:
  - first: { call: http, with: { method: post, endpoint: '${url}/first', body: {} } }
  - second: { call: http, with: { method: post, endpoint: '${url}/second', body: { name: '\${ $workflow.input.name }' } } }
`

/** Runs a workflow that faults, and inserts the dead letter that the engine makes of an execution that crashed its processes. */
async function makeDeadLetter(server: TestServer, account: TestAccount, definition: string, input: object = { name: 'Ada' }) {
  const { id: workflowId } = await account.client.workflows.create({ body: { definition } })
  const { body } = await account.send('POST', `/api/v1/workflows/${workflowId}/execute`, { input }, { prefer: 'wait=10' })
  expect(body.state).toBe('faulted')
  const { rows } = await sql<{ id: string }>`
    insert into dead_letters (id, account_id, execution_id, workflow_id, reason, attempts, payload, created_at)
    select millrace_uuid_v7(), account_id, id, workflow_id, 'its process died 3 times', 3,
      json_build_object('workflowId', workflow_id, 'versionId', version_id, 'input', input), now()
    from executions where id = ${fromTypeId('exec', body.id) ?? ''} returning id`.execute(server.database.system)
  return { workflowId, executionId: String(body.id), letterId: toTypeId('dlt', rows[0]?.id ?? '') }
}

/** Makes dead letters of deliveries to an endpoint. */
async function failDeliveries(account: TestAccount, url: string, count: number) {
  const subscription = (await account.send('POST', subscriptions, { name: 'x', url, types: ['lost'] })).body
  const events = Array.from({ length: count }, (_, index) => ({
    specversion: '1.0',
    id: `l${index}`,
    source: subscription.id,
    type: 'lost',
  }))
  await account.send('POST', '/api/v1/events', events)
  await account.send('PUT', `${subscriptions}/${subscription.id}`, { enabled: false })
  await account.send('PUT', `${subscriptions}/${subscription.id}`, { enabled: true })
  return String(subscription.id)
}

const lettersOf = async (account: TestAccount, query = '') => (await account.send('GET', `${path}${query}`)).body.data
const endOf = async (account: TestAccount, id: string) => (await account.send('GET', `/api/v1/workflows/executions/${id}`)).body

describe('the dead letter of an execution', () => {
  test('has the reason, the number of attempts and the complete input', async () => {
    await using service = await startHttpStandIn(() => ({ status: 500 }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { workflowId, executionId, letterId } = await makeDeadLetter(server, account, documentOf(calls(service.url)), {
      name: 'Ada',
      deep: [1, { a: 'ü' }],
    })
    const { body } = await account.send('GET', `${path}/${letterId}`)
    expect(body).toMatchObject({
      kind: 'execution',
      reason: 'its process died 3 times',
      attempts: 3,
      executionId,
      workflowId,
      replayedAt: null,
    })
    expect(body.payload.input).toEqual({ name: 'Ada', deep: [1, { a: 'ü' }] })
    expect((await lettersOf(account))[0]).toEqual({ ...body, payload: undefined })
  })

  test('is replayed as a new execution that repeats no completed task; a second replay names that execution', async () => {
    let busy = true
    await using service = await startHttpStandIn(({ path: called }) => ({ status: called === '/second' && busy ? 500 : 200 }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { executionId, letterId } = await makeDeadLetter(server, account, documentOf(calls(service.url)))
    busy = false
    const replayed = await account.send('POST', `${path}/${letterId}/replay`)
    expect([replayed.status, replayed.body]).toEqual([
      200,
      expect.objectContaining({
        id: letterId,
        executionId,
        replayedBy: expect.stringMatching(/^user:usr_/),
        replayedAt: expect.any(String),
      }),
    ])
    const { replayedAs } = replayed.body
    expect(replayedAs).not.toBe(executionId)
    await expect.poll(async () => (await endOf(account, replayedAs)).state).toBe('completed')
    expect(service.requests.map((request) => request.path)).toEqual(['/first', '/second', '/second'])
    const again = await account.send('POST', `${path}/${letterId}/replay`)
    expect(again.body).toMatchObject({ status: 409, code: 'dead_letter_replayed', executionId: replayedAs })
  })

  test('takes a patch of its input, which is validated against the schema of the workflow', async () => {
    let busy = true
    await using service = await startHttpStandIn(({ path: called }) => ({ status: called === '/second' && busy ? 500 : 200 }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { letterId } = await makeDeadLetter(server, account, documentOf(calls(service.url)), { name: 'Ada', more: { a: 1, b: 2 } })
    busy = false
    const bad = await account.send('POST', `${path}/${letterId}/replay`, { patch: { name: null } })
    expect(bad.body).toMatchObject({ status: 422, code: 'input_invalid' })
    const good = await account.send('POST', `${path}/${letterId}/replay`, { patch: { name: 'Grace', more: { a: null } } })
    expect(good.status).toBe(200)
    await expect.poll(async () => (await endOf(account, good.body.replayedAs)).state).toBe('completed')
    expect((await endOf(account, good.body.replayedAs)).input).toEqual({ name: 'Grace', more: { b: 2 } })
    expect(service.requests.at(-1)?.body).toEqual({ name: 'Grace' })
  })

  test('is replayed once by two concurrent requests', async () => {
    await using service = await startHttpStandIn(() => ({ status: 500 }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { letterId, executionId } = await makeDeadLetter(server, account, documentOf(calls(service.url)))
    const answers = await Promise.all([1, 2, 3].map(() => account.send('POST', `${path}/${letterId}/replay`)))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409'])
    const { rows } = await sql`select from executions where retry_of = ${fromTypeId('exec', executionId) ?? ''}`.execute(
      server.database.system,
    )
    expect(rows).toHaveLength(1)
    const named = new Set(answers.map(({ body }) => body.replayedAs ?? body.executionId))
    expect(named.size).toBe(1)
  })

  test('counts as replayed once its execution was retried, and names the new execution', async () => {
    await using service = await startHttpStandIn(() => ({ status: 500 }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { letterId, executionId } = await makeDeadLetter(server, account, documentOf(calls(service.url)))
    const retried = await account.send('POST', `/api/v1/workflows/executions/${executionId}/retry`)
    expect(retried.status).toBe(200)
    const answer = await account.send('POST', `${path}/${letterId}/replay`)
    expect(answer.body).toMatchObject({ status: 409, code: 'dead_letter_replayed', executionId: retried.body.id })
    expect((await lettersOf(account, '?replayed=true')).map(({ id }: { id: string }) => id)).toEqual([letterId])
  })

  test('is not replayed while its workflow is disabled or its execution is missing, and can be replayed later', async () => {
    await using service = await startHttpStandIn(() => ({ status: 500 }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { workflowId, letterId, executionId } = await makeDeadLetter(server, account, documentOf(calls(service.url)))
    await account.client.workflows.update({ params: { id: workflowId }, body: { enabled: false } })
    expect((await account.send('POST', `${path}/${letterId}/replay`)).body).toMatchObject({ status: 409, code: 'workflow_disabled' })
    await account.client.workflows.update({ params: { id: workflowId }, body: { enabled: true } })
    await sql`delete from executions where id = ${fromTypeId('exec', executionId) ?? ''}`.execute(server.database.system)
    expect((await account.send('POST', `${path}/${letterId}/replay`)).body).toMatchObject({
      status: 409,
      code: 'conflict',
      detail: expect.stringContaining(executionId),
    })
    expect(await lettersOf(account, '?replayed=false')).toHaveLength(1)
  })
})

describe('the dead letter of a delivery', () => {
  test('is replayed with the same webhook-id and event, even after both were deleted', async () => {
    await using receiver = await startWebhookReceiver()
    await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await server.registerAccount()
    const subscriptionId = await failDeliveries(account, receiver.url, 2)
    await sql`with gone as (delete from events) delete from event_deliveries where id in (select id from event_deliveries limit 1)`.execute(
      server.database.system,
    )
    // As an execution may emit it; PostgreSQL reads no member of JSON with this character.
    await sql`update dead_letters set payload = replace(payload::text, '"specversion"', '"text":"a\\u0000b","specversion"')::json`.execute(
      server.database.system,
    )
    const letters = await lettersOf(account)
    for (const { id } of letters) {
      const { body } = await account.send('POST', `${path}/${id}/replay`)
      expect(body).toMatchObject({ id, replayedAt: expect.any(String), replayedAs: null })
      expect((await account.send('POST', `${path}/${id}/replay`)).body.code).toBe('dead_letter_replayed')
    }
    await server.startSecond({ MILLRACE_ROLES: 'worker' })
    await expect.poll(() => receiver.received.length).toBe(2)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set(letters.map(({ deliveryId }: { deliveryId: string }) => deliveryId)),
    )
    expect(new Set(receiver.received.map(({ body }) => JSON.parse(body).id))).toEqual(new Set(['l0', 'l1']))
    expect(JSON.parse(receiver.received[0]?.body ?? '').text).toBe('a\u0000b')
    const deliveries = async () =>
      (await account.send('GET', `${subscriptions}/${subscriptionId}/deliveries?state=delivered`)).body.data.length
    await expect.poll(deliveries).toBe(2)
  })

  test('takes no patch, and is not replayed to a disabled or deleted subscription', async () => {
    await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await server.registerAccount()
    const subscriptionId = await failDeliveries(account, 'http://127.0.0.1:9/', 1)
    const [{ id }] = await lettersOf(account)
    const replay = async (body: object = {}) => (await account.send('POST', `${path}/${id}/replay`, body)).body
    expect(await replay({ patch: { a: 1 } })).toMatchObject({ status: 400, errors: [{ pointer: '/patch' }] })
    await account.send('PUT', `${subscriptions}/${subscriptionId}`, { enabled: false })
    expect(await replay()).toMatchObject({ status: 409, code: 'conflict', detail: expect.stringContaining('disabled') })
    await account.send('DELETE', `${subscriptions}/${subscriptionId}`)
    expect(await replay()).toMatchObject({ status: 409, code: 'conflict', detail: expect.stringContaining('was deleted') })
    // A refused replay leaves the dead letter open.
    expect((await lettersOf(account))[0].replayedAt).toBeNull()
  })
})

describe('many dead letters', () => {
  test('are replayed by a filter with exceptions, and each has a result', async () => {
    await using service = await startHttpStandIn(() => ({ status: 500 }))
    await using server = await createTestServer({ MILLRACE_ROLES: 'api,worker' })
    const account = await server.registerAccount()
    const definition = documentOf(calls(service.url))
    const { letterId, workflowId } = await makeDeadLetter(server, account, definition)
    const subscriptionId = await failDeliveries(account, 'http://127.0.0.1:9/', 3)
    const lost = (await lettersOf(account, '?kind=event_delivery')).map(({ id }: { id: string }) => id).toReversed()
    const replayAll = async (body: object) => (await account.send('POST', `${path}/replay`, body)).body
    const first = await replayAll({ filter: { kind: 'event_delivery' }, except: [lost[1]] })
    expect(first).toEqual({
      items: [lost[0], lost[2]].map((id) => ({ id, replayed: true, replayedAs: null, code: null, detail: null })),
      nextCursor: null,
    })
    await account.send('DELETE', `${subscriptions}/${subscriptionId}`)
    const { items } = await replayAll({})
    expect(items).toEqual([
      { id: letterId, replayed: true, replayedAs: expect.stringMatching(/^exec_/), code: null, detail: null },
      { id: lost[1], replayed: false, replayedAs: null, code: 'conflict', detail: 'The subscription was deleted.' },
    ])
    expect((await replayAll({ filter: { workflow: workflowId } })).items).toEqual([])
    expect((await lettersOf(account, '?replayed=false')).map(({ id }: { id: string }) => id)).toEqual([lost[1]])
  })

  test('are replayed in several requests when they are too many for one', async () => {
    await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await server.registerAccount()
    await failDeliveries(account, 'http://127.0.0.1:9/', 60)
    await failDeliveries(account, 'http://127.0.0.1:9/', 45)
    const first = (await account.send('POST', `${path}/replay`, {})).body
    expect([first.items.length, typeof first.nextCursor]).toEqual([100, 'string'])
    const second = (await account.send('POST', `${path}/replay`, { cursor: first.nextCursor })).body
    expect([second.items.length, second.nextCursor]).toEqual([5, null])
    expect(await lettersOf(account, '?replayed=false')).toEqual([])
  })

  test('are filtered and paged, newest first', async () => {
    await using service = await startHttpStandIn(() => ({ status: 500 }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const one = await makeDeadLetter(server, account, documentOf(calls(service.url)))
    const other = await makeDeadLetter(server, account, documentOf(calls(service.url)))
    await sql`update dead_letters set created_at = now() - interval '1 day' where id = ${fromTypeId('dlt', one.letterId) ?? ''}`.execute(
      server.database.system,
    )
    const idsOf = async (query: string) => (await lettersOf(account, query)).map(({ id }: { id: string }) => id)
    expect(await idsOf('')).toEqual([other.letterId, one.letterId])
    expect(await idsOf(`?workflow=${one.workflowId}`)).toEqual([one.letterId])
    expect(await idsOf('?kind=event_delivery')).toEqual([])
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    expect([await idsOf(`?from=${hourAgo}`), await idsOf(`?to=${hourAgo}`)]).toEqual([[other.letterId], [one.letterId]])
    const page = (await account.send('GET', `${path}?limit=1`)).body
    expect([page.data[0].id, ...(await idsOf(`?limit=1&cursor=${page.nextCursor}`))]).toEqual([other.letterId, one.letterId])
  })
})

test('a filter with an unknown id finds no dead letter, whether or not the id is valid', async () => {
  await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
  const account = await server.registerAccount()
  await failDeliveries(account, 'http://127.0.0.1:9/', 1)
  for (const suffix of ['01h455vb4pex5vsknk084sn02q', '01jd0000000000000000000000', '7zzzzzzzzzzzzzzzzzzzzzzzzz']) {
    const workflow = `wf_${suffix}`
    expect(await account.send('GET', `${path}?workflow=${workflow}`)).toMatchObject({ status: 200, body: { data: [] } })
    const replay = await account.send('POST', `${path}/replay`, { filter: { workflow }, except: [`dlt_${suffix}`] })
    expect(replay).toMatchObject({ status: 200, body: { items: [] } })
  }
})

test('dead letters of another account are not visible', async () => {
  await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  await failDeliveries(account, 'http://127.0.0.1:9/', 1)
  const [{ id }] = await lettersOf(account)
  expect(await lettersOf(other)).toEqual([])
  expect((await other.send('GET', `${path}/${id}`)).status).toBe(404)
  expect((await other.send('POST', `${path}/${id}/replay`)).status).toBe(404)
  expect((await other.send('POST', `${path}/replay`, {})).body.items).toEqual([])
  expect((await lettersOf(account))[0].replayedAt).toBeNull()
})

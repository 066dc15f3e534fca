import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'

let server: TestServer
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await createTestServer()
})
afterAll(async () => {
  await server.close()
  await receiver[Symbol.asyncDispose]()
})

async function erase(account: TestAccount, values: readonly string[]) {
  const { body } = await account.send('POST', '/api/v1/privacy/erasures', { values })
  const read = async () => (await account.send('GET', `/api/v1/privacy/erasures/${body.id}`)).body
  await expect.poll(async () => (await read()).state, { interval: 100 }).toBe('done')
  return read()
}

const counts = `input:
  schema:
    document: { type: object, properties: { email: { type: string, format: email } } }
do:
  - ask: { call: http, with: { method: get, endpoint: 'URL' } }
  - size: { set: { n: COUNT, to: '\${ $workflow.input.email }' } }
`

describe('an execution in which data of a person was erased', () => {
  async function erasedRun(count: string) {
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({
      body: { definition: documentOf(counts.replace('URL', receiver.url).replace('COUNT', count)) },
    })
    const start = { input: { email: 'zoe@customer.example' } }
    const { body: run } = await account.send('POST', `/api/v1/workflows/${id}/execute`, start, { prefer: 'wait=20' })
    expect(run.state).toBe('completed')
    const erasure = await erase(account, ['zoe@customer.example'])
    const replay = async () => (await account.send('GET', `/api/v1/archivist/runs/${run.id}/replay`)).body
    return { account, run, erasure, replay }
  }

  const change = (run: { readonly id: string }, output: string) =>
    sql`update executions set output = ${output}::json where id = ${fromTypeId('exec', run.id)}`.execute(server.database.system)

  test('says so, keeps its steps, and is what the erasure left; its receipt says the same', async () => {
    const { account, run, erasure, replay } = await erasedRun('1')
    const { body } = await account.send('GET', `/api/v1/workflows/executions/${run.id}`)
    expect(body.erased).toEqual({ erasureId: erasure.id, at: expect.any(String) })
    expect(body.timeline).toMatchObject([
      { name: 'ask', state: 'completed' },
      { name: 'size', state: 'completed' },
    ])
    expect(await replay()).toMatchObject({ verified: true, erased: { erasureId: erasure.id, remains: 'unchanged', differences: [] } })
    const receipt = await account.send('GET', `/api/v1/archivist/runs/${run.id}/guardian-receipt`)
    expect(receipt.body.statement.predicate.erasure).toMatchObject({ id: erasure.id, remains: 'unchanged' })
  })

  test('that computes with the data cannot be walked again, and is proved by what the audit log has of it', async () => {
    const { erasure, replay } = await erasedRun("'${ $workflow.input.email | length }'")
    expect(await replay()).toMatchObject({ verified: false, erased: { erasureId: erasure.id, remains: 'unchanged' } })
  })

  test('and that was changed afterwards is found', async () => {
    const { run, replay } = await erasedRun('1')
    await change(run, '{"n":2,"to":"[erased:00000000-1]"}')
    expect(await replay()).toMatchObject({ verified: false, erased: { remains: 'changed', differences: ['output'] } })
  })

  test('by an erasure from before such executions were noted is known by its marks, and is not attested', async () => {
    const { account, run, erasure, replay } = await erasedRun('1')
    const { system } = server.database
    await sql`delete from privacy_erased_executions where account_id = ${account.accountId}`.execute(system)
    await sql`update privacy_erasures set notes_executions = false where account_id = ${account.accountId}`.execute(system)
    expect(await replay()).toMatchObject({ verified: true, erased: { erasureId: erasure.id, remains: 'unsealed' } })
    const { body } = await account.send('GET', `/api/v1/workflows/executions/${run.id}`)
    expect(body.erased).toMatchObject({ erasureId: erasure.id })
  })

  test('ends in the audit log with an event that names it and has no data', async () => {
    const { account, run, erasure } = await erasedRun('1')
    const events = async () => (await account.send('GET', `/api/v1/audit/query?target=${run.id}&event=execution.erased`)).body.data
    await expect.poll(async () => (await events()).length).toBe(1)
    const [event] = await events()
    expect(event).toMatchObject({ actor: 'system:erasure', target: run.id, details: { erasure: erasure.id, state: 'completed' } })
    expect(JSON.stringify(event)).not.toContain('zoe@customer.example')
    const verified = await account.send('GET', '/api/v1/audit/verify')
    expect(verified.body).toMatchObject({ verified: true })
  })

  test('is not one whose record was changed to have a mark', async () => {
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: documentOf('do: [{ a: { set: { n: 1 } } }]') } })
    const { body: run } = await account.send('POST', `/api/v1/workflows/${id}/execute`, { input: {} }, { prefer: 'wait=20' })
    const other = await erase(account, ['another person'])
    await change(run, `{"n":"[erased:${(fromTypeId('era', other.id) ?? '').slice(-8)}-1]"}`)
    const { body } = await account.send('GET', `/api/v1/archivist/runs/${run.id}/replay`)
    expect(body).toMatchObject({ verified: false })
    expect(body.erased).toBeUndefined()
  })
})

test('data is not erased in a partition that is being copied, but in the copy that takes its place', async () => {
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: documentOf('do: [{ keep: { set: { kept: true } } }]\n') } })
  const start = { input: { email: 'kim@customer.example' } }
  const { body: run } = await account.send('POST', `/api/v1/workflows/${id}/execute`, start, { prefer: 'wait=20' })
  const { system } = server.database
  const inputOf = async () => (await account.send('GET', `/api/v1/workflows/executions/${run.id}`)).body.input.email
  const erasing = await system.connection().execute(async (copying) => {
    await sql`select pg_advisory_lock(hashtext('millrace.compact'))`.execute(copying)
    const begun = erase(account, ['kim@customer.example'])
    const waiting = sql`select from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
      where l.mode = 'ShareLock' and not l.granted`
    await expect.poll(async () => (await waiting.execute(system)).rows.length).toBe(1)
    expect(await inputOf()).toBe('kim@customer.example')
    await sql`select pg_advisory_unlock(hashtext('millrace.compact'))`.execute(copying)
    return { begun }
  })
  await erasing.begun
  expect(await inputOf()).not.toContain('kim')
})

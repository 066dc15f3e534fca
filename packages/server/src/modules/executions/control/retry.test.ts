import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { counts, documentOf, waits } from '#testing/definitions.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

const path = '/api/v1/workflows/executions'
const patient = { prefer: 'wait=10' }

const create = (body: string) => account.client.workflows.create({ body: { definition: documentOf(body) } })

async function execute(workflowId: string, input: object = {}): Promise<string> {
  return (await account.send('POST', `/api/v1/workflows/${workflowId}/execute`, { input }, patient)).body.id
}

const retry = (id: string, body?: object, headers: Record<string, string> = patient) =>
  account.send('POST', `${path}/${id}/retry`, body, headers)
const read = (id: string) => account.send('GET', `${path}/${id}`)

/** Calls a port on which no server listens. */
const fails = `do:
  - ask: { call: http, with: { method: get, endpoint: { uri: 'http://127.0.0.1:9/' } } }
`

/** Ten calls one after another, of which the tenth fails until it is mended. */
async function startTenth() {
  let mended = false
  const standIn = await startHttpStandIn(({ path: called }) =>
    called === '/9' && !mended ? { status: 400, body: {} } : { body: { called } },
  )
  const tasks = Array.from(
    { length: 10 },
    (_, index) => `  - t${index}: { call: http, with: { method: get, endpoint: { uri: '${standIn.url}/${index}' } } }`,
  )
  return {
    body: `do:\n${tasks.join('\n')}\n`,
    paths: () => standIn.requests.map(({ path: called }) => called),
    mend: () => void (mended = true),
    [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
  }
}

describe('a retry', () => {
  test('a retry after the tenth effect failed does not repeat the first nine', async () => {
    await using tenth = await startTenth()
    const { id: workflowId } = await create(tenth.body)
    const id = await execute(workflowId)
    expect((await read(id)).body.state).toBe('faulted')
    tenth.mend()
    const { status, body, headers } = await retry(id)
    expect([status, body.state, body.output]).toEqual([200, 'completed', { called: '/9' }])
    expect(tenth.paths()).toEqual(['/0', '/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8', '/9', '/9'])
    expect(headers.get('location')).toBe(`${path}/${body.id}`)
  })

  test('a retry calls a service again whose failure was caught and raised again', async () => {
    let up = false
    await using standIn = await startHttpStandIn(() => (up ? { body: { up } } : { status: 503, body: {} }))
    const call = `{ call: http, with: { method: get, endpoint: { uri: '${standIn.url}/' } } }`
    const again = "{ raise: { error: '${ $error }' } }"
    const { id: workflowId } = await create(`do:\n  - fetch: { try: [{ get: ${call} }], catch: { do: [{ again: ${again} }] } }\n`)
    const id = await execute(workflowId)
    up = true
    expect(await retry(id)).toMatchObject({ status: 200, body: { state: 'completed', output: { up: true } } })
    expect(standIn.requests).toHaveLength(2)
  })

  test('a retry and the execution that it continues refer to each other, and the latter stays unchanged', async () => {
    const { id: workflowId } = await create(fails)
    const id = await execute(workflowId)
    const before = (await read(id)).body
    const { body } = await retry(id)
    expect(body).toMatchObject({ retryOf: id, state: 'faulted' })
    expect(body).not.toHaveProperty('retriedBy')
    expect((await read(id)).body).toEqual({ ...before, retriedBy: body.id })
    expect((await read(body.id)).body.retryOf).toBe(id)
  })

  test('an execution is retried once; a second request gets the id of the first retry', async () => {
    const { id: workflowId } = await create(fails)
    const id = await execute(workflowId)
    const answers = await Promise.all(Array.from({ length: 4 }, () => retry(id, undefined, {})))
    const [first, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    for (const { status, body } of answers)
      if (status !== 200) expect(body).toMatchObject({ code: 'execution_retried', retriedBy: first?.body.id })
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3)
  })

  test('a retry repeated with its idempotency key returns the same execution', async () => {
    const { id: workflowId } = await create(fails)
    const id = await execute(workflowId)
    const keyed = { 'idempotency-key': `retry-${id}` }
    const first = await retry(id, {}, keyed)
    const again = await retry(id, {}, keyed)
    expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([200, first.body.id, 'true'])
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect(await retry(id, { version: 'latest' }, keyed)).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
  })

  test('a retry of a cancelled execution continues where it was cancelled', async () => {
    const { id: workflowId } = await create(waits)
    const id = (await account.send('POST', `/api/v1/workflows/${workflowId}/execute`, {}, { prefer: 'wait=1' })).body.id
    await account.send('POST', `${path}/${id}/cancel`, undefined, patient)
    const { status, body } = await retry(id, {}, { prefer: 'wait=1' })
    expect([status, body.state]).toEqual([200, 'waiting'])
  })

  test('a retry writes an audit row with the new execution', async () => {
    const { id: workflowId } = await create(fails)
    const id = await execute(workflowId)
    const { body } = await retry(id, { input: { other: true } })
    const rows = await server.database.account(account.accountId, (tx) =>
      tx
        .selectFrom('audit_events')
        .select(['event', 'details'])
        .where('target', '=', id)
        .where('event', 'like', 'execution.retr%')
        .execute(),
    )
    expect(rows).toEqual([{ event: 'execution.retried', details: { retriedBy: body.id, version: 1, inputReplaced: true } }])
    const { actor } = await server.database.account(account.accountId, (tx) =>
      tx
        .selectFrom('executions')
        .select('actor')
        .where('retry_of', 'is not', null)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow(),
    )
    expect(actor).toMatch(/^user:usr_/)
  })
})

describe('with another input', () => {
  const divides = `input:
  schema:
    document: { type: object, required: [by], properties: { by: { type: number } } }
do:
  - divide: { set: { result: '\${ 10 / $workflow.input.by }' } }
`
  test('a retry with another input evaluates expressions again', async () => {
    const { id: workflowId } = await create(divides)
    const id = await execute(workflowId, { by: 0 })
    const { body } = await retry(id, { input: { by: 5 } })
    expect(body).toMatchObject({ state: 'completed', input: { by: 5 }, output: { result: 2 } })
  })

  test('a retry with an input that does not match the schema is refused', async () => {
    const { id: workflowId } = await create(divides)
    const id = await execute(workflowId, { by: 0 })
    expect(await retry(id, { input: { by: 'five' } })).toMatchObject({
      status: 422,
      body: { code: 'input_invalid', errors: [{ pointer: '/input/by' }] },
    })
    expect((await read(id)).body).not.toHaveProperty('retriedBy')
  })

  test('a retry with null in place of the input is checked as null', async () => {
    const { id: workflowId } = await create(divides)
    const id = await execute(workflowId, { by: 0 })
    expect(await retry(id, { input: null })).toMatchObject({ status: 422, body: { code: 'input_invalid' } })
  })
})

describe('on another version', () => {
  const nameOf = (text: string) => documentOf(text, 'versions')

  test('a retry on another version keeps the journalled outcomes and runs the remaining tasks of the new version', async () => {
    await using tenth = await startTenth()
    const { id: workflowId } = await account.client.workflows.create({ body: { definition: nameOf(tenth.body) } })
    const id = await execute(workflowId)
    const mended = tenth.body.replace(/ {2}- t9.*\n/, `  - t9: { set: { skipped: true } }\n`)
    const version2 = nameOf(mended).replace('version: 1.0.0', 'version: 1.1.0')
    await account.client.workflows.update({ params: { id: workflowId }, body: { definition: version2 } })
    const { body } = await retry(id, { version: 'latest' })
    expect(body).toMatchObject({ state: 'completed', workflowVersion: 2, output: { skipped: true } })
    expect(tenth.paths()).toHaveLength(10)
  })

  test('a retry on an unknown version is a 404, and of a disabled or deleted workflow a 409', async () => {
    const { id: workflowId } = await create(counts.replace('.count + 1', 'error("no")'))
    const id = await execute(workflowId, { count: 1 })
    expect(await retry(id, { version: 7 })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await retry(id, { version: 0 })).toMatchObject({ status: 400 })
    expect(await retry(id, { version: 'newest' })).toMatchObject({ status: 400 })
    await account.client.workflows.update({ params: { id: workflowId }, body: { enabled: false } })
    expect(await retry(id)).toMatchObject({ status: 409, body: { code: 'workflow_disabled' } })
    await account.client.workflows.delete({ params: { id: workflowId } })
    expect(await retry(id)).toMatchObject({ status: 409, body: { code: 'workflow_deleted' } })
  })

  test('a retry validates the old input against the schema of the new version', async () => {
    const failing = counts.replace('.count + 1', 'error("no")')
    const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(failing, 'stricter') } })
    const id = await execute(workflowId, { count: 1 })
    const stricter = documentOf(failing, 'stricter').replace('minimum: 0', 'minimum: 10').replace('version: 1.0.0', 'version: 1.1.0')
    await account.client.workflows.update({ params: { id: workflowId }, body: { definition: stricter } })
    expect(await retry(id, { version: 2 })).toMatchObject({ status: 422, body: { code: 'input_invalid' } })
    expect((await retry(id, { version: 1 })).body).toMatchObject({ state: 'faulted', workflowVersion: 1 })
  })
})

test('an execution of another account cannot be retried', async () => {
  const { id: workflowId } = await create(fails)
  const id = await execute(workflowId)
  const other = await server.registerAccount()
  expect(await other.send('POST', `${path}/${id}/retry`, {})).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, fails, greets, waits } from '#testing/definitions.ts'
import { asks, startGate } from '#testing/gate.ts'
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

async function start(body: string, headers: Record<string, string> = patient, from = account): Promise<string> {
  const { id } = await from.client.workflows.create({ body: { definition: documentOf(body) } })
  return (await from.send('POST', `/api/v1/workflows/${id}/execute`, {}, headers)).body.id
}

const act = (id: string, what: string, body?: unknown, headers: Record<string, string> = patient) =>
  account.send('POST', `${path}/${id}/${what}`, body, headers)
const read = (id: string) => account.send('GET', `${path}/${id}`)
const eventsOf = (target: string) =>
  server.database.account(account.accountId, (tx) =>
    tx
      .selectFrom('audit_events')
      .select(['event', 'actor', 'details'])
      .where('target', '=', target)
      .where('actor', '<>', 'system:engine') // The starts and ends of executions are rows too.
      .orderBy('id')
      .execute(),
  )

/** Starts an execution that is parked for a long time. */
async function waiting(): Promise<string> {
  const id = await start(waits, {})
  await expect.poll(async () => (await read(id)).body.state, { interval: 10 }).toBe('waiting')
  return id
}

async function suspended(): Promise<string> {
  const id = await waiting()
  await act(id, 'suspend')
  return id
}

async function cancelled(): Promise<string> {
  const id = await waiting()
  await act(id, 'cancel')
  return id
}

describe('control requests by state', () => {
  const states: Readonly<Record<string, () => Promise<string>>> = {
    waiting,
    suspended,
    completed: () => start(greets),
    faulted: () => start(fails),
    cancelled,
  }
  const ended = { cancel: '409 execution_ended', suspend: '409 execution_ended', resume: '409 execution_ended' }
  const expected = {
    waiting: { cancel: '200 cancelled', suspend: '200 suspended', resume: '409 execution_not_suspended', retry: '409 execution_not_ended' },
    suspended: { cancel: '200 cancelled', suspend: '409 execution_suspended', resume: '200', retry: '409 execution_not_ended' },
    completed: { ...ended, retry: '409 execution_completed' },
    faulted: { ...ended, retry: '200 faulted' },
    cancelled: { ...ended, retry: '200' },
  } as const
  const rows = Object.entries(expected).flatMap(([state, row]) =>
    Object.entries(row).map(([what, answer]) => [state, what, answer] as const),
  )

  test.for(rows)('%s, %s: %s', async ([state, what, answer]) => {
    const id = (await states[state]?.()) ?? ''
    expect((await read(id)).body.state).toBe(state)
    const { status, body } = await act(id, what, undefined, what === 'resume' || state === 'cancelled' ? {} : patient)
    expect(`${status} ${body.code ?? body.state}`).toContain(answer)
    if (status === 409) {
      expect(body.state).toBe(state)
      expect((await read(id)).body.state).toBe(state)
    }
  })

  test('an execution that no process has claimed can be cancelled, suspended and resumed', async () => {
    await using idle = await createTestServer({ MILLRACE_ROLES: 'api,scheduler' })
    const owner = await idle.registerAccount()
    const [cancels, suspends, resumes] = [await start(greets, {}, owner), await start(greets, {}, owner), await start(greets, {}, owner)]
    const deed = async (id: string, what: string) => {
      const { status, body } = await owner.send('POST', `${path}/${id}/${what}`)
      return `${status} ${body.code ?? body.state}`
    }
    expect(await deed(cancels, 'cancel')).toBe('200 pending')
    expect(await deed(suspends, 'resume')).toBe('409 execution_not_suspended')
    expect(await deed(suspends, 'retry')).toBe('409 execution_not_ended')
    expect(await deed(suspends, 'suspend')).toBe('200 suspended')
    expect(await deed(resumes, 'suspend')).toBe('200 suspended')
    expect(await deed(resumes, 'resume')).toBe('200 pending')
    await idle.startSecond({ MILLRACE_ROLES: 'worker' })
    const stateOf = async (id: string) => (await owner.send('GET', `${path}/${id}`)).body.state
    await expect.poll(() => stateOf(cancels)).toBe('cancelled')
    await expect.poll(() => stateOf(resumes)).toBe('completed')
    expect(await stateOf(suspends)).toBe('suspended')
  })
})

test('a control request whose response waits is not repeated by a second request with its key', async () => {
  await using gate = await startGate()
  const id = await start(asks(gate.url, ['a', 'b']), {})
  await gate.called(1)
  const keyed = { prefer: 'wait=120', 'idempotency-key': crypto.randomUUID() }
  const first = act(id, 'suspend', undefined, keyed)
  await expect.poll(async () => (await eventsOf(id)).length).toBe(1)
  expect((await act(id, 'suspend', undefined, keyed)).body).toMatchObject({ status: 409, code: 'idempotency_in_progress' })
  gate.letGo()
  expect((await first).body).toMatchObject({ state: 'suspended' })
  const again = await act(id, 'suspend', undefined, keyed)
  expect([again.body.state, again.headers.get('idempotent-replayed')]).toEqual(['suspended', 'true'])
})

describe('cancel', () => {
  test('cancel aborts a running task and starts no other', async () => {
    await using gate = await startGate()
    const id = await start(asks(gate.url, ['a', 'b']), {})
    await gate.called(1)
    const { body, headers } = await act(id, 'cancel')
    expect(body).toMatchObject({ id, state: 'cancelled', endedAt: expect.stringMatching(/Z$/) })
    expect(headers.get('preference-applied')).toBe('wait=10')
    expect(gate.paths()).toEqual(['/a'])
  })

  test('cancel aborts a task in another process', async () => {
    await using gate = await startGate()
    const second = await server.startSecond()
    const id = await start(asks(gate.url, ['a']), {})
    await gate.called(1)
    const response = await fetch(`${second.url}${path}/${id}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}`, ...patient },
    })
    expect(await response.json()).toMatchObject({ state: 'cancelled' })
  })

  test('cancel without Prefer returns the current execution', async () => {
    const id = await waiting()
    const { status, body, headers } = await act(id, 'cancel', undefined, {})
    expect([status, body.id]).toEqual([200, id])
    expect(headers.get('preference-applied')).toBeNull()
    await expect.poll(async () => (await read(id)).body.state).toBe('cancelled')
  })

  test('cancel writes an audit row with its actor', async () => {
    const id = await cancelled()
    expect(await eventsOf(id)).toEqual([{ event: 'execution.cancelled', actor: expect.stringMatching(/^user:usr_/), details: {} }])
  })

  test('a refused cancel writes no audit row', async () => {
    const id = await start(greets)
    expect((await act(id, 'cancel')).status).toBe(409)
    expect(await eventsOf(id)).toEqual([])
  })

  test('cancel repeated with its idempotency key returns the first response', async () => {
    const id = await waiting()
    const keyed = { ...patient, 'idempotency-key': `cancel-${id}` }
    const first = await act(id, 'cancel', undefined, keyed)
    const again = await act(id, 'cancel', undefined, keyed)
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([200, first.body, 'true'])
  })
})

describe('suspend', () => {
  test('suspend lets the running task end and starts no further task until resume', async () => {
    await using gate = await startGate()
    const id = await start(asks(gate.url, ['a', 'b']), {})
    await gate.called(1)
    expect((await act(id, 'suspend', undefined, {})).body.state).toBe('running')
    gate.letGo()
    await expect.poll(async () => (await read(id)).body.state).toBe('suspended')
    expect(gate.paths()).toEqual(['/a'])
    expect((await act(id, 'resume', undefined, {})).status).toBe(200)
    await gate.called(2)
    gate.letGo()
    await expect.poll(async () => (await read(id)).body.state).toBe('completed')
    expect(gate.paths()).toEqual(['/a', '/b'])
    expect((await eventsOf(id)).map(({ event }) => event)).toEqual(['execution.suspended', 'execution.resumed'])
  })

  test('suspend with Prefer responds when the execution is suspended', async () => {
    await using gate = await startGate()
    const id = await start(asks(gate.url, ['a', 'b']), {})
    await gate.called(1)
    const answer = act(id, 'suspend')
    const asked = () =>
      server.database.account(account.accountId, (tx) =>
        tx.selectFrom('executions').select('id').where('suspend_requested_at', 'is not', null).where('state', '=', 'running').execute(),
      )
    await expect.poll(async () => (await asked()).length).toBe(1)
    // The audit row does not wait for the response: a server that crashes now leaves no change without an audit row.
    await expect.poll(async () => (await eventsOf(id)).map(({ event }) => event)).toEqual(['execution.suspended'])
    gate.letGo()
    expect((await answer).body.state).toBe('suspended')
  })

  test('suspend has no effect when resume follows before it takes effect', async () => {
    await using gate = await startGate()
    const id = await start(asks(gate.url, ['a', 'b']), {})
    await gate.called(1)
    await act(id, 'suspend', undefined, {})
    expect((await act(id, 'resume', undefined, {})).status).toBe(200)
    gate.letGo()
    await gate.called(2)
    gate.letGo()
    await expect.poll(async () => (await read(id)).body.state).toBe('completed')
  })
})

test('an API key that may only start executions cannot control them', async () => {
  const key = await account.client.apiKeys.create({ body: { name: 'starter', scopes: ['executions:run', 'executions:read'] } })
  const id = await waiting()
  expect(await act(id, 'cancel', undefined, { authorization: `Bearer ${key.secret}` })).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope' },
  })
})

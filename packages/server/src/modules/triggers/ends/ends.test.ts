import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, fails, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ MILLRACE_PUBLIC_URL: 'https://millrace.example.com' })
})
afterAll(() => server.close())

const faulted = 'io.serverlessworkflow.workflow.faulted.v1'
const completed = 'io.serverlessworkflow.workflow.completed.v1'
const echoes = 'do:\n  - echo: { set: { got: "${ . }" } }\n'

async function published(account: TestAccount, body: string, name?: string): Promise<string> {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(body, name) } })
  return id
}

/** A workflow that faults start. */
const onFaults = (account: TestAccount, body = echoes, filter = `{ type: ${faulted} }`) =>
  published(account, `schedule: { on: { one: { with: ${filter} } } }\n${body}`)

/** Runs a workflow to its end. */
async function run(account: TestAccount, workflowId: string): Promise<string> {
  const { body } = await account.send('POST', `/api/v1/workflows/${workflowId}/execute`, { input: { name: 'Ada' } }, { prefer: 'wait=30' })
  return body.id
}

/** The executions of a workflow, the oldest first, after all ends were evaluated and all firings were made. */
async function executionsOf(account: TestAccount, workflowId: string) {
  const open = async () => {
    const { rows } = await sql`
      select from execution_ends where account_id = ${account.accountId}
      union all select from trigger_firings where account_id = ${account.accountId}
      union all select from executions where account_id = ${account.accountId} and ended_at is null`.execute(server.database.system)
    return rows.length
  }
  await expect.poll(open).toBe(0)
  const { data } = (await account.send('GET', `/api/v1/workflows/${workflowId}/executions?limit=100`)).body
  const executions = []
  for (const { id } of data.toReversed()) executions.push((await account.send('GET', `/api/v1/workflows/executions/${id}`)).body)
  return executions
}

describe('what the end of an execution starts', () => {
  test('a fault starts the workflow that waits for faults once, with what it needs, and both runs lead to each other', async () => {
    const account = await server.registerAccount()
    const handler = await onFaults(account)
    const workflowId = await published(account, fails, 'stock')
    const id = await run(account, workflowId)
    await run(account, await published(account, greets))
    const [started, ...others] = await executionsOf(account, handler)
    expect(others).toEqual([])
    const times = { createdAt: expect.any(String), startedAt: expect.any(String), endedAt: expect.any(String) }
    expect(started).toMatchObject({ trigger: 'event', causedBy: id, state: 'completed' })
    expect(started.input).toEqual([
      {
        name: `stock-${id}.tests`,
        faultedAt: started.input[0].execution.endedAt,
        error: {
          type: 'https://example.com/errors/stock',
          status: 409,
          title: 'Out of stock',
          detail: 'None left',
          instance: '/do/0/refuse',
        },
        execution: {
          id,
          state: 'faulted',
          trigger: 'manual',
          startedBy: expect.stringMatching(/^user:usr_/),
          ...times,
          url: `https://millrace.example.com/runs/${id}`,
        },
        workflow: { id: workflowId, name: 'stock', version: 1, document: { namespace: 'tests', name: 'stock', version: '1.0.0' } },
      },
    ])
    const { data } = (await account.send('GET', `/api/v1/executions?causedBy=${id}`)).body
    expect(data).toMatchObject([{ id: started.id, workflowId: handler }])
    const { rows } = await sql`select from events where account_id = ${account.accountId}`.execute(server.database.system)
    expect(rows).toEqual([])
  })

  test('the filters of `schedule.on` choose among the ends, and an end may be one of several events', async () => {
    const account = await server.registerAccount()
    const stock = await onFaults(
      account,
      echoes,
      `{ type: ${faulted}, data: '\${ .error.status == 409 and .workflow.document.name == "stock-2" }' }`,
    )
    const done = await onFaults(account, echoes, `{ type: ${completed} }`)
    const both = await published(
      account,
      `schedule: { on: { all: [{ with: { type: ${faulted} } }, { with: { type: order } }] }, read: envelope }\n${echoes}`,
    )
    await run(account, await published(account, fails, 'stock-1'))
    const second = await run(account, await published(account, fails, 'stock-2'))
    const greeted = await run(account, await published(account, greets))
    expect((await executionsOf(account, stock)).map(({ causedBy }) => causedBy)).toEqual([second])
    expect((await executionsOf(account, done)).map(({ causedBy }) => causedBy)).toEqual([greeted])
    expect(await executionsOf(account, both)).toEqual([])
    await account.send('POST', '/api/v1/events', { specversion: '1.0', id: '1', source: '/shop', type: 'order' })
    const [collected] = await executionsOf(account, both)
    expect(collected.input.map(({ type }: { type: string }) => type)).toEqual([faulted, 'order'])
    expect(collected.causedBy).toBe(collected.input[0].subject)
  })

  test('what the end of one execution has started is found among others with the same label', async () => {
    const account = await server.registerAccount()
    const labelled = async (name: string, labels: string, body: string) => {
      const definition = `document: { dsl: '1.0.3', namespace: tests, name: ${name}, version: 1.0.0, metadata: { labels: ${labels} } }\n${body}`
      return (await account.client.workflows.create({ body: { definition } })).id
    }
    const handler = await labelled('alarm', '{ area: alarms }', `schedule: { on: { one: { with: { type: ${faulted} } } } }\n${echoes}`)
    const failing = await labelled('order', "{ customer: '${ .name }' }", fails)
    const ids = [await run(account, failing), await run(account, failing)]
    const started = await executionsOf(account, handler)
    const foundBy = async (query: string) => {
      const { data } = (await account.send('GET', `/api/v1/executions?${query}`)).body
      return data.map(({ id }: { id: string }) => id)
    }
    expect(await foundBy('label=area:alarms')).toHaveLength(2)
    for (const id of ids) {
      const own = started.filter(({ causedBy }) => causedBy === id).map((one) => one.id)
      expect(own).toHaveLength(1)
      expect(started.find(({ causedBy }) => causedBy === id).input[0].execution.labels).toEqual({ customer: 'Ada' })
      for (const query of ['label=area:alarms', 'q=alarms', 'state=completed', `workflowId=${handler}`])
        expect(await foundBy(`causedBy=${id}&${query}`)).toEqual(own)
    }
  })

  test('a trigger may name workflows, and is refused what starts nothing', async () => {
    const account = await server.registerAccount()
    const [handler, watched, other] = [await published(account, echoes), await published(account, fails), await published(account, fails)]
    const of = (event: object) => account.send('POST', '/api/v1/triggers', { workflowId: handler, name: 'x', kind: 'event', event })
    expect((await of({ types: ['order', 'io.serverlessworkflow.task.faulted.v1'] })).body).toMatchObject({
      errors: [{ pointer: '/event/types/1' }],
    })
    expect((await of({ types: [faulted, 'order'], workflows: [watched] })).body).toMatchObject({
      errors: [{ pointer: '/event/workflows' }],
    })
    expect((await of({ types: [faulted], workflows: ['wf_00000000000000000000000000'] })).status).toBe(404)
    const { body } = await of({ types: ['io.serverlessworkflow.workflow.*'], workflows: [watched] })
    expect(body.event).toEqual({ types: ['io.serverlessworkflow.workflow.*'], workflows: [watched] })
    await run(account, other)
    const id = await run(account, watched)
    const started = await executionsOf(account, handler)
    expect(started.map(({ input }) => [input.type, input.subject])).toEqual([[faulted, id]])
    await account.send('PATCH', `/api/v1/triggers/${body.id}`, { event: { types: [faulted] } })
    await run(account, other)
    expect(await executionsOf(account, handler)).toHaveLength(2)
  })
})

describe('what starts nothing by its end', () => {
  test('neither what an end has started, nor its children and retries, nor tests, nor children whose parents see the fault', async () => {
    const account = await server.registerAccount()
    await published(account, fails, 'inner')
    const calls = (wait: boolean) => `run: { workflow: { namespace: tests, name: inner, version: 1.0.0 }, await: ${wait} }`
    const handler = await onFaults(account, `do:\n  - detached: { ${calls(false)} }\n  - failing: { ${calls(true)} }\n`)
    const parent = await published(account, `do:\n  - first: { ${calls(true)} }\n`)
    const id = await run(account, parent)
    expect((await executionsOf(account, handler)).map(({ state, causedBy }) => [state, causedBy])).toEqual([['faulted', id]])
    const [failed] = await executionsOf(account, handler)
    const { body: retried } = await account.send('POST', `/api/v1/workflows/executions/${failed.id}/retry`, {})
    expect(retried.causedBy).toBe(id)
    await executionsOf(account, handler)
    const { rows } = await sql<{ trigger: string; state: string }>`
      select trigger, state from executions where account_id = ${account.accountId} and caused_by is not null`.execute(
      server.database.system,
    )
    // The retry begins at the failed task, so it starts one child.
    const caused = ['event', 'event', 'workflow', 'workflow', 'workflow'].map((trigger) => `${trigger} faulted`)
    expect(rows.map(({ trigger, state }) => `${trigger} ${state}`).toSorted((a, b) => a.localeCompare(b))).toEqual(caused)
    const tested = await account.send('POST', `/api/v1/workflows/${parent}/test`, {}, { prefer: 'wait=30' })
    expect([tested.status, tested.body.state]).toEqual([200, 'faulted'])
    expect((await executionsOf(account, handler)).map((one) => one.id)).toEqual([failed.id, retried.id])
    const { data } = (await account.send('GET', `/api/v1/executions?causedBy=${id}`)).body
    expect(data.map((found: { id: string }) => found.id)).toEqual([failed.id])
  })

  test('a retry of what no end has started counts as a fault of its own, and a disabled trigger starts nothing', async () => {
    const account = await server.registerAccount()
    const handler = await onFaults(account)
    const id = await run(account, await published(account, fails))
    await executionsOf(account, handler)
    const { body } = await account.send('POST', `/api/v1/workflows/executions/${id}/retry`, {})
    const started = await executionsOf(account, handler)
    expect(started.map(({ causedBy }) => causedBy)).toEqual([id, body.id])
    expect(started[1].input[0].execution).toMatchObject({ trigger: 'manual', retryOf: id })
    const [trigger] = (await account.send('GET', `/api/v1/triggers/workflow/${handler}`)).body.data
    await account.send('PATCH', `/api/v1/triggers/${trigger.id}/toggle`, { enabled: false })
    await run(account, await published(account, fails))
    expect(await executionsOf(account, handler)).toHaveLength(2)
  })
})

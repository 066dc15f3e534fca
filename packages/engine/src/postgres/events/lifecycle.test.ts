import { parse } from 'yaml'
import { expect, onTestFinished, test } from 'vitest'
import type { Definition } from '@millrace/dsl'
import { compileWorkflow } from '#compile/compile-workflow.ts'
import { eventOf } from '#testing/bus.ts'
import type { EngineDatabase } from '#testing/database.ts'
import { newUuid } from '#testing/uuid.ts'
import { accountId, createTestEngine, type EngineSettings, type TestEngine } from '#testing/engines.ts'
import { executionIn, testDatabase } from '#testing/postgres-parts.ts'

const prefix = 'io.serverlessworkflow.'
const wanted = {
  hasSubscribers: () => true,
  publicId: (id: string) => `exec_${id}`,
  documentOf: async () => ({ namespace: 'test', name: 'flow', version: '1.0.0' }),
}

function flow(tasks: string) {
  const yaml = `document: { dsl: '1.0.3', namespace: test, name: flow, version: '1.0.0' }\ndo: ${tasks}`
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by the tests.
  return compileWorkflow(parse(yaml) as Definition)
}

const workflows = {
  hears: flow(`[{ before: { set: 1 } }, { hear: { listen: { to: { one: { with: { type: said } } } } } }, { after: { set: 2 } }]`),
  asks: flow(
    `[{ ask: { call: http, with: { method: get, endpoint: 'http://a' } } }, { again: { call: http, with: { method: get, endpoint: 'http://a' } } }]`,
  ),
  fails: flow(`[{ raises: { raise: { error: { type: 'https://t.test/x', status: 400 } } } }]`),
  watches: flow(`[{ w: { listen: { to: { one: { with: { type: ${prefix}workflow.faulted.v1 } } } } } }]`),
}

async function process(database: EngineDatabase, lifecycle = wanted, functions: EngineSettings['functions'] = {}): Promise<TestEngine> {
  const one = await createTestEngine(database, { workflows, lifecycle, functions })
  onTestFinished(() => one.engine.close(Date.now() + 1_000))
  return one
}

async function until(database: EngineDatabase, id: string, state: string): Promise<void> {
  await expect.poll(async () => (await executionIn(database, id))?.['state']).toBe(state)
}

/** The lifecycle events of an execution, in the order of their publication. */
async function publishedOf({ pool }: EngineDatabase, id: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ type: string; task: string | null }>(
    `select type, envelope -> 'data' ->> 'task' as task from events where envelope ->> 'subject' = $1 order by id`,
    [`exec_${id}`],
  )
  return rows.map(({ type, task }) => `${type.slice(prefix.length, -'.v1'.length)}${task === null ? '' : ` ${task.split('/').at(-1)}`}`)
}

test('lifecycle events of an execution are published once and in order, however many processes run it in turn', async () => {
  const database = await testDatabase()
  const one = await process(database)
  const { id } = await one.start('hears')
  await until(database, id, 'waiting')
  expect(await one.engine.suspend(accountId, id)).toBe('suspended')
  const other = await process(database)
  await one.engine.close(Date.now() + 1_000)
  await other.engine.publish(accountId, [eventOf('said')])
  expect(await other.engine.resume(accountId, id)).toBe('resumed')
  expect((await other.outcome(id))?.state).toBe('completed')
  expect(await publishedOf(database, id)).toEqual([
    'workflow.started',
    'task.created before',
    'task.started before',
    'task.completed before',
    'task.created hear',
    'task.started hear',
    'workflow.correlation-started',
    'workflow.suspended',
    'workflow.resumed',
    'workflow.correlation-completed',
    'task.completed hear',
    'task.created after',
    'task.started after',
    'task.completed after',
    'workflow.completed',
  ])
})

test('an execution that becomes a dead letter publishes its fault', async () => {
  const database = await testDatabase()
  const { start } = await process(database, wanted, { http: () => new Promise(() => undefined) })
  const { id } = await start('asks')
  await until(database, id, 'running')
  // Its claim names a process that does not exist, as after the last crash that it may cause.
  await database.pool.query(`update executions set claimed_by = $1, crash_count = 11 where id = $2`, [newUuid(), id])
  await until(database, id, 'faulted')
  expect(await publishedOf(database, id)).toEqual(['workflow.started', 'task.created ask', 'task.started ask', 'workflow.faulted'])
  const { rows } = await database.pool.query(`select envelope from events where type = $1`, [`${prefix}workflow.faulted.v1`])
  expect(JSON.parse(rows[0].envelope)).toMatchObject({
    source: '/test/flow/1.0.0',
    data: { name: `flow-exec_${id}.test`, error: { title: 'Dead letter', detail: expect.stringContaining('died 12 times') } },
  })
})

test('every suspension and resumption is published, and a request without effect is not', async () => {
  const database = await testDatabase()
  const { engine, start } = await process(database)
  const { id } = await start('hears')
  await until(database, id, 'waiting')
  for (let round = 0; round < 2; round++) {
    await engine.suspend(accountId, id)
    expect(await engine.suspend(accountId, id)).toBe('already')
    await engine.resume(accountId, id)
    await until(database, id, 'waiting')
    expect(await engine.resume(accountId, id)).toBe('running')
  }
  const published = (await publishedOf(database, id)).filter((what) => what === 'workflow.suspended' || what === 'workflow.resumed')
  expect(published).toEqual(['workflow.suspended', 'workflow.resumed', 'workflow.suspended', 'workflow.resumed'])
})

test('a suspension that is withdrawn before it takes effect publishes nothing', async () => {
  const database = await testDatabase()
  const { promise: asked, resolve: answer } = Promise.withResolvers<null>()
  let begun = false
  const http = () => {
    begun = true
    return asked
  }
  const { engine, start, outcome } = await process(database, wanted, { http })
  const { id } = await start('asks')
  await expect.poll(() => begun).toBe(true)
  expect(await engine.suspend(accountId, id)).toBe('requested')
  expect(await engine.resume(accountId, id)).toBe('resumed')
  answer(null)
  expect(await outcome(id)).toMatchObject({ state: 'completed' })
  expect((await publishedOf(database, id)).filter((what) => /suspended|resumed/.test(what))).toEqual([])
})

test('the suspension of a running execution is published once it takes effect', async () => {
  const database = await testDatabase()
  const { promise: asked, resolve: answer } = Promise.withResolvers<null>()
  let begun = false
  const http = () => {
    begun = true
    return asked
  }
  const { engine, start, outcome } = await process(database, wanted, { http })
  const { id } = await start('asks')
  await expect.poll(() => begun).toBe(true)
  await engine.suspend(accountId, id)
  answer(null)
  await until(database, id, 'suspended')
  await engine.resume(accountId, id)
  await outcome(id)
  const published = await publishedOf(database, id)
  expect(published.slice(published.indexOf('workflow.suspended'))).toEqual([
    'workflow.suspended',
    'workflow.resumed',
    'task.completed again',
    'workflow.completed',
  ])
})

test('a retried execution publishes all events from its beginning, including those of tasks that it takes over', async () => {
  const database = await testDatabase()
  let down = true
  let calls = 0
  const http = async () => {
    calls += 1
    if (down && calls === 2) throw new Error('down')
    return null
  }
  const { engine, start, outcome } = await process(database, wanted, { http })
  const failed = await start('asks')
  expect(await outcome(failed.id)).toMatchObject({ state: 'faulted' })
  down = false
  const retried = await engine.retry(accountId, failed.id, { actor: 'user:test' })
  if (retried.kind !== 'started') throw new Error(retried.kind)
  expect(await outcome(retried.id)).toMatchObject({ state: 'completed' })
  expect(await publishedOf(database, retried.id)).toEqual([
    'workflow.started',
    ...['ask', 'again'].flatMap((task) => ['created', 'started', 'completed'].map((what) => `task.${what} ${task}`)),
    'workflow.completed',
  ])
})

test('a cancelled execution publishes the end of its open tasks', async () => {
  const database = await testDatabase()
  const { engine, start, outcome } = await process(database)
  const { id } = await start('hears')
  await until(database, id, 'waiting')
  await engine.cancel(accountId, id)
  await outcome(id)
  expect((await publishedOf(database, id)).slice(-3).toSorted()).toEqual([
    'task.cancelled hear',
    'workflow.cancelled',
    'workflow.correlation-completed',
  ])
})

test('a workflow can listen for the fault of another one', async () => {
  const database = await testDatabase()
  const { start, outcome } = await process(database)
  const watching = await start('watches')
  await until(database, watching.id, 'waiting')
  const { id } = await start('fails')
  expect(await outcome(watching.id)).toMatchObject({ state: 'completed', output: [{ error: { type: 'https://t.test/x' } }] })
  expect((await publishedOf(database, id)).at(-1)).toBe('workflow.faulted')
})

test('no lifecycle event is published without a subscriber', async () => {
  const database = await testDatabase()
  const { start, outcome } = await process(database, { ...wanted, hasSubscribers: () => false })
  const { id } = await start('fails')
  await outcome(id)
  expect(await publishedOf(database, id)).toEqual([])
})

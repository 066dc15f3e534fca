import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { documentOf } from '#testing/definitions.ts'
import { hasMysqlServer, startMysqlServer } from '#testing/mysql-server.ts'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const password = ['shop', 'pass', '4711'].join('-')

// Skipped without MariaDB, which `.ci/run` installs on Debian.
describe.skipIf(!hasMysqlServer())('a real MariaDB', () => {
  let server: TestServer
  let account: TestAccount
  let mysql: Awaited<ReturnType<typeof startMysqlServer>>
  beforeAll(async () => {
    mysql = await startMysqlServer({ username: 'shop', password })
    await mysql.run(
      'create table orders (id bigint primary key auto_increment, note text, price decimal(20,2), at datetime, data blob, more json)',
      `insert into orders (note, price, at, data, more) values ('Grüße', 12345678901234567.89, '2026-01-02 03:04:05', x'00ff', '{"a":1}')`,
    )
    server = await createTestServer()
    account = await server.registerAccount()
    await connect('shop', mysql.secrets.password)
    await connect('wrong', 'another')
  })
  afterAll(async () => {
    await server.close()
    await mysql[Symbol.asyncDispose]()
  })

  async function connect(name: string, given: string) {
    const { body } = await account.send('POST', '/api/v1/connections', { name, settings: mysql.settings, secrets: { password: given } })
    expect(body.errors).toBeUndefined()
    expect(body.state).toBe(given === password ? 'ready' : 'failed')
  }

  const query = (given: object, input: object = {}) =>
    runTasks(account, [{ it: { call: 'mysql.query', with: { connection: 'shop', ...given } } }], input)

  test('gives rows in JSON without losing digits, dates or bytes', async () => {
    const { output } = await query({ statement: 'select note, price, at, data, more, 9007199254740993 as big from orders' })
    expect(output).toMatchObject({
      rowCount: 1,
      rows: [{ note: 'Grüße', price: '12345678901234567.89', at: '2026-01-02 03:04:05', data: 'AP8=', big: '9007199254740993' }],
    })
  })

  test('keeps parameters apart from the statement', async () => {
    const note = "'); drop table orders; -- "
    const made = await query({ statement: 'insert into orders (note) values (?)', parameters: ['${ .note }'] }, { note })
    expect(made.output).toMatchObject({ rows: [], rowCount: 1 })
    const { output } = await query({ statement: 'select note from orders where id = ?', parameters: [2] })
    expect(output.rows).toEqual([{ note }])
  })

  test.each<[string, object, number]>([
    ['a password that is wrong', { connection: 'wrong', statement: 'select 1' }, 401],
    ['a table that does not exist', { statement: 'select * from nothing' }, 502],
    ['a second statement', { statement: 'select 1; select 2' }, 502],
    ['more rows than were asked for', { statement: 'select 1 union select 2', rowsMax: 1 }, 502],
    ['a statement that takes too long', { statement: 'select sleep(5), id from orders', timeoutSeconds: 1 }, 408],
  ])('reports %s', async (_what, given, status) => {
    expect(await query(given)).toMatchObject({ state: 'faulted', error: { status } })
  })

  test('starts one execution for each new row', async () => {
    await mysql.run(
      'create table visits (id bigint primary key auto_increment, who varchar(20))',
      "insert into visits (who) values ('old')",
    )
    const definition = documentOf('do:\n  - echo: { set: "${ .item.who }" }\n')
    const workflowId = (await account.client.workflows.create({ body: { definition } })).id
    const settings = { source: 'rows', connection: 'shop', table: 'shop.visits', column: 'id' }
    const { body } = await account.send('POST', '/api/v1/triggers', { workflowId, name: 'Visits', kind: 'watch', watch: settings })
    const id: string = body.id
    const view = async () => (await account.send('GET', `/api/v1/triggers/${id}`)).body.watch
    await expect.poll(async () => (await view()).lookedAt).not.toBeNull()
    await mysql.run("insert into visits (who) values ('ada'), ('grace')", "update visits set who = 'older' where id = 1")
    await sql`update trigger_watches set look_at = now() where trigger_id = ${fromTypeId('trg', id)}`.execute(server.database.system)
    const outputs = async () => {
      const { data } = (await account.send('GET', `/api/v1/workflows/${workflowId}/executions`)).body
      const all = data.map(async (one: { id: string }) => (await account.send('GET', `/api/v1/workflows/executions/${one.id}`)).body.output)
      return (await Promise.all(all)).toSorted((a, b) => String(a).localeCompare(String(b)))
    }
    await expect.poll(outputs).toEqual(['ada', 'grace'])
  })
})

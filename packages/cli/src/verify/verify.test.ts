import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder, runCli, startCli } from '#testing/cli.ts'
import { definition } from '#testing/definitions.ts'
import { type HttpService, startHttpService } from '#testing/http-service.ts'
import { createPostgres, type Postgres } from '#testing/postgres.ts'
import { runHere } from '#testing/run-here.ts'

let database: Postgres
let service: HttpService
let ids: readonly string[]
let env: Record<string, string>

const uuidOf = async (id: string) => {
  const { stdout } = await runHere(['verify', '--json', id], { env })
  expect(JSON.parse(stdout)).toEqual({ id, entries: expect.any(Number), difference: null })
  const rows = await database.query('select id from executions order by id')
  return String(rows[ids.indexOf(id)]?.id)
}

beforeAll(async () => {
  database = await createPostgres('migrated')
  service = await startHttpService((_request, count) => ({ body: { count } }))
  const folder = await createFolder()
  env = { DATABASE_URL: database.url, MILLRACE_HOME: folder.path, MILLRACE_PRIVATE_NETWORK: '127.0.0.1' }
  await using cli = startCli(['start', '--port', '0'], { env })
  const [, baseUrl = ''] = await cli.waitFor(/API +(http:\/\/127\.0\.0\.1:\d+)\n/)
  const { accessToken } = await createClient({ baseUrl, groups }).auth.register({
    body: { email: 'ada@example.com', password: 'correct horse battery staple', name: 'Ada' },
  })
  const client = createClient({ baseUrl, groups, token: accessToken })
  const text = definition(
    `- ask:\n    call: http\n    with: { method: get, endpoint: '${service.url}' }\n- choose:\n    switch: [{ few: { when: '.count < 2', then: few } }, { many: { then: many } }]\n- few:\n    set: { said: few }\n    then: end\n- many:\n    set: { said: many }`,
  )
  const workflow = await client.workflows.create({ body: { definition: text } })
  const started: string[] = []
  for (let index = 0; index < 2; index++) {
    const { id } = await client.workflows.execute({ params: { id: workflow.id }, body: {} }, { waitSeconds: 20 })
    started.push(id)
  }
  ids = started
  cli.kill('SIGTERM')
  await cli.end
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

describe('millrace verify', () => {
  test('executions whose output follows from their journal are verified', async () => {
    const { exitCode, stdout, stderr } = await runCli(['verify', ...ids], { env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '2 verified, none differs.\n' })
    expect(stdout).toMatch(new RegExp(`^✓ ${ids[0]} 1 entries\\n✓ ${ids[1]} 1 entries\\n$`))
    expect(await runHere(['verify', '--all'], { env })).toMatchObject({ exitCode: 0, stderr: '2 verified, none differs.\n' })
  })

  test('an altered output is reported', async () => {
    const id = ids[0] ?? ''
    const row = await uuidOf(id)
    await database.query(`update executions set output = '{"said":"much"}' where id = '${row}'`)
    const { exitCode, stdout, stderr } = await runHere(['verify', '--all'], { env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '2 verified, 1 differs.\n' })
    expect(stdout).toMatch(/^✗ exec_\w+ output: the walk gives another output \(recorded {"said":"much"}, walked {"said":"few"}\)$/m)
    await database.query(`update executions set output = '{"said":"few"}' where id = '${row}'`)
  })

  test('a journal that was altered so that the flow takes another path is reported', async () => {
    const id = ids[1] ?? ''
    const row = await uuidOf(id)
    await database.query(`update journal set value = '{"count":0}' where execution_id = '${row}'`)
    const { exitCode, stdout } = await runHere(['verify', '--json', id], { env })
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ id, difference: { part: 'output', recorded: { said: 'many' }, walked: { said: 'few' } } })
    await database.query(`delete from journal where execution_id = '${row}'`)
    expect((await runHere(['verify', id], { env })).stdout).toContain(
      'state: it is completed on record, and the walk has not reached its end',
    )
  })

  test('an execution that does not exist and a missing argument are reported', async () => {
    expect(await runHere(['verify', 'exec_01jd0000000000000000000000'], { env })).toMatchObject({
      exitCode: 1,
      stdout: '✗ exec_01jd0000000000000000000000 does not exist\n',
      stderr: '0 verified, none differs; 1 not found.\n',
    })
    expect(await runHere(['verify'], { env })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--all') })
  })
})

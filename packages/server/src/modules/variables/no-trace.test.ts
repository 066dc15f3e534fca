import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

/** Texts with characters that percent-encoding and base64 change. */
const secrets = Array.from({ length: 10 }, (_, at) => ({ name: `SECRET_${at}`, value: `s${at}/${randomBytes(9).toString('base64')}+ü=` }))

/** A text as it may be found: plain, percent-encoded, in JSON, and in base64 at each of the three offsets. */
function formsOf(value: string): readonly string[] {
  const base64 = [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.from(`${'x'.repeat(offset)}${value}`)
    // The first and the last group depend on what surrounds the text.
    const text = bytes.toString('base64').slice(offset === 0 ? 0 : 4, -4)
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [value, encodeURIComponent(value), encodeURI(value), JSON.stringify(value).slice(1, -1), ...base64]
}

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const db = server.database.system
  const { rows: tables } = await sql<{ readonly name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss') order by 1`.execute(db)
  const texts = []
  for (const { name } of tables) {
    const { rows } = await sql<{ readonly line: string }>`select t::text as line from ${sql.raw(name)} t`.execute(db)
    texts.push(...rows.map(({ line }) => line))
  }
  expect(tables.length).toBeGreaterThan(100)
  return texts.join('\n')
}

test('after executions that used ten secrets, no form of them is in the database, in the log or in a reply', async () => {
  await using echo = await startHttpStandIn(({ path, body }) => ({ status: path === '/fails' ? 500 : 200, body: { path, echoed: body } }))
  for (const { name, value } of secrets) {
    const made = await account.send('POST', '/api/v1/variables', { name, kind: 'secret', value })
    expect(made.status).toBe(200)
  }
  const asText = (at: number) =>
    `\${ "is " + $secrets.SECRET_${at} + " and " + ($secrets.SECRET_${at} | @uri) + " and " + ($secrets.SECRET_${at} | @base64) }`
  const post = (path: string, at: number) => ({
    call: 'http',
    with: { method: 'post', endpoint: `${echo.url}${path}`, body: { text: asText(at) } },
  })
  const tasks = secrets.slice(0, 8).map(({ name }, at) => ({ [`send${name}`]: post('/echo', at) }))
  const definition = (name: string, more: object) => ({
    document: { dsl: '1.0.3', namespace: 'test', name, version: '1.0.0' },
    use: { secrets: secrets.map((secret) => secret.name) },
    do: [...tasks, { keep: { set: { all: '${ . }', eighth: asText(8) }, export: { as: '${ . }' } } }, more],
  })
  const replies: unknown[] = []
  for (const [name, last] of [
    ['completes', { end: { set: { done: asText(9) } } }],
    ['faults', { fails: post('/fails', 9) }],
    ['raises', { raises: { raise: { error: { type: 'https://example.com/no', status: 400, detail: asText(9) } } } }],
  ] as const) {
    const { body } = await account.send('POST', '/api/v1/workflows', { definition: definition(name, last), publish: true })
    const started = await account.send('POST', `/api/v1/workflows/${body.id}/execute`, {}, { prefer: 'wait=20' })
    expect(started.body.state).toBe(name === 'completes' ? 'completed' : 'faulted')
    const path = `/api/v1/workflows/executions/${started.body.id}`
    for (const query of [
      `${path}?values=inline`,
      `${path}?view=summary`,
      `/api/v1/workflows/${body.id}`,
      `/api/v1/workflows/${body.id}/executions`,
    ])
      replies.push((await account.send('GET', query)).body)
    replies.push(body, started.body)
  }
  for (const path of ['/api/v1/variables', '/api/v1/notifications', '/api/v1/audit/events'])
    replies.push((await account.send('GET', path)).body)
  // The search finds what was sent, in each encoding.
  const sent = echo.requests.map(({ body }) => JSON.stringify(body)).join('\n')
  for (const { value } of secrets.slice(0, 8)) {
    const [, percent = '', , json = '', base64 = ''] = formsOf(value)
    for (const form of [percent, json, base64]) expect(sent).toContain(form)
  }
  const traces = { database: await dump(), log: server.log.join('\n'), replies: JSON.stringify(replies) }
  expect(traces.database).toContain('SECRET_0')
  for (const [where, text] of Object.entries(traces))
    for (const { name, value } of secrets)
      for (const [form, searched] of formsOf(value).entries())
        expect(text.includes(searched), `${name} in ${where}, form ${form}`).toBe(false)
})

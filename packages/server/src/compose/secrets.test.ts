import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ConfigError } from '#config/config-error.ts'
import { toTypeId } from '#platform/ids.ts'
import { documentOf } from '#testing/definitions.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { openSecrets } from './secrets.ts'

const token = 'sesame/open+4711'

/** A service that accepts requests with the token and echoes their bodies. */
const service = createServer((request, response) => {
  const { authorization = '' } = request.headers
  const body = { authorization, encoded: Buffer.from(`is ${authorization}`).toString('base64'), url: request.url }
  response.writeHead(authorization === `Bearer ${token}` ? 200 : 401, { 'content-type': 'application/json', 'x-echo': authorization })
  response.end(JSON.stringify(body))
})
let url = ''
let folder = ''
let path = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const address = service.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen on a port')
  url = `http://127.0.0.1:${address.port}`
})
afterAll(() => void service.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-secrets-'))
  path = join(folder, 'secrets.json')
  await writeFile(path, '{}', { mode: 0o600 })
})
afterEach(() => rm(folder, { recursive: true }))

const give = ({ accountId }: TestAccount, secrets: object) => writeFile(path, JSON.stringify({ [toTypeId('acct', accountId)]: secrets }))
const startServer = () => createTestServer({ MILLRACE_SECRETS_FILE: path })

const definitionOf = (call: string) => documentOf(`use: { secrets: [token] }\ndo:\n${call}`)
const asks = (more = '') =>
  definitionOf(`  - ask:
      call: http
      with:
        method: get
        endpoint: { uri: '${url}/', authentication: { bearer: { token: '\${ $secrets.token }' } } }${more}
`)

/** Everything that the database keeps of executions, and everything that was logged. */
async function tracesOf(server: TestServer): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select journal::text as line from journal union all select executions::text from executions`.execute(server.database.system)
  expect(rows.length).toBeGreaterThan(0)
  return [...rows.map(({ line }) => line), ...server.log].join('\n')
}

/** The token as it is, and in every part of a text that can be read as base64. */
function shows(text: string): boolean {
  const encoded = text.match(/[A-Za-z0-9+/]{12,}/g) ?? []
  return [text, ...encoded.map((part) => Buffer.from(part, 'base64').toString())].some((reading) => reading.includes('4711'))
}

test('a workflow calls a service with its secret, and what the service echoes is masked wherever it is kept', async () => {
  await using server = await startServer()
  const account = await server.registerAccount()
  await give(account, { token })
  const { id } = await account.client.workflows.create({ body: { definition: asks('\n        output: response') } })
  const answer = await account.send('POST', `/api/v1/execute/${id}/run`)
  expect([answer.status, answer.body.statusCode, answer.body.headers['x-echo']]).toEqual([200, 200, 'Bearer ***'])
  expect(answer.body.content).toMatchObject({ authorization: 'Bearer ***', url: '/' })
  expect(shows(JSON.stringify(answer.body))).toBe(false)
  const { data } = await account.client.workflows.executions({ params: { id } })
  const execution = await account.client.workflows.execution({ params: { executionId: data[0]?.id ?? '' } })
  expect(execution.timeline).toMatchObject([{ name: 'ask', state: 'completed' }])
  expect(shows(JSON.stringify(execution))).toBe(false)
  expect(shows(await tracesOf(server))).toBe(false)
})

test('a service that refuses, and repeats the secret, leaves no trace of it either', async () => {
  await using server = await startServer()
  const account = await server.registerAccount()
  await give(account, { token: `${token}-of-yesterday` })
  const { id } = await account.client.workflows.create({ body: { definition: asks() } })
  const answer = await account.send('POST', `/api/v1/execute/${id}/run`)
  expect(answer).toMatchObject({ status: 422, body: { code: 'execution_faulted', error: { status: 401 } } })
  expect(answer.body.error.detail).toContain('***')
  expect(shows(JSON.stringify(answer.body))).toBe(false)
  expect(shows(await tracesOf(server))).toBe(false)
})

test('a definition with a secret that is unknown or of another account is refused', async () => {
  await using server = await startServer()
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  await give(other, { token })
  const refused = await account.send('POST', '/api/v1/workflows', { definition: asks() })
  expect([refused.status, refused.body.code]).toEqual([422, 'workflow_invalid'])
  expect(refused.body.diagnostics).toMatchObject([{ code: 'unknown_secret', pointer: '/use/secrets/0' }])
  const draft = await account.client.workflows.create({ body: { definition: asks(), publish: false } })
  const needs = () => account.send('GET', `/api/v1/workflows/${draft.id}/execution-requirements`)
  expect((await needs()).body.secrets).toMatchObject([{ name: 'token', missing: true }])
  await give(account, { token })
  expect((await needs()).body.secrets).toMatchObject([{ name: 'token', missing: false }])
})

test('a secret of the Vault reaches the service, before one of the file, and leaves no trace', async () => {
  const paths: (string | undefined)[] = []
  await using vault = await startHttpStandIn(({ path: asked }, headers) => {
    paths.push(asked)
    const isAllowed = headers['x-vault-token'] === 'reader'
    return { status: isAllowed ? 200 : 403, body: isAllowed ? { data: { data: { token } } } : { errors: ['permission denied'] } }
  })
  await using server = await createTestServer({
    MILLRACE_SECRETS_FILE: path,
    MILLRACE_VAULT_URL: vault.url,
    MILLRACE_VAULT_TOKEN: 'reader',
  })
  const account = await server.registerAccount()
  await give(account, { token: 'that of the file' })
  const { id } = await account.client.workflows.create({ body: { definition: asks() } })
  const { status, body } = await account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=20' })
  expect([status, body.state]).toEqual([200, 'completed'])
  expect(new Set(paths)).toEqual(new Set([`/v1/secret/data/millrace/${toTypeId('acct', account.accountId)}`]))
  expect(await tracesOf(server)).not.toContain(token)
})

test('a file of secrets that cannot be used stops the start, with the variable that names it', async () => {
  await writeFile(path, '{ "token": "x" }')
  await using running = new AsyncDisposableStack()
  const opened = openSecrets({ secretsFile: path, vault: undefined }, { warn: () => undefined }, { clock: () => 0 }, running)
  await expect(opened).rejects.toThrow(ConfigError)
  await expect(opened).rejects.toThrow(`MILLRACE_SECRETS_FILE: The file of secrets ${path} cannot be used: /token: `)
})

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { secretColumns } from './categories.ts'
import { exportedTables } from './make-export.ts'
import { readLines } from './read-tables.ts'

const unzip = '/usr/bin/unzip'
const sha256sum = '/usr/bin/sha256sum'
const waiting = { interval: 100 }

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

async function ready(account: TestAccount) {
  await expect.poll(async () => (await account.client.account.export()).state, waiting).toBe('ready')
  return account.client.account.export()
}

test.skipIf(!existsSync(unzip) || !existsSync(sha256sum))(
  'the export of an account is a valid bag with its data alone, by links that work once, and its owner is notified',
  async () => {
    const [account, other] = await Promise.all([server.registerAccount(), server.registerAccount()])
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
    const started = await account.send('POST', `/api/v1/workflows/${id}/execute`, { input: { name: 'Ada' } }, { prefer: 'wait=10' })
    expect(started.body.state).toBe('completed')
    await runTasks(account, [{ put: { call: 'files.put', with: { name: 'kept', text: 'the content of a file' } } }])
    await runTasks(other, [{ put: { call: 'files.put', with: { name: 'kept', text: 'the content of another account' } } }])
    const first = await ready(account)
    const response = await fetch(`${server.url}${first.download?.url}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([first.bytes, first.sha256])
    expect((await fetch(`${server.url}${first.download?.url}`)).status).toBe(404)
    // Another request has another link to the same file.
    const again = await account.client.account.export()
    expect(again).toMatchObject({ id: first.id, sha256: first.sha256 })
    expect((await fetch(`${server.url}${again.download?.url}`)).status).toBe(200)
    const { data } = await account.client.notifications.list()
    expect(data.filter(({ title }) => title === 'The export of the account is ready')).toHaveLength(1)

    const folder = await mkdtemp(join(tmpdir(), 'millrace-export-'))
    try {
      await writeFile(join(folder, 'export.zip'), bytes)
      execFileSync(unzip, ['-q', 'export.zip'], { cwd: folder })
      const bag = join(folder, first.id)
      for (const manifest of ['manifest-sha256.txt', 'tagmanifest-sha256.txt'])
        execFileSync(sha256sum, ['--check', '--strict', '--quiet', manifest], { cwd: bag })
      const files = await readdir(join(bag, 'data'), { recursive: true, withFileTypes: true })
      const present = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name).slice(bag.length + 1))
      const manifest = await readFile(join(bag, 'manifest-sha256.txt'), 'utf8')
      expect(present.toSorted()).toEqual(
        manifest
          .trim()
          .split('\n')
          .map((line) => line.slice(66))
          .toSorted(),
      )
      const texts = await Promise.all(present.map((name) => readFile(join(bag, name), 'utf8')))
      const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
      expect(await readFile(join(bag, 'bag-info.txt'), 'utf8')).toContain(`Payload-Oxum: ${size}.${present.length}\n`)
      const all = texts.join('')
      expect(all).toContain(account.email)
      expect(all).toContain('"Ada"')
      const content = present.filter((name) => name.startsWith('data/files/contents/'))
      expect(await Promise.all(content.map((name) => readFile(join(bag, name), 'utf8')))).toEqual(['the content of a file'])
      for (const foreign of [other.email, other.accountId, account.password, 'argon2', 'of another account'])
        expect(all).not.toContain(foreign)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

test('an export is downloaded in parts, each by a link of its own, that make the same file', async () => {
  const account = await server.registerAccount()
  await ready(account)
  const get = async (headers: Record<string, string>) => {
    const { download } = await account.client.account.export()
    const response = await fetch(`${server.url}${download?.url}`, { headers })
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const { response, bytes } = await get({})
  const etag = response.headers.get('etag') ?? ''
  expect([response.headers.get('accept-ranges'), etag]).toEqual(['bytes', `"${createHash('sha256').update(bytes).digest('hex')}"`])
  const head = await get({ range: 'bytes=0-999' })
  const rest = await get({ range: 'bytes=1000-', 'if-range': etag })
  expect([rest.response.status, rest.response.headers.get('content-range')]).toEqual([
    206,
    `bytes 1000-${bytes.length - 1}/${bytes.length}`,
  ])
  expect(Buffer.concat([head.bytes, rest.bytes])).toEqual(bytes)
})

test('an export has values with every character of JSON, one row in a line', async () => {
  const account = await server.registerAccount()
  const { output } = await runTasks(account, [{ make: { set: { text: '${ [0, 10, 34, 128512] | implode }' } } }])
  const { rows } = await sql<{ line: string }>`select output::text as line from executions where account_id = ${account.accountId}`.execute(
    server.database.system,
  )
  expect([output, rows[0]?.line]).toEqual([{ text: '\0\n"\u{1F600}' }, expect.stringContaining(String.raw`\u0000`)])
  const lines = await server.database.system.transaction().execute(async (tx) => {
    const parts: Buffer[] = []
    for await (const part of readLines(tx, account.accountId, 'executions')) parts.push(part)
    return Buffer.concat(parts).toString().trimEnd().split('\n')
  })
  expect(lines.map((line) => JSON.parse(line).output)).toEqual([output])
})

test('an export has no bytes but digests: a secret, sealed or not, stays in the database', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.oid = any(${[...exportedTables.values()]}::regclass[]::oid[]) and a.attnum > 0 and not a.attisdropped
      and a.atttypid in ('bytea'::regtype, 'bytea[]'::regtype) and not a.attname = any(${[...secretColumns]}::text[])
    order by 1`.execute(server.database.system)
  expect(rows.map(({ name }) => name)).toEqual([
    'account_files.sha256',
    ...['hashes', 'input_digests', 'output_digests', 'salts'].map((column) => `audit_blocks.${column}`),
    'audit_events.commitment',
  ])
})

test('a link to an export downloads no evidence pack', async () => {
  const account = await server.registerAccount()
  const { download } = await ready(account)
  const token = download?.url.split('/').at(-2)
  expect((await fetch(`${server.url}/api/v1/archivist/evidence-pack/${token}/content`)).status).toBe(404)
  expect((await fetch(`${server.url}${download?.url}`)).status).toBe(200)
})

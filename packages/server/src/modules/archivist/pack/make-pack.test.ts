import { spawnSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launchChromium } from '#testing/chromium.ts'
import { documentOf, greets } from '#testing/definitions.ts'
import { createFiles } from '#platform/files/files.ts'
import { fromTypeId } from '#platform/ids.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/archivist'
const waiting = { interval: 200 }
const main = join(import.meta.dirname, '../../../../../cli/src/main.ts')

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

async function run(account: TestAccount, definition: string, input: object = { name: 'Ada' }): Promise<string> {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(definition) } })
  const { body } = await account.send('POST', `/api/v1/workflows/${id}/execute`, { input }, { prefer: 'wait=10' })
  return body.id
}

const uuidOf = (id: string) => fromTypeId('exec', id) ?? ''

async function packOf(account: TestAccount, query: string) {
  await expect.poll(async () => (await account.send('GET', `${path}/evidence-pack?${query}`)).body.state, waiting).toBe('ready')
  return (await account.send('GET', `${path}/evidence-pack?${query}`)).body
}

async function filesOf({ id, download }: { readonly id: string; readonly download: { readonly url: string } }) {
  const files = unzipSync(new Uint8Array(await (await fetch(`${server.url}${download.url}`)).arrayBuffer()))
  return (name: string) => Buffer.from(files[`${id}/data/${name}`] ?? []).toString()
}

describe('an evidence pack', () => {
  test('continues after the executions that are done when its process died, and is made once', async () => {
    const account = await server.registerAccount()
    const [kept, other] = [await run(account, greets), await run(account, greets)]
    const query = `executions=${[kept, other].join(',')}`
    const first = await account.send('GET', `${path}/evidence-pack?${query}`)
    const packId = fromTypeId('pack', first.body.id) ?? ''
    await packOf(account, query)
    const { envelope } = (await account.send('GET', `${path}/runs/${kept}/guardian-receipt`)).body
    const evidence = { envelope, journal: 'as it was kept', versionId: uuidOf(kept), isErased: false }
    const part = JSON.stringify({ row: { id: kept }, evidence })
    // As after a kill: the evidence of one execution, a file that was not complete, and the job on the queue again.
    const db = server.database.system
    await sql`update evidence_packs set state = 'preparing', file_id = null where id = ${packId}`.execute(db)
    await sql`update files set bytes = null where account_id = ${account.accountId}`.execute(db)
    await createFiles({ db, now: Date.now, newId: randomUUID, randomBytes }).makeParts({
      accountId: account.accountId,
      owner: `pack:${packId}`,
      names: [uuidOf(kept)],
      readAt: new Date(),
      expiresAt: new Date(Date.now() + 60_000),
      signal: AbortSignal.timeout(180_000),
      async *make() {
        yield Buffer.from(part)
      },
      onMade: async () => undefined,
    })
    await sql`update pgboss.job set state = 'retry', start_after = now(), completed_on = null where data->'payload'->>'packId' = ${packId}`.execute(
      db,
    )
    const pack = await packOf(account, query)
    expect(pack).toMatchObject({ id: first.body.id, progress: { done: 2, total: 2 } })
    const { rows } = await sql<{ bytes: number }>`
      select f.bytes::int, sum(octet_length(c.content))::int as stored from files f join file_chunks c on c.file_id = f.id
      where f.account_id = ${account.accountId} group by f.id`.execute(db)
    expect(rows).toEqual([{ bytes: pack.bytes, stored: pack.bytes }])
    const fileOf = await filesOf(pack)
    expect(JSON.parse(fileOf(`receipts/${kept}.dsse.json`))).toEqual(envelope)
    expect(fileOf(`journals/${kept}.json`)).toBe('as it was kept')
    expect(JSON.parse(fileOf(`journals/${other}.json`))).toMatchObject({ id: other })
  })

  test('is downloaded in parts, each by a link of its own, that make the same file', async () => {
    const account = await server.registerAccount()
    const query = `executions=${await run(account, greets)}`
    await packOf(account, query)
    const get = async (headers: Record<string, string>) => {
      const { download } = (await account.send('GET', `${path}/evidence-pack?${query}`)).body
      const response = await fetch(`${server.url}${download.url}`, { headers })
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const { response, bytes } = await get({})
    const etag = response.headers.get('etag') ?? ''
    expect([response.status, response.headers.get('accept-ranges'), etag]).toEqual([
      200,
      'bytes',
      `"${createHash('sha256').update(bytes).digest('hex')}"`,
    ])
    const head = await get({ range: 'bytes=0-999' })
    const rest = await get({ range: 'bytes=1000-', 'if-range': etag })
    expect(rest.response.status).toBe(206)
    expect(rest.response.headers.get('content-range')).toBe(`bytes 1000-${bytes.length - 1}/${bytes.length}`)
    expect(rest.response.headers.get('content-length')).toBe(String(bytes.length - 1000))
    expect(Buffer.concat([head.bytes, rest.bytes])).toEqual(bytes)
    const changed = await get({ range: 'bytes=1000-', 'if-range': '"other"' })
    expect([changed.response.status, changed.bytes]).toEqual([200, bytes])
  })

  test.skipIf(chromiumPath === undefined)(
    'shows a record that was changed in the database since its end, and one whose data was erased',
    async () => {
      const account = await server.registerAccount()
      const [changed, erased] = [await run(account, greets), await run(account, greets, { name: 'Wilhelmina Zyx' })]
      // A receipt is issued once the audit log has what waits. It is kept for a minute, so it is one of the other execution.
      await account.send('GET', `${path}/runs/${erased}/guardian-receipt`)
      await sql`update executions set output = '{"greeting":"forged"}' where id = ${uuidOf(changed)}`.execute(server.database.system)
      const { id } = (await account.send('POST', '/api/v1/privacy/erasures', { values: ['Wilhelmina Zyx'] })).body
      await expect.poll(async () => (await account.send('GET', `/api/v1/privacy/erasures/${id}`)).body.state, waiting).toBe('done')
      const { statement } = (await account.send('GET', `${path}/runs/${changed}/guardian-receipt`)).body
      expect(statement.predicate).toMatchObject({ replay: { verified: false }, audit: { differences: ['output'] } })

      const pack = await packOf(account, `executions=${changed},${erased}`)
      const zip = Buffer.from(await (await fetch(`${server.url}${pack.download.url}`)).arrayBuffer())
      const files = unzipSync(zip)
      const fileOf = (name: string) => Buffer.from(files[`${pack.id}/data/${name}`] ?? []).toString()
      const folder = await mkdtemp(join(tmpdir(), 'millrace-page-'))
      const browser = await launchChromium()
      try {
        const page = join(folder, 'verify.html')
        await writeFile(page, fileOf('verify.html'))
        const shown = await (await browser.newContext({ offline: true })).newPage()
        await shown.goto(pathToFileURL(page).href)
        await shown.waitForSelector('body[data-result=failed]')
        const rows = await shown.locator('#rows tr').allTextContents()
        expect(rows.find((row) => row.startsWith(changed))).toContain('CHANGED since its end: output')
        expect(rows.find((row) => row.startsWith(erased))).toContain('data of a person was erased: input, output')
        expect(await shown.textContent('#summary')).toBe('1 of 2 receipts do not verify.')
        await writeFile(join(folder, 'pack.zip'), zip)
        const { keys } = (await account.send('GET', '/api/v1/audit/keys')).body
        const { verifierKey } = keys.find((key: { readonly purpose: string }) => key.purpose === 'checkpoint')
        const args = [main, 'verify', 'pack', join(folder, 'pack.zip'), '--key', verifierKey]
        const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
        expect([status, stdout]).toEqual([
          1,
          expect.stringContaining(`${changed}.dsse.json: states a record that was changed since its end: output`),
        ])
        expect(stdout).not.toContain(erased)
      } finally {
        await browser.close()
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})

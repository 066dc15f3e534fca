import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, createPublicKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleFromJSON } from '@sigstore/bundle'
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launchChromium } from '#testing/chromium.ts'
import { documentOf, greets, waits } from '#testing/definitions.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { fromTypeId } from '#platform/ids.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/archivist'
const waiting = { interval: 200 }
const unzip = '/usr/bin/unzip'
const sha256sum = '/usr/bin/sha256sum'
const hasPython = spawnSync('python3', ['--version']).status === 0 && existsSync('/usr/bin/openssl')
const hasUnzip = existsSync(unzip) && existsSync(sha256sum)

let server: TestServer
let standIn: Awaited<ReturnType<typeof startHttpStandIn>>
beforeAll(async () => {
  standIn = await startHttpStandIn(({ path: called }) => ({ status: 200, body: { called } }))
  server = await createTestServer()
})
afterAll(async () => {
  await server.close()
  await standIn[Symbol.asyncDispose]()
})

const calls = () => `do:
  - ask: { call: http, with: { method: get, endpoint: '${standIn.url}/one' } }
  - choose: { switch: [{ given: { when: '.called == "/one"', then: said } }, { other: { then: end } }] }
  - said: { set: { said: '\${ .called }' } }
`

async function run(account: TestAccount, definition: string, input: object = { name: 'Ada' }): Promise<string> {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(definition) } })
  const { body } = await account.send('POST', `/api/v1/workflows/${id}/execute`, { input }, { prefer: 'wait=10' })
  return body.id
}

const uuidOf = (id: string) => fromTypeId('exec', id) ?? ''

describe('a replay', () => {
  test('reports every task of an unchanged execution as the same', async () => {
    const account = await server.registerAccount()
    const id = await run(account, calls())
    const { body } = await account.send('GET', `${path}/runs/${id}/replay`)
    expect(body).toMatchObject({ executionId: id, state: 'completed', verified: true, entries: 1, difference: null, truncated: false })
    expect(body.tasks.map(({ name, result }: { name: string; result: string }) => [name, result])).toEqual([
      ['ask', 'same'],
      ['choose', 'same'],
      ['said', 'same'],
    ])
  })

  test('names the task where a changed journal leaves the path, and the output that does not follow', async () => {
    const account = await server.registerAccount()
    const [moved, changed] = [await run(account, calls()), await run(account, calls())]
    await sql`update journal set kind = 'mail' where execution_id = ${uuidOf(moved)}`.execute(server.database.system)
    const { body } = await account.send('GET', `${path}/runs/${moved}/replay`)
    expect(body).toMatchObject({ verified: false, difference: { part: 'journal' } })
    expect(body.tasks[0]).toMatchObject({ name: 'ask', result: 'different', difference: { detail: expect.stringContaining('mail') } })
    await sql`update executions set output = '{"said":"/two"}' where id = ${uuidOf(changed)}`.execute(server.database.system)
    expect((await account.send('GET', `${path}/runs/${changed}/replay`)).body.difference).toMatchObject({
      part: 'output',
      recorded: { said: '/two' },
      walked: { said: '/one' },
    })
  })

  test('names the task where a changed journal leaves the path, whatever characters its name has', async () => {
    const account = await server.registerAccount()
    const id = await run(account, calls().replace('- ask:', "- 'ask: at once':"))
    await sql`update journal set kind = 'mail' where execution_id = ${uuidOf(id)}`.execute(server.database.system)
    const { body } = await account.send('GET', `${path}/runs/${id}/replay`)
    expect(body.tasks[0]).toMatchObject({ name: 'ask: at once', result: 'different' })
  })

  test('is not available for executions of other accounts', async () => {
    const [account, other] = [await server.registerAccount(), await server.registerAccount()]
    const id = await run(account, greets)
    for (const operation of ['replay', 'guardian-receipt']) {
      expect((await other.send('GET', `${path}/runs/${id}/${operation}`)).status).toBe(404)
      expect((await other.send('GET', `${path}/runs/exec_x/${operation}`)).status).toBe(404)
    }
  })
})

describe('a receipt', () => {
  test('verifies with the verifier of sigstore, and not after a change of one byte', async () => {
    const account = await server.registerAccount()
    const id = await run(account, calls())
    const { body } = await account.send('GET', `${path}/runs/${id}/guardian-receipt`)
    const { keys } = (await account.send('GET', '/api/v1/audit/keys')).body
    const key = keys.find(({ keyId }: { keyId: string }) => keyId === body.envelope.signatures[0].keyid)
    expect(key).toMatchObject({ purpose: 'receipt', publicKey: body.publicKey })
    const publicKey = createPublicKey({ key: Buffer.from(key.publicKey, 'base64'), format: 'der', type: 'spki' })
    const verify = (envelope: object) => {
      const bundle = bundleFromJSON({
        mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
        verificationMaterial: { publicKey: { hint: key.keyId }, tlogEntries: [] },
        dsseEnvelope: envelope,
      })
      const root = { mediaType: '', tlogs: [], ctlogs: [], certificateAuthorities: [], timestampAuthorities: [] }
      const material = toTrustMaterial(root, () => ({ publicKey, validFor: () => true }))
      new Verifier(material, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 }).verify(toSignedEntity(bundle))
    }
    verify(body.envelope)
    const payload = Buffer.from(body.envelope.payload, 'base64')
    payload[40] = (payload[40] ?? 0) ^ 1
    expect(() => verify({ ...body.envelope, payload: payload.toString('base64') })).toThrow(/signature/i)
  })

  test.skipIf(!hasPython)('verifies with openssl and the script of docs/evidence.md, and not with a changed event', async () => {
    const account = await server.registerAccount()
    const keys = (await account.send('GET', '/api/v1/audit/keys')).body
    const { body } = await account.send('GET', `${path}/runs/${await run(account, greets)}/guardian-receipt`)
    const docs = await readFile(new URL('../../../../../docs/evidence.md', import.meta.url), 'utf8')
    const script = /```python\n(?<script>[^`]*)```/.exec(docs)?.groups?.['script'] ?? ''
    const folder = await mkdtemp(join(tmpdir(), 'millrace-receipt-'))
    const verified = async (receipt: object) => {
      await writeFile(join(folder, 'receipt.json'), JSON.stringify(receipt))
      return spawnSync('python3', ['-c', script], { cwd: folder, encoding: 'utf8' })
    }
    try {
      await writeFile(join(folder, 'keys.json'), JSON.stringify(keys))
      expect(await verified(body)).toMatchObject({ status: 0, stdout: expect.stringMatching(/exec_\w+ is in millrace\/audit\/acct_/) })
      const payload = Buffer.from(body.envelope.payload, 'base64').toString().replace('"index":', '"index":1')
      const forged = { envelope: { ...body.envelope, payload: Buffer.from(payload).toString('base64') } }
      expect((await verified(forged)).status).not.toBe(0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('states the digests of definition, input, output and effect, who started it, and its place in the audit log', async () => {
    const account = await server.registerAccount()
    const id = await run(account, calls(), { b: 1, a: 'ü' })
    const { body } = await account.send('GET', `${path}/runs/${id}/guardian-receipt`)
    const sha = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
    expect(JSON.parse(Buffer.from(body.envelope.payload, 'base64').toString())).toEqual(body.statement)
    expect(body.statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: id, digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } }],
      predicate: {
        execution: { id, state: 'completed', startedBy: [expect.stringMatching(/^user:usr_/)] },
        definition: { number: 1, digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
        input: { digest: sha('{"a":"ü","b":1}') },
        output: { digest: sha('{"said":"/one"}') },
        effects: [{ kind: 'http', ok: true, position: '/do/0/ask', digest: sha('{"called":"/one"}') }],
        replay: { verified: true },
        audit: { entry: { event: 'execution.ended', target: id }, checkpoint: expect.stringContaining('/audit/acct_') },
      },
    })
    expect(JSON.stringify(body.statement)).not.toContain('ü')
  })

  test('has what privacy policies decided about the data of the execution, and the pack has the policies and consents', async () => {
    const account = await server.registerAccount()
    const policy = { point: 'journal', action: 'redact', purpose: 'orders', legalBasis: 'contract', retention: 'P90D' } as const
    await account.client.privacy.putPolicy({ body: policy })
    await account.send('POST', '/api/v1/account/consents/cross-border', { purposes: ['Support'] })
    await account.client.privacy.putPolicy({ body: { ...policy, point: 'input', action: 'detect', purpose: 'starting' } })
    const id = await run(account, calls().replace('/one', '/ada@example.com'), { mail: 'ada@example.com', to: '+966501234567' })
    const { body } = await account.send('GET', `${path}/runs/${id}/guardian-receipt`)
    expect(body.statement.predicate.policyDecisions).toMatchObject([
      { source: 'execution', action: 'detected', purpose: 'starting', counts: { email: 1, phone: 1 } },
      { source: 'journal', action: 'redacted', purpose: 'orders', counts: { email: 1 } },
    ])
    expect(JSON.stringify(body.statement)).not.toContain('ada@example.com')
    const pack = await packOf(account, `executions=${id}`)
    const bytes = Buffer.from(await (await fetch(`${server.url}${pack.download.url}`)).arrayBuffer())
    const files = unzipSync(bytes, { filter: ({ name }) => name.includes('/privacy/') })
    const [consents, policies] = ['consents', 'policies'].map((name) => {
      const [, content] = Object.entries(files).find(([path_]) => path_.endsWith(`${name}.json`)) ?? []
      return JSON.parse(Buffer.from(content ?? []).toString())
    })
    expect(policies).toMatchObject([{ point: 'input' }, policy])
    expect(consents).toMatchObject([{ kind: 'cross-border', state: 'given', receipt: { schemaVersion: 'ISO/IEC TS 27560:2023' } }])
  })

  test('does not exist while the execution runs', async () => {
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(waits) } })
    const started = await account.send('POST', `/api/v1/workflows/${id}/execute`, { input: {} })
    expect((await account.send('GET', `${path}/runs/${started.body.id}/guardian-receipt`)).body).toMatchObject({
      status: 409,
      code: 'execution_unfinished',
    })
  })
})

async function packOf(account: TestAccount, query: string) {
  await expect.poll(async () => (await account.send('GET', `${path}/evidence-pack?${query}`)).body.state, waiting).toBe('ready')
  return (await account.send('GET', `${path}/evidence-pack?${query}`)).body
}

async function unpacked(bytes: Buffer): Promise<{ folder: string; bag: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-pack-'))
  await writeFile(join(folder, 'pack.zip'), bytes)
  execFileSync(unzip, ['-q', 'pack.zip'], { cwd: folder })
  const bag = (await readdir(folder)).find((name) => name !== 'pack.zip') ?? ''
  return { folder, bag: join(folder, bag), [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

describe('an evidence pack', () => {
  test.skipIf(!hasUnzip)('is a valid bag with receipts, journals, definitions and audit logs, by a link that works once', async () => {
    const account = await server.registerAccount()
    const ids = [await run(account, calls()), await run(account, greets)]
    const query = `executions=${ids.join(',')}`
    const pack = await packOf(account, query)
    expect(pack).toMatchObject({ progress: { done: 2, total: 2 }, failure: null })
    const response = await fetch(`${server.url}${pack.download.url}`)
    expect(response.headers.get('content-type')).toBe('application/zip')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([pack.bytes, pack.sha256])
    expect((await fetch(`${server.url}${pack.download.url}`)).status).toBe(404)
    await using opened = await unpacked(bytes)
    await expectBag(opened.bag)
    const files = await readdir(join(opened.bag, 'data'), { recursive: true })
    for (const name of [
      ...ids.map((id) => `receipts/${id}.dsse.json`),
      ...ids.map((id) => `journals/${id}.json`),
      'report.html',
      'report.pdf',
      'keys.json',
      'privacy/consents.json',
      'privacy/policies.json',
    ])
      expect(files).toContain(name)
    expect((await readFile(join(opened.bag, 'data/report.pdf'))).subarray(0, 8).toString()).toBe('%PDF-1.7')
    expect(files.filter((name) => /^definitions\/wfv_\w+\.yaml$/.test(name))).toHaveLength(2)
    expect(files.some((name) => /^audit\/\d{4}-\d\d-\d\d\.jsonl$/.test(name))).toBe(true)
  })

  /** The rules of RFC 8493 for a complete and valid bag. */
  async function expectBag(bag: string) {
    expect(await readFile(join(bag, 'bagit.txt'), 'utf8')).toBe('BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n')
    execFileSync(sha256sum, ['--check', '--strict', '--quiet', 'manifest-sha256.txt'], { cwd: bag })
    execFileSync(sha256sum, ['--check', '--strict', '--quiet', 'tagmanifest-sha256.txt'], { cwd: bag })
    const listed = (await readFile(join(bag, 'manifest-sha256.txt'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => line.slice(66))
    const entries = await readdir(join(bag, 'data'), { recursive: true, withFileTypes: true })
    const present = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(bag.length + 1))
    expect(listed.toSorted()).toEqual(present.toSorted())
    const sizes = await Promise.all(present.map(async (name) => (await readFile(join(bag, name))).length))
    const info = await readFile(join(bag, 'bag-info.txt'), 'utf8')
    expect(info).toContain(`Payload-Oxum: ${sizes.reduce((total, size) => total + size, 0)}.${present.length}\n`)
  }

  test.skipIf(!hasUnzip)('verifies by the command line with public keys alone, and names what was changed', async () => {
    const account = await server.registerAccount()
    const id = await run(account, calls())
    const pack = await packOf(account, `executions=${id}`)
    await using opened = await unpacked(Buffer.from(await (await fetch(`${server.url}${pack.download.url}`)).arrayBuffer()))
    const { keys } = (await account.send('GET', '/api/v1/audit/keys')).body
    const keyOf = (purpose: string) => keys.find((key: { purpose: string }) => key.purpose === purpose)
    const options = ['--key', keyOf('checkpoint').verifierKey, '--receipt-key', keyOf('receipt').keyId]
    const main = join(import.meta.dirname, '../../../../cli/src/main.ts')
    const verify = (target: string, with_: readonly string[] = options) =>
      spawnSync(process.execPath, [main, 'verify', 'pack', target, ...with_], { encoding: 'utf8' })
    const zip = join(opened.folder, 'pack.zip')
    for (const target of [zip, opened.bag]) {
      const { stdout, stderr, status } = verify(target)
      expect([stdout, stderr, status]).toEqual([
        expect.stringMatching(/✓.* \d+ files, 1 receipts, 1 days/),
        '1 verified, none differs.\n',
        0,
      ])
    }
    expect(verify(zip, options.slice(0, 2)).stderr).toContain(`signed by the key ${keyOf('receipt').keyId}, which is from the pack itself`)
    expect(verify(zip, [...options.slice(0, 3), 'ab'.repeat(32)]).stdout).toContain('is not signed by the given key abab')
    expect(verify(zip, [...options.slice(0, 3), keyOf('receipt').publicKey]).status).toBe(0)

    const journal = `data/journals/${id}.json`
    const change = async (name: string, from: string, to: string) => {
      const before = await readFile(join(opened.bag, name), 'utf8')
      expect(before).toContain(from)
      await writeFile(join(opened.bag, name), before.replace(from, to))
    }
    await change(journal, '/one', '/two')
    expect(verify(opened.bag)).toMatchObject({ status: 1, stdout: expect.stringContaining(`${journal}: was changed: its digest`) })
    // The manifests made again, as a forger would.
    for (const [manifest, names] of [
      ['manifest-sha256.txt', 'data'],
      ['tagmanifest-sha256.txt', '[bm]*.txt'],
    ])
      execFileSync('/bin/sh', ['-c', `find ${names} -type f ! -name tagmanifest-sha256.txt | sort | xargs sha256sum > ${manifest}`], {
        cwd: opened.bag,
      })
    const forged = verify(opened.bag).stdout
    expect(forged).toContain(`${journal}: output differs from what the receipt states`)
    expect(forged).not.toContain('its digest')
    const [day = ''] = await readdir(join(opened.bag, 'data/audit'))
    await change(`data/audit/${day}`, '"event":"execution.ended"', '"event":"execution.began"')
    expect(verify(opened.bag).stdout).toContain(`data/audit/${day}: row_changed`)
    await writeFile(join(opened.bag, 'data/more.txt'), 'more')
    await rm(join(opened.bag, 'data/report.html'))
    const left = verify(opened.bag).stdout
    expect(left).toContain('data/more.txt: is not in a manifest')
    expect(left).toContain('data/report.html: is missing')
  })

  test.skipIf(!hasUnzip || chromiumPath === undefined)(
    'verifies itself in a browser without network, and shows a forged receipt',
    async () => {
      const account = await server.registerAccount()
      const id = await run(account, calls())
      const pack = await packOf(account, `executions=${id}`)
      const bytes = Buffer.from(await (await fetch(`${server.url}${pack.download.url}`)).arrayBuffer())
      await using opened = await unpacked(bytes)
      const page = join(opened.bag, 'data/verify.html')
      const browser = await launchChromium()
      try {
        const context = await browser.newContext({ offline: true })
        const shown = await context.newPage()
        await shown.goto(pathToFileURL(page).href)
        await shown.waitForSelector('body[data-result]')
        expect(await shown.textContent('#summary')).toBe('1 receipts verified.')
        await shown.setInputFiles('#folder', opened.bag)
        await shown.waitForSelector('#files.ok')
        const [receipt = ''] = await readdir(join(opened.bag, 'data/receipts'))
        await rm(join(opened.bag, 'data/receipts', receipt))
        await shown.setInputFiles('#folder', opened.bag)
        await shown.waitForSelector('#files.bad')
        expect(await shown.textContent('#files')).toBe(
          `data/receipts/${receipt} is missing; 1 receipts of this page are not among the files`,
        )
        const html = await readFile(page, 'utf8')
        const payload = /"payload":"(?<payload>[^"]+)"/.exec(html)?.groups?.['payload'] ?? ''
        const forged = Buffer.from(payload, 'base64').toString().replace('"state":"completed"', '"state":"cancelled"')
        await writeFile(page, html.replace(payload, Buffer.from(forged).toString('base64')))
        await shown.reload()
        await shown.waitForSelector('body[data-result=failed]')
        expect(await shown.textContent('#rows')).toContain('NOT VALID')
      } finally {
        await browser.close()
      }
    },
  )

  test('of a period in which nothing ended says so before it is made, and in its report', async () => {
    const account = await server.registerAccount()
    const query = 'from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z'
    const { body } = await account.send('GET', `${path}/evidence-pack/selection?${query}`)
    expect(body).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      executions: 0,
      isTooLarge: false,
      missing: [],
    })
    const pack = await packOf(account, query)
    expect(pack.progress).toEqual({ done: 0, total: 0 })
    await using opened = await unpacked(Buffer.from(await (await fetch(`${server.url}${pack.download.url}`)).arrayBuffer()))
    const report = await readFile(join(opened.bag, 'data/report.html'), 'utf8')
    expect(report).toContain('This pack has no evidence of any execution: No execution ended in the period.')
  })

  test('of a period has the executions that ended in it, and names what a wrong selection lacks', async () => {
    const account = await server.registerAccount()
    const id = await run(account, greets)
    await account.send('GET', `${path}/runs/${id}/guardian-receipt`)
    const soon = new Date(Date.now() + 60_000).toISOString()
    const pack = await packOf(account, `to=${soon}`)
    expect(pack.progress).toEqual({ done: 1, total: 1 })
    const counted = async (query: string) => (await account.send('GET', `${path}/evidence-pack/selection?${query}`)).body
    expect(await counted(`to=${soon}`)).toMatchObject({ to: soon, executions: 1, isTooLarge: false, missing: [] })
    const gone = 'exec_01h455vb4pex5vsknk084sn02q'
    expect(await counted(`executions=${id},${gone}`)).toEqual({ from: null, to: null, executions: 1, isTooLarge: false, missing: [gone] })
    await packOf(account, `executions=${id}`)
    const { body: listed } = await account.send('GET', `${path}/evidence-packs`)
    const { download: _link, ...file } = pack
    expect(listed.data).toEqual([
      expect.objectContaining({ state: 'ready', selection: { from: null, to: null, executions: [id] } }),
      { ...file, selection: { from: expect.any(String), to: soon, executions: null } },
    ])
    expect((await (await server.registerAccount()).send('GET', `${path}/evidence-packs`)).body).toEqual({ data: [] })
    const wrong = async (query: string) => (await account.send('GET', `${path}/evidence-pack?${query}`)).body
    expect(await wrong(`executions=${id}&from=2026-01-01T00:00:00Z`)).toMatchObject({ status: 400, errors: [{ pointer: '/executions' }] })
    expect(await wrong('from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z')).toMatchObject({ status: 400, errors: [{ pointer: '/from' }] })
    expect(await wrong('executions=all')).toMatchObject({ status: 400, errors: [{ pointer: '/executions' }] })
  })
})

test('figures count what the log covers, how executions ended, what was redacted, and exceptions', async () => {
  const account = await server.registerAccount()
  const text = 'Write to ada@example.com'
  for (let count = 0; count < 2; count++) await account.send('POST', '/api/v1/privacy/redact', { text })
  const id = await run(account, greets)
  await run(account, 'do:\n  - refuse: { raise: { error: { type: "https://example.com/e", status: 409, title: No } } }\n')
  await account.send('GET', `${path}/runs/${id}/guardian-receipt`)
  await expect
    .poll(async () => (await account.send('GET', `${path}/analytics`)).body.executions, waiting)
    .toEqual([
      { name: 'completed', count: 1 },
      { name: 'faulted', count: 1 },
    ])
  const { body } = await account.send('GET', `${path}/analytics`)
  expect(body).toMatchObject({
    coverage: { events: 5, logged: 5, executions: 2, executionsWithDigests: 2 },
    verification: { verified: true, days: 1, findings: 0, continueFrom: null },
    redactions: [{ name: 'redacted', count: 2 }],
    exceptions: [{ name: 'faulted', count: 1 }],
    days: [{ events: 5, executions: 2, exceptions: 1 }],
  })
})

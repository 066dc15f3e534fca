import { execFile, execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEvidenceKeys } from '#modules/audit/log/evidence-keys.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { createGuardedFetch, type GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { createTestDatabase } from '#testing/database.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { certificatesOf, verifyTimeStamp } from '#platform/time-stamp/verify-time-stamp.ts'
import { createLogVerifier } from '#modules/audit/log/verification.ts'
import { createAnchorer } from './anchorer.ts'

const secretKey = 'ab'.repeat(32)
const run = promisify(execFile)
const sha = (...parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'])
    return true
  } catch {
    return false
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

function listen(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<{ server: Server; url: string }> {
  const service = createServer((request, response) => void answer(request, response).catch(() => response.writeHead(500).end()))
  return new Promise((resolve) => {
    service.listen(0, '127.0.0.1', () => {
      const address = service.address()
      resolve({ server: service, url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}` })
    })
  })
}

/** A witness after C2SP tlog-witness: it remembers size and root of the log, and signs what continues them. */
async function startWitness() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.concat([Buffer.from([4]), publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)])
  const name = 'witness.example.com/w1'
  const id = sha(Buffer.from(`${name}\n`), raw).subarray(0, 4)
  let seen = { size: 0, root: Buffer.alloc(0) }
  const asked: number[] = []
  const started = await listen(async (request, response) => {
    const text = (await bodyOf(request)).toString()
    const split = text.indexOf('\n\n')
    const [old = '', ...proof] = text.slice(0, split).split('\n')
    const note = text.slice(split + 2)
    const signedText = note.slice(0, note.indexOf('\n\n') + 1)
    const [, size = '', root = ''] = signedText.split('\n')
    const oldSize = Number(old.slice('old '.length))
    asked.push(oldSize)
    if (request.url !== '/w/add-checkpoint') return void response.writeHead(404).end()
    if (oldSize !== seen.size) return void response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${seen.size}\n`)
    const next = { size: Number(size), root: Buffer.from(root, 'base64') }
    const hashes = proof.map((line) => Buffer.from(line, 'base64'))
    if (!isConsistent(seen, next, hashes)) return void response.writeHead(422).end()
    seen = next
    const seconds = 1_800_000_000
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(BigInt(seconds))
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${signedText}`), privateKey)
    response.end(`\u2014 ${name} ${Buffer.concat([id, time, signature]).toString('base64')}\n`)
  })
  const key = { name, publicKey: raw.subarray(1) }
  return {
    ...started,
    key,
    text: `${name}+${id.toString('hex')}+${raw.toString('base64')}`,
    asked,
    forget: (state: typeof seen) => (seen = state),
    seen: () => seen,
  }
}

/** By recursion over the two trees, after the definition of the proof in RFC 6962, section 2.1.2. */
function isConsistent(old: { size: number; root: Buffer }, next: { size: number; root: Buffer }, proof: readonly Buffer[]): boolean {
  if (old.size === 0) return proof.length === 0
  const path = [...proof]
  const walk = (m: number, n: number, whole: boolean): readonly [Buffer, Buffer] => {
    if (m === n) {
      const node = whole ? old.root : (path.shift() ?? Buffer.alloc(0))
      return [node, node]
    }
    const k = 2 ** (Math.ceil(Math.log2(n)) - 1)
    const [left, right] = m <= k ? walk(m, k, whole) : walk(m - k, n - k, false)
    const other = path.shift() ?? Buffer.alloc(0)
    return m <= k ? [left, sha(Buffer.from([1]), right, other)] : [sha(Buffer.from([1]), other, left), sha(Buffer.from([1]), other, right)]
  }
  const [before, after] = walk(old.size, next.size, true)
  return path.length === 0 && before.equals(old.root) && after.equals(next.root)
}

/** A time stamp authority: `openssl ts` behind HTTP. */
async function startAuthority(folder: string) {
  const at = (name: string) => join(folder, name)
  await writeFile(
    at('tsa.cnf'),
    `[tsa]\ndefault_tsa = t\n[t]\nserial = ${at('serial')}\nsigner_digest = sha256\ndefault_policy = 1.2.3.4.1\ndigests = sha256\nordering = yes\n[ext]\nextendedKeyUsage = critical,timeStamping\nkeyUsage = critical,digitalSignature\n`,
  )
  await writeFile(at('serial'), '01')
  const [ca, tsa] = ['/CN=Example CA', '/CN=Example TSA']
  const made = (command: string) => run('openssl', command.split(' '), { cwd: folder })
  await run('openssl', [...'req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj'.split(' '), ca], { cwd: folder })
  await run('openssl', [...'req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.pem -days 2 -subj'.split(' '), '/CN=Other CA'], {
    cwd: folder,
  })
  await run('openssl', [...'req -newkey rsa:2048 -nodes -keyout tsa.key -out tsa.csr -subj'.split(' '), tsa], { cwd: folder })
  await made('x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile tsa.cnf -extensions ext -out tsa.pem')
  const started = await listen(async (request, response) => {
    await writeFile(at('query.tsq'), await bodyOf(request))
    await made('ts -reply -queryfile query.tsq -config tsa.cnf -section t -signer tsa.pem -inkey tsa.key -out reply.tsr')
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(await readFile(at('reply.tsr')))
  })
  return { ...started, ca: at('ca.pem'), other: at('other.pem') }
}

describe.skipIf(!hasOpenssl())('the anchor log', () => {
  let folder: string
  let server: TestServer
  let http: GuardedFetch
  let account: TestAccount
  let witness: Awaited<ReturnType<typeof startWitness>>
  let authority: Awaited<ReturnType<typeof startAuthority>>
  const errors: unknown[] = []
  let nowMs = Date.now()
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'anchors-'))
    ;[server, witness, authority] = await Promise.all([
      createTestServer({ MILLRACE_SECRET_KEY: secretKey }),
      startWitness(),
      startAuthority(folder),
    ])
    http = createGuardedFetch({ allow: ['127.0.0.0/8'] })
    account = await server.registerAccount()
  })
  afterAll(async () => {
    await http.close()
    for (const one of [witness, authority]) one.server.close()
    await server.close()
    await rm(folder, { recursive: true })
  })

  const evidenceKeys = () =>
    createEvidenceKeys({
      db: server.database.system,
      box: createSecretBox(Buffer.from(secretKey, 'hex'), 'evidence-keys', randomBytes),
      name: 'millrace',
      now: Date.now,
    })

  async function anchor(): Promise<void> {
    const deps = { db: server.database.system, keys: evidenceKeys(), http, timeStampUrl: authority.url, now: () => nowMs }
    const witnesses = [{ url: `${witness.url}/w`, key: witness.key }]
    await createAnchorer({ ...deps, witnesses, onError: (error) => void errors.push(error) }).pass()
    nowMs += 11 * 60_000
  }

  /** Changes a table as an attacker with all rights on the database: no trigger fires. */
  async function asSuperuser(table: string, change: string): Promise<void> {
    await server.database.system.transaction().execute(async (tx) => {
      // Without the lock, the process that appends would deadlock with the statements that follow.
      await sql`select pg_advisory_xact_lock(${0x61756469})`.execute(tx)
      await sql.raw(`alter table ${table} disable trigger user`).execute(tx)
      await sql.raw(change).execute(tx)
      await sql.raw(`alter table ${table} enable trigger user`).execute(tx)
    })
  }

  async function exported(): Promise<{ lines: string[]; key: string }> {
    const date = new Date().toISOString().slice(0, 10)
    const { body } = await account.send('GET', `/api/v1/audit/export/${date}`)
    const { keys } = (await account.send('GET', '/api/v1/audit/keys')).body
    return { lines: body.lines, key: keys.find(({ purpose }: { purpose: string }) => purpose === 'checkpoint').verifierKey }
  }

  const main = join(import.meta.dirname, '../../../../../cli/src/main.ts')
  async function verify(lines: readonly string[], ...options: readonly string[]): Promise<string> {
    const file = join(folder, 'day.jsonl')
    await writeFile(file, lines.join('\n'))
    const done = await run(process.execPath, [main, 'verify', 'audit', file, ...options]).catch((error: { stdout: string }) => error)
    return done.stdout
  }

  test('is stamped by an authority and co-signed by a witness that checks its consistency, and the export verifies offline', async () => {
    await exported()
    await anchor()
    for (let round = 0; round < 3; round++) {
      await account.send('PATCH', '/api/v1/account', { name: `Round ${round}` })
      await exported()
      await anchor()
    }
    expect([errors, witness.seen().size, witness.asked]).toEqual([[], 4, [0, 1, 2, 3]])
    const { lines, key } = await exported()
    const options = ['--key', key, '--witness', witness.text, '--tsa', authority.ca]
    expect(await verify(lines, ...options)).toMatch(/✓.*witness\.example\.com\/w1 2027-01-15T08:00:00\.000Z, time stamp 20/)
    const changed = (member: string, value: (before: string) => unknown) => {
      const last = JSON.parse(lines.at(-1) ?? '')
      last.day.anchor[member] = value(last.day.anchor[member])
      return [...lines.slice(0, -1), JSON.stringify(last)]
    }
    expect(
      await verify(
        changed('timeStamp', () => null),
        ...options,
      ),
    ).toContain('anchor_invalid: The anchor has no time stamp.')
    expect(await verify(changed('timeStamp', flipped), ...options)).toContain('anchor_invalid: The time stamp is not valid')
    expect(
      await verify(
        changed('cosignatures', () => []),
        ...options,
      ),
    ).toContain('no valid co-signature of witness.example.com/w1')
    expect(
      await verify(
        changed('batchSize', () => 999),
        ...options,
      ),
    ).toContain('anchor_invalid')
  })

  test('is shown in full to a witness that has lost its state, and a witness that has seen more is an error', async () => {
    witness.forget({ size: 0, root: Buffer.alloc(0) })
    await account.send('PATCH', '/api/v1/account', { name: 'Again' })
    await exported()
    await anchor()
    expect([errors, witness.seen().size]).toEqual([[], 5])
    witness.forget({ size: 99, root: Buffer.alloc(32) })
    await account.send('PATCH', '/api/v1/account', { name: 'More' })
    await exported()
    await anchor()
    expect(errors.map(String)).toEqual(['Error: the witness witness.example.com/w1 has seen 99 anchors, and there are 6'])
  })

  test('refuses every change of what is anchored', async () => {
    const { system } = server.database
    await expect(sql`update audit_anchors set note = ''`.execute(system)).rejects.toThrow('append-only')
    await expect(sql`delete from audit_attestations`.execute(system)).rejects.toThrow('append-only')
  })

  test('is verified by the server with the keys of the witnesses, and names what a superuser changed', async () => {
    const { database } = server
    let trusted = certificatesOf(await readFile(authority.ca, 'utf8'))
    const verifier = createLogVerifier({
      database,
      keys: evidenceKeys(),
      witnesses: [witness.key],
      verifyStamp: (token, text) => verifyTimeStamp(token, text, trusted),
    })
    const day = async () => verifier.day(account.accountId, new Date().toISOString().slice(0, 10))
    witness.forget({ size: 0, root: Buffer.alloc(0) })
    await account.send('PATCH', '/api/v1/account', { name: 'Attested' })
    await exported()
    await anchor()
    const witnesses = [{ name: 'witness.example.com/w1', at: new Date('2027-01-15T08:00:00.000Z') }]
    expect(await day()).toMatchObject({ findings: [], anchor: { witnesses, isStamped: true, stampedAt: expect.any(Date) } })
    const findings = async () => (await day())?.findings.map(({ kind, detail }) => `${kind}: ${detail}`)
    const authorityOnly = trusted
    trusted = certificatesOf(await readFile(authority.other, 'utf8'))
    expect(await findings()).toEqual([expect.stringMatching(/^anchor_invalid: The time stamp is not valid: /)])
    trusted = authorityOnly
    await asSuperuser(
      'audit_attestations',
      `update audit_attestations set statement = overlay(statement placing 'AAAA' from length(statement) - 20) where source <> 'time-stamp'`,
    )
    expect(await findings()).toEqual(['anchor_invalid: The anchor log has no valid co-signature of witness.example.com/w1.'])
    // The stamp of the log as it was earlier is a right stamp of another text.
    await asSuperuser(
      'audit_attestations',
      `update audit_attestations a set statement = b.statement from audit_attestations b where a.source = 'time-stamp' and b.source = 'time-stamp' and b.anchor = 0`,
    )
    expect(await findings()).toContainEqual(expect.stringMatching(/^anchor_invalid: The time stamp is not valid: /))
    await asSuperuser('audit_checkpoints', `delete from audit_checkpoints where account_id = '${account.accountId}'`)
    expect(await findings()).toContainEqual(
      expect.stringMatching(/^anchor_invalid: The anchor is for a checkpoint at size \d+, which the day does not have/),
    )
  })
})

test('checkpoints that an anchor has no room for are in a later one, however old they are by then', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  const keys = createEvidenceKeys({
    db,
    box: createSecretBox(Buffer.from(secretKey, 'hex'), 'evidence-keys', randomBytes),
    name: 'millrace',
    now: Date.now,
  })
  let nowMs = Date.now()
  const http = { request: () => Promise.reject(new Error('nothing is requested')) }
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const anchorer = createAnchorer({ db, keys, http, timeStampUrl: undefined, witnesses: [], now: () => nowMs, onError, batchMax: 2 })
  const insert = (account: number, daysAgo: number) =>
    sql`insert into audit_checkpoints (account_id, day, size, note, made_at)
      select lpad(${account}::text, 32, '0')::uuid, t.at::date, 1, 'note', t.at
      from (select ${new Date(nowMs)}::timestamptz - make_interval(days => ${daysAgo}) as at) t`.execute(db)
  const sizes = async () => {
    await anchorer.pass()
    nowMs += 11 * 60_000
    const { rows } = await sql<{ batch_size: number }>`select batch_size from audit_anchors order by index`.execute(db)
    return rows.map((row) => row.batch_size)
  }
  for (const account of [1, 2, 3, 4, 5]) await insert(account, 30)
  expect(await sizes()).toEqual([2])
  expect(await sizes()).toEqual([2, 2])
  // Nothing that is new takes the place of what is left.
  await insert(1, 0)
  expect(await sizes()).toEqual([2, 2, 2])
  expect(await sizes()).toEqual([2, 2, 2])
  expect((await sql`select from audit_anchored`.execute(db)).rows).toHaveLength(6)
  expect(errors).toEqual([])
})

/** With one bit of the signature, the last bytes, changed. */
function flipped(token: string): string {
  const bytes = Buffer.from(token, 'base64')
  bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1
  return bytes.toString('base64')
}

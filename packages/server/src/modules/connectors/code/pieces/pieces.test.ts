import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenLocally } from '#testing/listen-locally.ts'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { runPiece } from './run-piece.ts'

const slack = createRequire(import.meta.url).resolve('@activepieces/piece-slack')

/** A piece that tries what its process may not do. Each action gives what it got, or the code of the refusal. */
const probe = `
const tries = {
  environment: () => JSON.stringify(process.env),
  replaced: () => process.execve('/bin/sh', ['sh', '-c', 'true'], {}),
  priority: () => require('node:os').setPriority(process.ppid, 19),
  report: () => process.report.writeReport('/tmp/report-of-a-piece'),
  snapshot: () => require('node:v8').writeHeapSnapshot('/tmp/snapshot-of-a-piece'),
  file: () => require('node:fs').readFileSync('/etc/passwd', 'utf8'),
  parent: () => require('node:fs').readFileSync('/proc/' + process.ppid + '/environ', 'utf8'),
  write: () => require('node:fs').writeFileSync('/tmp/written-by-a-piece', 'x'),
  program: () => require('node:child_process').spawnSync('id'),
  thread: () => new (require('node:worker_threads').Worker)('1', { eval: true }),
  binding: () => process.binding('tcp_wrap'),
  signal: () => process.kill(process.ppid, 0),
  socket: ({ port }) => require('node:net').connect(port, '127.0.0.1'),
  rawSocket: ({ port }) => new (require('node:net').Socket)().connect(port, '127.0.0.1'),
  tls: ({ port }) => require('node:tls').connect(port, '127.0.0.1'),
  unix: () => require('node:net').connect('/var/run/postgresql/.s.PGSQL.5432'),
  datagram: () => require('node:dgram').createSocket('udp4'),
  listening: () => require('node:net').createServer().listen(0),
  http2: ({ port }) => require('node:http2').connect('http://127.0.0.1:' + port),
  names: () => require('node:dns').promises.lookup('localhost'),
  restored: ({ port }) => { delete require('node:net').connect; return require('node:net').connect(port, '127.0.0.1') },
}
const action = (name, run, props = {}) => ({ name, displayName: name, description: '', requireAuth: true, props, run })
const any = { type: 'JSON', required: false, displayName: '' }
const actions = [
  ...Object.entries(tries).map(([name, attempt]) => action(name, async ({ propsValue }) => {
    try { return { got: String(await attempt(propsValue)) } } catch (error) { return { refused: error.code ?? error.message } }
  }, { port: any })),
  action('get', async ({ auth, propsValue }) => {
    const reply = await fetch(propsValue.url, { headers: { authorization: 'Bearer ' + auth.access_token, 'x-kept': 'yes' } })
    return { status: reply.status, body: await reply.text(), auth }
  }, { url: { type: 'SHORT_TEXT', required: true, displayName: 'URL' } }),
  action('sends-nothing', () => { process.send(null); return new Promise(() => {}) }),
  action('sends-half', () => { process.send({ kind: 'done' }); return new Promise(() => {}) }),
  action('asks-nothing', () => { process.send({ kind: 'request', id: 1 }); return new Promise(() => {}) }),
  action('floods', async () => { for (;;) await fetch('https://example.com/') }),
  action('insists', async ({ propsValue }) => {
    for (;;) await fetch(propsValue.url).catch(() => new Promise((resolve) => setTimeout(resolve, 100)))
  }, { url: any }),
  action('endless', () => { for (;;); }),
  action('greedy', () => { const all = []; for (;;) all.push(new Array(1e6).fill({})) }),
  action('exits', () => process.exit(0)),
  action('fails', async () => { throw Object.assign(new Error('No such order.'), { response: { status: 404 } }) }),
  action('file-in', async ({ propsValue }) => propsValue.it.data.toString('utf8'), { it: { type: 'FILE', required: true, displayName: 'It' } }),
]
exports.probe = { displayName: 'Probe', auth: { type: 'OAUTH2' }, actions: () => Object.fromEntries(actions.map((one) => [one.name, one])) }
`

let folder: string
let probeFile: string
let server: TestServer
let account: TestAccount
const seen: { readonly url: string | undefined; readonly headers: IncomingMessage['headers']; readonly body: string }[] = []
let service: Awaited<ReturnType<typeof listenLocally>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-pieces-'))
  const scope = join(folder, 'node_modules/@activepieces')
  await mkdir(join(scope, 'piece-probe'), { recursive: true })
  await mkdir(join(scope, 'piece-broken'))
  probeFile = join(scope, 'piece-probe/index.js')
  await writeFile(join(scope, 'piece-probe/package.json'), '{ "version": "1.2.3" }')
  await writeFile(probeFile, probe)
  await writeFile(join(scope, 'piece-broken/package.json'), '{ "version": "0.1.0", "main": "missing.js" }')
  await symlink(dirname(dirname(slack)), join(scope, 'piece-slack'))
  service = await listenLocally(async (incoming, outgoing) => {
    seen.push({ url: incoming.url, headers: incoming.headers, body: await text(incoming) })
    outgoing.setHeader('content-type', 'application/json').end('{"ok":true,"ts":"17.4","channel":"C024"}')
  })
  server = await createTestServer({ MILLRACE_PIECES: folder })
  account = await server.registerAccount()
  const settings = { kind: 'bearer', url: `${service.url}/api` }
  await account.send('POST', '/api/v1/connections', { name: 'shop', settings, secrets: { token: 'geheim-4711' } })
})
afterAll(async () => {
  await server.close()
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const run = (name: string, given: object = {}) =>
  runTasks(account, [{ it: { call: `piece-probe.${name}`, with: { connection: 'shop', ...given } } }])

test('a piece of Activepieces performs its action, and its requests are made by its parent', async () => {
  const program = { file: slack, folders: [dirname(dirname(slack))] }
  const asked: string[] = []
  const outcome = await runPiece(
    {
      kind: 'run',
      ...program,
      action: 'send_channel_message',
      properties: { channel: 'C024', text: 'Hello' },
      hasConnection: true,
      executionId: 'exec_x',
    },
    async ({ method, url, body }) => {
      asked.push(`${method} ${url} ${new URLSearchParams(Buffer.from(body).toString()).get('text')}`)
      const reply = await fetch(`${service.url}/api/chat.postMessage`, { method: 'POST' })
      return { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.bytes() }
    },
    AbortSignal.timeout(180_000),
  )
  expect(outcome).toMatchObject({ kind: 'done', output: expect.stringContaining('"ts":"17.4"') })
  expect(asked).toEqual(['POST https://slack.com/api/chat.postMessage Hello'])
})

test('pieces are connectors with their functions; one that does not load is left out and said in the log', async () => {
  const { body } = await account.send('GET', '/api/v1/connectors/piece-slack')
  expect(body).toMatchObject({ name: 'piece-slack', title: 'Slack', version: '0.17.9' })
  const { body: action } = await account.send('GET', '/api/v1/functions/piece-slack.send_channel_message')
  expect(action.input).toMatchObject({
    required: expect.arrayContaining(['connection', 'channel']),
    properties: { text: { type: 'string' } },
  })
  expect((await account.send('GET', '/api/v1/connectors/piece-broken')).status).toBe(404)
  expect(server.log.some((line) => line.includes('piece not loaded') && line.includes('broken'))).toBe(true)
})

test.each([
  'file',
  'parent',
  'write',
  'program',
  'thread',
  'binding',
  'signal',
  'replaced',
  'priority',
  'report',
  'snapshot',
  'socket',
  'rawSocket',
  'tls',
  'unix',
  'datagram',
  'listening',
  'http2',
  'names',
  'restored',
])('a piece is refused: %s', async (name) => {
  const { output } = await run(name, { port: Number(new URL(service.url).port) })
  expect(output).toEqual({ refused: 'ERR_ACCESS_DENIED' })
})

test('a piece has no environment', async () => {
  const outcome = await runPiece(
    {
      kind: 'run',
      file: probeFile,
      folders: [dirname(probeFile)],
      action: 'environment',
      properties: {},
      hasConnection: true,
      executionId: 'exec_x',
    },
    () => Promise.reject(new Error('not asked')),
    AbortSignal.timeout(180_000),
  )
  expect(outcome).toEqual({ kind: 'done', output: '{"got":"{}"}' })
})

test('requests have the credential of the connection, which the piece never has, and lead below its address only', async () => {
  const { output } = await run('get', { url: `${service.url}/api/orders?id=7` })
  expect(output).toMatchObject({ status: 200, body: expect.stringContaining('"ok":true') })
  expect(seen.at(-1)).toMatchObject({ url: '/api/orders?id=7', headers: { authorization: 'Bearer geheim-4711', 'x-kept': 'yes' } })
  expect(JSON.stringify(output)).not.toContain('geheim')
  const count = seen.length
  for (const url of [`${service.url}/other`, 'http://169.254.169.254/latest/meta-data', 'https://example.com/']) {
    const { state, error } = await run('get', { url })
    expect([state, error.detail]).toEqual(['faulted', expect.stringContaining('the credentials of the connection are for')])
  }
  expect(seen).toHaveLength(count)
})

test.each([
  ['greedy', 'ended before it had a result'],
  ['exits', 'ended before it had a result'],
  ['fails', 'No such order.'],
])('an action that %s faults its task and nothing else', async (name, detail) => {
  const { state, error } = await run(name)
  expect([state, error.detail]).toEqual(['faulted', expect.stringContaining(detail)])
})

test.each(['sends-nothing', 'sends-half', 'asks-nothing'])('an action that %s harms no other', async (name) => {
  const { state, error } = await run(name)
  expect([state, error.detail]).toEqual(['faulted', expect.stringContaining('sent something else')])
})

test('an action that repeats a request that cannot be made is not waited for', async () => {
  const { state, error } = await run('insists', { url: 'https://example.com/' })
  expect([state, error.detail]).toEqual(['faulted', expect.stringContaining('the credentials of the connection are for')])
})

test('an action has an end of requests', async () => {
  const task = {
    kind: 'run',
    file: probeFile,
    folders: [dirname(probeFile)],
    properties: {},
    hasConnection: false,
    executionId: 'exec_x',
  } as const
  let requests = 0
  const request = () => {
    requests += 1
    return Promise.resolve({ status: 200, headers: {}, body: new Uint8Array() })
  }
  const outcome = await runPiece({ ...task, action: 'floods' }, request, AbortSignal.timeout(180_000))
  expect([outcome, requests]).toEqual([{ kind: 'failed', message: 'The action makes more than 1000 requests.' }, 1_000])
})

test('an endless action ends with its task', async () => {
  const { state } = await runTasks(account, [
    { it: { call: 'piece-probe.endless', with: { connection: 'shop' }, timeout: { after: { seconds: 2 } } } },
  ])
  expect(state).toBe('faulted')
})

test('a file is given as bytes, and arguments that do not fit the action are refused when the workflow is saved', async () => {
  const it = { filename: 'a.txt', contentBase64: Buffer.from('Grüße').toString('base64') }
  expect(await run('file-in', { it })).toMatchObject({ state: 'completed', output: 'Grüße' })
  const wrong = await account.send('POST', '/api/v1/workflows', {
    definition: {
      document: { dsl: '1.0.3', namespace: 'a', name: 'b', version: '1.0.0' },
      do: [{ it: { call: 'piece-probe.file-in', with: { connection: 'shop' } } }],
    },
  })
  expect(wrong.status).toBe(422)
  expect(JSON.stringify(wrong.body)).toContain('file-in')
})

import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { toTypeId } from '#platform/ids.ts'
import { createWebFetch } from '#platform/net/web-fetch.ts'
import { listenLocally } from '#testing/listen-locally.ts'
import { createVaultStore, type VaultCredential } from './vault-store.ts'

const accountId = '0192d1a0-0000-7000-8000-000000000001'
const otherId = '0192d1a0-0000-7000-8000-000000000002'

/** What a request to the Vault was: method, path and token. */
type Seen = readonly [string, string, string | undefined]

/**
 * Speaks the part of the HTTP API of Vault that is used: AppRole sign-in, and reading of `kv` version 2. It is written after the documentation of
 * HashiCorp; there is no package with a Vault to run here.
 */
async function startVault() {
  const seen: Seen[] = []
  const tokens = new Set(['root-token'])
  const secrets = new Map<string, object>()
  const state = { isOut: false, isBroken: false, logins: 0 }
  const listening = await listenLocally(async (request, response) => {
    const path = request.url ?? ''
    const token = request.headers['x-vault-token']?.toString()
    seen.push([request.method ?? '', path, token])
    const reply = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (state.isOut) return reply(503, { errors: ['Vault is sealed'] })
    if (state.isBroken) return void response.writeHead(200).end('token s.1 of a proxy')
    if (path === '/v1/auth/approle/login') {
      const body = JSON.parse(await text(request))
      if (body.role_id !== 'role' || body.secret_id !== 'secret') return reply(400, { errors: ['invalid role or secret ID'] })
      const made = `s.${++state.logins}`
      tokens.add(made)
      return reply(200, { auth: { client_token: made, lease_duration: 600, renewable: true } })
    }
    if (token === undefined || !tokens.has(token)) return reply(403, { errors: ['permission denied'] })
    const found = secrets.get(path)
    if (found === undefined) return reply(404, { errors: [] })
    return reply(200, { request_id: 'x', data: { data: found, metadata: { version: 1 } } })
  })
  return { ...listening, seen, tokens, secrets, state }
}

interface Given {
  readonly url: string
  readonly credential?: VaultCredential
}

function open({ url, credential = { kind: 'token', token: 'root-token' } }: Given, running: AsyncDisposableStack) {
  const web = createWebFetch()
  running.defer(() => web.close())
  const warnings: string[] = []
  const time = { ms: 0 }
  const deps = { url, path: 'secret/data/millrace', namespace: undefined, credential, web, clock: () => time.ms }
  return { store: createVaultStore({ ...deps, warn: (message) => warnings.push(message) }), warnings, time }
}

const pathOf = (id: string) => `/v1/secret/data/millrace/${toTypeId('acct', id)}`

test('an account reads the members of its own secret, and what cannot be a secret is named to the operator', async () => {
  await using running = new AsyncDisposableStack()
  const vault = running.use(await startVault())
  const { store, warnings } = open(vault, running)
  vault.secrets.set(pathOf(accountId), {
    stripe: 'sk_live_1',
    port: 5432,
    mail: { username: 'mill', password: 'p' },
    empty: '',
    list: ['a'],
  })
  expect(await store.names(accountId)).toEqual(new Set(['stripe', 'port', 'mail']))
  expect(await store.read(accountId, ['stripe', 'port', 'mail', 'missing'])).toEqual({
    stripe: 'sk_live_1',
    port: '5432',
    mail: { username: 'mill', password: 'p' },
  })
  expect(await store.names(otherId)).toEqual(new Set())
  expect(warnings).toEqual([expect.stringMatching(/: empty, list$/)])
  expect(vault.seen.map(([, path]) => path)).toEqual([pathOf(accountId), pathOf(otherId)])
})

test('reads at once are one request, and a change counts after fifteen seconds', async () => {
  await using running = new AsyncDisposableStack()
  const vault = running.use(await startVault())
  const { store, time } = open(vault, running)
  vault.secrets.set(pathOf(accountId), { key: 'before' })
  await Promise.all(Array.from({ length: 20 }, () => store.read(accountId, ['key'])))
  expect(vault.seen).toHaveLength(1)
  vault.secrets.set(pathOf(accountId), { key: 'after' })
  time.ms = 14_000
  expect(await store.read(accountId, ['key'])).toEqual({ key: 'before' })
  time.ms = 16_000
  expect(await store.read(accountId, ['key'])).toEqual({ key: 'after' })
})

test('during an outage what was read counts for five minutes, then reading is refused; the operator hears of both ends', async () => {
  await using running = new AsyncDisposableStack()
  const vault = running.use(await startVault())
  const { store, warnings, time } = open(vault, running)
  vault.secrets.set(pathOf(accountId), { key: 'value' })
  await store.read(accountId, ['key'])
  vault.state.isOut = true
  time.ms = 60_000
  expect(await store.read(accountId, ['key'])).toEqual({ key: 'value' })
  await expect(store.read(otherId, ['key'])).rejects.toMatchObject({ code: 'overloaded' })
  time.ms = 301_000
  await expect(store.read(accountId, ['key'])).rejects.toMatchObject({ code: 'overloaded' })
  vault.state.isOut = false
  expect(await store.read(accountId, ['key'])).toEqual({ key: 'value' })
  expect(warnings).toEqual([expect.stringContaining('reading got 503'), 'The Vault responds again.'])
})

test('an AppRole signs in once, and again when its token was revoked or its lease ends', async () => {
  await using running = new AsyncDisposableStack()
  const vault = running.use(await startVault())
  const { store, time } = open({ url: vault.url, credential: { kind: 'approle', roleId: 'role', secretId: 'secret' } }, running)
  vault.secrets.set(pathOf(accountId), { key: 'value' })
  await store.read(accountId, ['key'])
  time.ms = 20_000
  await store.read(accountId, ['key'])
  expect(vault.state.logins).toBe(1)
  vault.tokens.delete('s.1')
  time.ms = 40_000
  expect(await store.read(accountId, ['key'])).toEqual({ key: 'value' })
  expect(vault.state.logins).toBe(2)
  time.ms = 540_000
  await store.read(accountId, ['key'])
  expect(vault.state.logins).toBe(3)
  const { store: wrong } = open({ url: vault.url, credential: { kind: 'approle', roleId: 'role', secretId: 'guess' } }, running)
  await expect(wrong.read(accountId, ['key'])).rejects.toMatchObject({ code: 'overloaded' })
})

test('a token that was revoked is replaced once for accounts that read at once', async () => {
  await using running = new AsyncDisposableStack()
  const vault = running.use(await startVault())
  const { store, time, warnings } = open({ url: vault.url, credential: { kind: 'approle', roleId: 'role', secretId: 'secret' } }, running)
  const ids = [accountId, otherId]
  for (const id of ids) vault.secrets.set(pathOf(id), { key: id })
  const readAll = () => Promise.all(ids.map((id) => store.read(id, ['key'])))
  expect(await readAll()).toEqual(ids.map((key) => ({ key })))
  expect(vault.state.logins).toBe(1)
  for (const id of ids) vault.secrets.set(pathOf(id), { key: `new ${id}` })
  vault.tokens.delete('s.1')
  time.ms = 20_000
  expect(await readAll()).toEqual(ids.map((id) => ({ key: `new ${id}` })))
  expect([vault.state.logins, warnings]).toEqual([2, []])
})

test('during an outage the Vault is asked every fifteen seconds for an account whose secrets were read before', async () => {
  await using running = new AsyncDisposableStack()
  const vault = running.use(await startVault())
  const { store, time } = open(vault, running)
  vault.secrets.set(pathOf(accountId), { key: 'value' })
  await store.read(accountId, ['key'])
  vault.state.isOut = true
  const requests: number[] = []
  for (time.ms of [60_000, 61_000, 74_000, 75_000, 89_000]) {
    expect(await store.read(accountId, ['key'])).toEqual({ key: 'value' })
    requests.push(vault.seen.length)
  }
  expect(requests).toEqual([2, 2, 2, 3, 3])
  vault.state.isOut = false
  vault.secrets.set(pathOf(accountId), { key: 'new' })
  time.ms = 90_000
  expect(await store.read(accountId, ['key'])).toEqual({ key: 'new' })
})

test('the refusal of one account is reported once while others are read', async () => {
  await using running = new AsyncDisposableStack()
  const vault = running.use(await startVault())
  const { store, time, warnings } = open(vault, running)
  for (time.ms of [0, 20_000, 40_000]) {
    vault.state.isOut = true
    await expect(store.read(otherId, ['key'])).rejects.toMatchObject({ code: 'overloaded' })
    vault.state.isOut = false
    await store.read(accountId, ['key'])
  }
  expect(warnings).toEqual([expect.stringContaining('reading got 503')])
})

test('members that cannot be secrets are named once, until they change', async () => {
  await using running = new AsyncDisposableStack()
  const vault = running.use(await startVault())
  const { store, time, warnings } = open(vault, running)
  vault.secrets.set(pathOf(accountId), { empty: '' })
  for (time.ms of [0, 20_000, 40_000]) await store.read(accountId, ['key'])
  vault.secrets.set(pathOf(accountId), { empty: '', list: [] })
  time.ms = 60_000
  await store.read(accountId, ['key'])
  expect(warnings).toEqual([expect.stringMatching(/: empty$/), expect.stringMatching(/: empty, list$/)])
})

test.each<VaultCredential>([
  { kind: 'token', token: 'root-token' },
  { kind: 'approle', roleId: 'role', secretId: 'secret' },
])('a response that is not JSON is not quoted to the operator, by $kind', async (credential) => {
  await using running = new AsyncDisposableStack()
  const vault = running.use(await startVault())
  const { store, warnings } = open({ url: vault.url, credential }, running)
  vault.state.isBroken = true
  const fault = await store.read(accountId, ['key']).catch((error: unknown) => error)
  expect(fault).toMatchObject({ code: 'overloaded', cause: { message: 'its response is not JSON' } })
  expect(warnings).toEqual([expect.stringContaining('its response is not JSON')])
})

test('a server that cannot be reached is named as that, with the code of the error', async () => {
  await using running = new AsyncDisposableStack()
  const closed = await startVault()
  await closed[Symbol.asyncDispose]()
  const { store, warnings } = open(closed, running)
  await expect(store.read(accountId, ['key'])).rejects.toMatchObject({ code: 'overloaded' })
  expect(warnings).toEqual([expect.stringContaining('its server cannot be reached (ECONNREFUSED)')])
})

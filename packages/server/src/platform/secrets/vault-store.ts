import { Fault } from '@millrace/contract'
import { LRUCache } from 'lru-cache'
import * as z from 'zod'
import { errorCode } from '#platform/error-code.ts'
import { toTypeId } from '#platform/ids.ts'
import type { WebFetch } from '#platform/net/web-fetch.ts'
import type { SecretStore, SecretValue } from './secret-store.ts'

/** How the installation signs in at a Vault. */
export type VaultCredential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'approle'; readonly roleId: string; readonly secretId: string }

export interface VaultStoreDeps {
  /** Address of the server, without a slash at its end. */
  readonly url: string
  /** Path of the API below which each account has a secret named by its id, such as `secret/data/millrace`. */
  readonly path: string
  readonly namespace: string | undefined
  readonly credential: VaultCredential
  readonly web: Pick<WebFetch, 'fetch'>
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number
  /** Called with a message to the operator, which never has a value. */
  readonly warn: (message: string) => void
}

type Secrets = ReadonlyMap<string, SecretValue>

/** What a response of the Vault has for an account. */
interface Reading {
  readonly secrets: Secrets
  /** Names of members that cannot be secrets. */
  readonly left: readonly string[]
}

/** A change in the Vault counts after this time, and after a failure it is not asked again before. */
const freshMs = 15_000
/** While the Vault does not respond, what was read before counts for this time. */
const keptMs = 5 * 60_000
const timeoutMs = 5_000
const accountsMax = 10_000
const cached = { maxSize: accountsMax, sizeCalculation: () => 1 } as const

const loginReply = z.object({ auth: z.object({ client_token: z.string().min(1), lease_duration: z.number() }) })
const secretReply = z.object({ data: z.object({ data: z.record(z.string(), z.json()).nullable() }) })

/**
 * The secrets of accounts in a HashiCorp Vault or OpenBao: the secret `{path}/{account id}` of the engine `kv`, version 2, whose members are the
 * secrets by name. An account reads its own path alone. Reads are shared and kept for some seconds.
 *
 * Source: HashiCorp, Vault HTTP API, "KV secrets engine (version 2)" and "AppRole auth method".
 */
export function createVaultStore(deps: VaultStoreDeps): SecretStore {
  const { credential, clock, warn } = deps
  const known = new LRUCache<string, Reading & { readonly atMs: number }>(cached)
  /** When reading failed last, by account; without those whose last reading succeeded. */
  const failedAtMs = new LRUCache<string, number>(cached)
  const reading = new Map<string, Promise<Secrets>>()
  let session: { readonly token: string; readonly untilMs: number } | undefined
  let signingIn: Promise<string> | undefined
  let isOut = false

  async function send(path: string, init: { readonly method: string; readonly token?: string; readonly body?: string }): Promise<Response> {
    const headers = {
      ...(init.token === undefined ? {} : { 'x-vault-token': init.token }),
      ...(deps.namespace === undefined ? {} : { 'x-vault-namespace': deps.namespace }),
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const body = init.body === undefined ? {} : { body: init.body }
    return deps.web.fetch(`${deps.url}/v1/${path}`, { method: init.method, headers, ...body, signal: AbortSignal.timeout(timeoutMs) })
  }

  async function signIn({ roleId, secretId }: Extract<VaultCredential, { kind: 'approle' }>): Promise<string> {
    const body = JSON.stringify({ role_id: roleId, secret_id: secretId })
    const reply = await send('auth/approle/login', { method: 'POST', body })
    if (!reply.ok) throw new Error(`the sign-in by AppRole got ${reply.status}`)
    const { auth } = loginReply.parse(await jsonOf(reply))
    // Before the lease ends; a lease of 0 does not.
    const leaseMs = auth.lease_duration === 0 ? 3_600_000 : auth.lease_duration * 1000
    session = { token: auth.client_token, untilMs: clock() + leaseMs * 0.8 }
    return auth.client_token
  }

  async function tokenOf(): Promise<string> {
    if (credential.kind === 'token') return credential.token
    if (session !== undefined && clock() < session.untilMs) return session.token
    signingIn ??= signIn(credential).finally(() => {
      signingIn = undefined
    })
    return await signingIn
  }

  async function fetchSecrets(path: string): Promise<Reading> {
    const token = await tokenOf()
    let reply = await send(path, { method: 'GET', token })
    if (reply.status === 403 && credential.kind === 'approle') {
      // The token was revoked before its lease ended. Another account may have signed in again since.
      if (session?.token === token) session = undefined
      reply = await send(path, { method: 'GET', token: await tokenOf() })
    }
    if (reply.status === 404) return { secrets: new Map(), left: [] }
    if (!reply.ok) throw new Error(`reading got ${reply.status}`)
    return readingOf(secretReply.parse(await jsonOf(reply)).data.data ?? {})
  }

  async function refresh(accountId: string): Promise<Secrets> {
    const before = known.get(accountId)
    const path = `${deps.path}/${toTypeId('acct', accountId)}`
    try {
      const { secrets, left } = await fetchSecrets(path)
      known.set(accountId, { secrets, left, atMs: clock() })
      if (left.length > 0 && left.join() !== before?.left.join()) warn(unusableMessage(path, left))
      // Another account may still be refused.
      if (failedAtMs.delete(accountId) && isOut) {
        warn('The Vault responds again.')
        isOut = false
      }
      return secrets
    } catch (error) {
      if (!isOut) warn(`The Vault does not give secrets: ${reasonOf(error)}. What was read before counts for five minutes.`)
      isOut = true
      failedAtMs.set(accountId, clock())
      if (before !== undefined && clock() - before.atMs < keptMs) return before.secrets
      throw new Fault('overloaded', {
        detail: 'The secret store of the installation does not respond.',
        cause: error,
        retryAfterSeconds: 5,
      })
    }
  }

  function secretsOf(accountId: string): Secrets | Promise<Secrets> {
    const before = known.get(accountId)
    const failedMs = failedAtMs.get(accountId)
    const countsMs = failedMs !== undefined && clock() - failedMs < freshMs ? keptMs : freshMs
    if (before !== undefined && clock() - before.atMs < countsMs) return before.secrets
    const started = reading.get(accountId) ?? refresh(accountId).finally(() => reading.delete(accountId))
    reading.set(accountId, started)
    return started
  }

  return {
    names: async (accountId) => new Set((await secretsOf(accountId)).keys()),
    async read(accountId, names) {
      const secrets = await secretsOf(accountId)
      return Object.fromEntries(
        names.flatMap((name) => {
          const value = secrets.get(name)
          return value === undefined ? [] : [[name, value]]
        }),
      )
    },
  }
}

/** The members that can be secrets: texts, and objects for authentication policies. A number or a boolean counts as its text. */
function readingOf(members: Readonly<Record<string, z.core.util.JSONType>>): Reading {
  const secrets = new Map<string, SecretValue>()
  const left: string[] = []
  for (const [name, value] of Object.entries(members)) {
    if (typeof value === 'string' && value !== '') secrets.set(name, value)
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) secrets.set(name, value)
    else if (typeof value === 'number' || typeof value === 'boolean') secrets.set(name, String(value))
    else left.push(name)
  }
  return { secrets, left }
}

function unusableMessage(path: string, left: readonly string[]): string {
  return `Members of ${path} in the Vault are no secrets, since they are empty or lists: ${left.slice(0, 10).join(', ')}`
}

/** The body of a response. The error of a wrong one does not quote it. */
async function jsonOf(reply: Response): Promise<unknown> {
  const text = await reply.text()
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('its response is not JSON')
  }
}

/** Says what failed without a text of the server. */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'its response is not that of the engine kv, version 2'
  if (!(error instanceof Error)) return 'unknown error'
  const code = errorCode(error.cause)
  return code === undefined ? error.message : `its server cannot be reached (${code})`
}

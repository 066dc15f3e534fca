import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { Fault, Problem, type Role, roles, type Scope, scopes } from '@millrace/contract'
import fastify from 'fastify'
import type { Principal } from '#platform/auth/principal.ts'
import type { Guards } from '#platform/http/guards.ts'
import { type HttpConfig, httpConfigDefault } from '#platform/http/http-config.ts'
import { createHttpServer, type ServedGroup } from '#platform/http/http-server.ts'
import type { IdempotencyStore } from '#platform/http/idempotency/idempotency.ts'
import type { WebConfig } from '#platform/http/web/serve-web.ts'
import { createMemoryRateLimiter } from '#platform/http/rate-limit/memory-rate-limiter.ts'
import type { AuditDetails } from '#platform/http/request/request-context.ts'
import type { Tx } from '#platform/db/database.ts'

/** The problem that a response is. */
export async function problemIn(response: Response): Promise<Problem> {
  return Problem.parse(await response.json())
}

/** A server of a test's own groups, with a caller for every token and ports that write down what they are asked. */
export interface Kernel extends AsyncDisposable {
  readonly url: string
  readonly audits: { readonly event: string; readonly inTransaction: boolean; readonly details: AuditDetails }[]
  readonly transactions: ('committed' | 'rolled back')[]
  /** Errors that the server logged. */
  readonly errors: unknown[]
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Sends JSON as the caller of `token`. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Sends bytes and gives back all that comes until the server hangs up. */
  raw(bytes: string): Promise<string>
}

export interface KernelOptions {
  readonly groups: Readonly<Record<string, ServedGroup>>
  readonly config?: Partial<HttpConfig>
  readonly guards?: Partial<Guards>
  readonly web?: WebConfig
}

const plenty = { limit: 100_000, windowSeconds: 60 }
const plentiful = { global: plenty, auth: plenty, refresh: plenty, execution: plenty }

export const accountId = '01890a5d-ac96-774b-bcce-b302099a8057'

/** The caller of a token: its words are a role, scopes without which it comes, `operator`, `key`, and `user=…` or `account=…`. */
export function principalOf(token: string): Principal {
  const words = token.split(' ')
  const role = roles.find((name) => words.includes(name)) ?? ('owner' satisfies Role)
  const lacking = new Set<string>(words.filter((word) => word.startsWith('-')).map((word) => word.slice(1)))
  const named = (name: string) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
  return {
    accountId: named('account') ?? accountId,
    userId: named('user') ?? '01890a5d-ac96-774b-bcce-b302099a8058',
    role,
    isOperator: words.includes('operator'),
    credential: words.includes('key') ? 'api_key' : 'session',
    scopes: new Set<Scope>(scopes.filter((scope) => !lacking.has(scope))),
  }
}

export async function startKernel({ groups, config = {}, guards = {}, web }: KernelOptions): Promise<Kernel> {
  const audits: Kernel['audits'] = []
  const transactions: Kernel['transactions'] = []
  const errors: unknown[] = []
  const app = createHttpServer({
    config: { ...httpConfigDefault, rateLimits: plentiful, strict: true, ...config },
    newRequestId: randomUUID,
    logger: recordingLogger(errors),
    groups,
    web,
    guards: {
      authenticate: ({ authorization }) => authenticate(authorization),
      flagEnabled: () => false,
      gateOpen: () => false,
      hasConsent: () => Promise.resolve(false),
      workflowOfExecution: () => Promise.resolve(undefined),
      transaction: (_accountId, fn) => recorded(transactions, fn),
      audit: {
        record: (tx, _ctx, event, details) => {
          audits.push({ event, inTransaction: tx !== undefined, details })
          return Promise.resolve()
        },
      },
      idempotency: noIdempotency,
      rateLimiter: createMemoryRateLimiter({ now: Date.now }),
      ...guards,
    },
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const request = (path: string, init?: RequestInit) => fetch(`${url}${path}`, init)
  return {
    url,
    audits,
    transactions,
    errors,
    fetch: request,
    send: (method, path, body, headers = {}) =>
      request(path, {
        method,
        headers: { authorization: 'Bearer owner', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    raw: (bytes) => exchange(new URL(url).port, bytes),
    [Symbol.asyncDispose]: () => app.close(),
  }
}

function authenticate(authorization: string | undefined): Promise<Principal | undefined> {
  if (authorization === undefined) return Promise.resolve(undefined)
  const token = authorization.replace(/^Bearer /, '')
  if (token === 'expired') return Promise.reject(new Fault('token_expired'))
  return Promise.resolve(principalOf(token))
}

async function recorded<T>(transactions: Kernel['transactions'], fn: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Handlers of these tests do not use it.
    const result = await fn({} as Tx)
    transactions.push('committed')
    return result
  } catch (error) {
    transactions.push('rolled back')
    throw error
  }
}

const noIdempotency: IdempotencyStore = {
  claim: () => Promise.reject(new Error('these tests keep no answers')),
  keep: () => () => undefined,
  save: () => Promise.reject(new Error('these tests keep no answers')),
  release: () => Promise.resolve(),
}

function recordingLogger(errors: unknown[]) {
  const { log } = fastify({ logger: { level: 'silent' } })
  const logger = Object.create(log)
  logger.error = (entry: unknown) => void errors.push(entry)
  logger.child = () => logger
  return logger
}

function exchange(port: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.on('error', reject)
  })
}

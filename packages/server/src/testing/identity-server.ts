import { randomBytes, randomUUID } from 'node:crypto'
import { apiKeys, auth, type Role } from '@millrace/contract'
import { sql } from 'kysely'
import { apiKeyHandlers } from '#modules/access/index.ts'
import { authHandlers, createSessionCookie } from '#modules/identity/index.ts'
import { servedJwks } from '#platform/auth/serve-jwks.ts'
import { createHttpServer, createIdempotencyStore, createMemoryRateLimiter, httpConfigDefault, served } from '#platform/http/index.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase } from './database.ts'
import { createIdentityParts, type IdentityPartsOptions } from './identity-parts.ts'

const startsAt = Date.parse('2026-03-01T12:00:00Z')

const plenty = { limit: 1_000_000, windowSeconds: 60 }

export interface Call {
  readonly token?: string
  readonly body?: unknown
  readonly ip?: string
  readonly userAgent?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Called {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // oxlint-disable-next-line typescript/no-explicit-any -- Tests reach into answers and compare; a wrong member is undefined and fails there.
  readonly body: any
}

export interface RecordedAudit {
  readonly event: string
  readonly target: string | undefined
  readonly accountId: string | undefined
}

export interface IdentityServerOptions extends IdentityPartsOptions {
  readonly connectionsMax?: number
}

/** The groups `auth` and `apiKeys` behind the real HTTP kernel and a database of the test's own; time stands still unless moved. */
export async function startIdentityServer(options: IdentityServerOptions = {}) {
  const test = await createTestDatabase({ systemConnectionsMax: options.connectionsMax ?? 6 })
  const { database } = test
  const db = database.system
  const clock = { at: startsAt }
  const now = () => new Date(clock.at)
  const parts = createIdentityParts(database, now, options)
  const audits: RecordedAudit[] = []
  const app = createHttpServer({
    config: { ...httpConfigDefault, strict: true, rateLimits: { global: plenty, auth: plenty, refresh: plenty, execution: plenty } },
    newRequestId: randomUUID,
    guards: {
      authenticate: (source) => parts.authenticate(source),
      flagEnabled: () => false,
      now,
      gateOpen: () => false,
      hasConsent: () => Promise.resolve(false),
      workflowOfExecution: () => Promise.resolve(undefined),
      transaction: (accountId, fn) => database.account(accountId, fn),
      audit: {
        async record(_tx, _ctx, event, { target, accountId }) {
          audits.push({ event, target, accountId })
        },
      },
      idempotency: createIdempotencyStore({ db, randomBytes }),
      rateLimiter: createMemoryRateLimiter({ now: () => clock.at }),
    },
    groups: {
      jwks: servedJwks(parts.keys),
      auth: served(auth, authHandlers(parts.identity, createSessionCookie({ secure: false, now }))),
      apiKeys: served(apiKeys, apiKeyHandlers(parts.access)),
    },
  })

  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, given: Call = {}): Promise<Called> => {
    const { token, body, ip = '192.0.2.1', userAgent = 'tests/1.0', headers } = given
    const response = await app.inject({
      method,
      url,
      remoteAddress: ip,
      headers: {
        'user-agent': userAgent,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return { status: response.statusCode, headers: response.headers, body: response.json() }
  }

  return {
    ...parts,
    database,
    db,
    url: test.url,
    app,
    clock,
    now,
    audits,
    call,
    /** Registers a user with an account of its own, and gives the answer. */
    async register(email: string, more: Readonly<Record<string, unknown>> = {}, given: Call = {}) {
      const { status, body } = await call('POST', '/api/v1/auth/register', { ...given, body: { email, password: goodPassword, ...more } })
      if (status !== 200) throw new Error(`register answered ${status}: ${JSON.stringify(body)}`)
      return body
    },
    async login(email: string, password = goodPassword, given: Call = {}) {
      return await call('POST', '/api/v1/auth/login', { ...given, body: { email, password } })
    },
    /** Puts another user into the account of one, as an invitation will, and signs that user in. */
    async join(into: string, email: string, role: Role) {
      const hash = await parts.passwords.hash(goodPassword)
      const id = newId()
      await sql`
        with host as (select account_id from users where email = ${into}),
        made as (
          insert into users (id, account_id, email, role, created_at) select ${id}, account_id, ${email}, ${role}, ${now()} from host
          returning account_id
        )
        insert into user_passwords (user_id, account_id, hash, changed_at) select ${id}, account_id, ${hash}, ${now()} from host`.execute(
        db,
      )
      const { status, body } = await this.login(email)
      if (status !== 200) throw new Error(`login answered ${status}: ${JSON.stringify(body)}`)
      return body
    },
    /** Waits until a statement waits for a lock, or the given work has ended. */
    async someoneWaits(work: Promise<unknown>): Promise<void> {
      let ended = false
      const watch = work.then(
        () => (ended = true),
        () => (ended = true),
      )
      for (let looks = 0; looks < 2000 && !ended; looks++) {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`.execute(db)
        if (rows.length > 0) return
      }
      await watch
    },
    /** Makes it as it was at the start, in less time than a new one takes. */
    async reset() {
      await sql`with gone as (delete from login_throttles), used as (delete from operator_codes) delete from accounts`.execute(db)
      clock.at = startsAt
      parts.events.length = 0
      audits.length = 0
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await test.drop()
    },
  }
}

export const goodPassword = 'four words make sense'

export type IdentityServer = Awaited<ReturnType<typeof startIdentityServer>>

import { glob, readFile } from 'node:fs/promises'
import { type AnyOperation, type ErrorCode, errorCatalogue, pathParameters, scopesOfRole, stepUpSecondsOf } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import type { Rows } from '#platform/db/rows.ts'
import { fromTypeId } from '#platform/ids.ts'
import { type ApiResponse, call, exampleBody, operations, paramsOf, requiredQuery, rows, targetOf } from './calls.ts'
import { exerciseOperations, messageOf } from './exercise-operations.ts'
import { protocolViolations, refusal } from './protocol-violations.ts'
import { createTwoAccounts, registerUser, type TwoAccounts } from './two-accounts.ts'

/** A composed server that listens, with unreachable rate limits, every flag on, and a database of its own. */
export interface LawServer {
  readonly url: string
  /** Starts a second server on the same database. */
  startSecond(environment: Readonly<Record<string, string>>): Promise<{ readonly url: string }>
  readonly database: { readonly system: Kysely<Rows> }
  close(): Promise<void>
}

interface LawFixture {
  readonly server: LawServer
  readonly accounts: TwoAccounts
  /** The response of one successful call of every operation, by its id. */
  readonly successes: ReadonlyMap<string, ApiResponse>
}

/** Laws that apply to every operation of the server, whatever it does. */
export function describeLaws(start: () => Promise<LawServer>): void {
  let created: LawFixture | undefined
  const fixture = (): LawFixture => {
    if (created === undefined) throw new Error('the server of the laws did not start')
    return created
  }
  beforeAll(async () => {
    const server = await start()
    const accounts = await createTwoAccounts(server.url, server.database.system)
    created = { server, accounts, successes: await exerciseOperations(server.url, accounts.owner.token, server.database.system) }
    // Every operation is called: on a loaded machine that takes longer than other preparations.
  })
  afterAll(() => created?.server.close())
  describeAuthentication(fixture)
  describePermissions(fixture)
  describeAuditors(fixture)
  describeLimitedKeys(fixture)
  describeStepUp(fixture)
  describeIds(fixture)
  describeUnknownInput(fixture)
  describeFlags(fixture)
  describeGates(fixture)
  describeConsents(fixture)
  describeSuccesses(fixture)
  describeAudit(fixture)
  describeErrors()
  describeCoverage(fixture)
}

function describeAuthentication(fixture: () => LawFixture): void {
  test.each(rows((op) => op.auth !== 'public'))('%s without a credential is a 401 with WWW-Authenticate', async (_id, op) => {
    const response = await call(fixture().server.url, op, { params: paramsOf(op, unknownId), body: exampleBody(op) })
    expect(refusal(response)).toBe('401 unauthenticated')
    expect(response.headers.get('www-authenticate')).toContain('Bearer')
  })

  test.each(rows((op) => op.auth !== 'public'))('%s with an invalid credential is a 401', async (_id, op) => {
    const response = await call(fixture().server.url, op, { params: paramsOf(op, unknownId), token: 'mlr_nothing' })
    expect(refusal(response)).toBe('401 unauthenticated')
  })
}

function describePermissions(fixture: () => LawFixture): void {
  test.each(rows((op) => op.auth !== 'public'))('%s without its scope is a 403 that names the scope', async (_id, op) => {
    const scope = op.auth === 'public' ? '' : op.auth.scope
    const token = fixture().accounts.keys[scope === 'account:read' ? 'workflows:read' : 'account:read']
    const response = await call(fixture().server.url, op, { params: paramsOf(op, unknownId), token })
    expect(refusal(response)).toBe('403 insufficient_scope')
    expect(JSON.stringify(response.body)).toContain(scope)
  })

  test.each(rows((op) => op.role === 'operator'))('%s called by an owner who is not an operator is a 403', async (_id, op) => {
    const response = await call(fixture().server.url, op, { params: paramsOf(op, unknownId), token: fixture().accounts.other.token })
    expect(refusal(response)).toBe('403 insufficient_role')
  })
}

/** The unknown parameter is refused after the role is checked, so that nothing is done. */
function describeAuditors(fixture: () => LawFixture): void {
  const refusals = new Set(['403 insufficient_role', '403 insufficient_scope', '403 owner_gated', '403 consent_required'])

  test.each(rows((op) => op.auth !== 'public' && op.unknownInput === undefined))(
    '%s admits an auditor only to what viewers read, to the audit log and evidence, and to the own sign-in, keys and notifications',
    async (_id, op) => {
      const { server, accounts } = fixture()
      const query = { ...requiredQuery(op), unknownMember: '1' }
      const answer = await call(server.url, op, { params: paramsOf(op, unknownId), query, body: exampleBody(op), token: accounts.auditor })
      expect(refusals.has(refusal(answer)) ? 'refused' : refusal(answer)).toBe(isOfAuditors(op) ? '400 request_invalid' : 'refused')
    },
  )
}

/** Groups whose operations are of the caller alone. */
const ownGroups = new Set(['auth', 'notifications', 'apiKeys', 'oauth'])
const auditedReads = new Set(['audit:read', 'privacy:read'])

function isOfAuditors({ id, method, auth, role, auditors }: AnyOperation): boolean {
  if (auth === 'public') return true
  if (auth.scope === 'sign-in:finish') return true
  if (method !== 'GET') return auditors === true && (ownGroups.has(id.split('.')[0] ?? '') || readsByPost.has(id))
  return role === undefined ? scopesOfRole('viewer').has(auth.scope) : role === 'auditor' && auditedReads.has(auth.scope)
}

/** They change nothing. */
const readsByPost = new Set(['files.link', 'triggers.previewSchedule'])

/** Of a key that is limited to workflows. */
function describeLimitedKeys(fixture: () => LawFixture): void {
  const ask = (op: AnyOperation, idOf: (prefix: string) => string | undefined) => {
    const { server, accounts } = fixture()
    const params = paramsOf(op, (prefix) => idOf(prefix) ?? `${prefix}_x`)
    return call(server.url, op, { params, query: requiredQuery(op), body: exampleBody(op), token: accounts.limited.secret })
  }
  const ownId = (prefix: string) => fixture().accounts.ownIds[prefix]

  test.each(rows((op) => (op.auth !== 'public' || op.optionalCredential === true) && op.workflowKeys !== 'filtered'))(
    '%s by a key that is limited to another workflow is a 403 that names the limit',
    async (_id, op) => {
      const response = await ask(op, ownId)
      expect(refusal(response)).toBe('403 key_restricted')
      expect(JSON.stringify(response.body)).toContain('limited to chosen workflows')
    },
  )

  test.each(rows((op) => typeof op.workflowKeys === 'object'))(
    '%s by a limited key responds alike for what is not the key’s, and for what does not exist',
    async (_id, op) => {
      const { detail } = z.object({ detail: z.string() }).parse((await ask(op, ownId)).body)
      expect((await ask(op, unknownId)).body).toMatchObject({ code: 'key_restricted', detail })
    },
  )

  test.each(rows((op) => op.workflowKeys === 'filtered'))('%s by a limited key has nothing of other workflows', async (_id, op) => {
    const { accounts, server } = fixture()
    const { workflowId } = accounts.limited
    const full = await call(server.url, op, { query: { limit: '100' }, token: accounts.owner.token })
    expect(JSON.stringify(full.body)).toContain(ownId('wf'))
    const ids = JSON.stringify((await ask(op, ownId)).body).match(/wf_[0-9a-z]{26}/g) ?? []
    expect(ids.filter((id) => id !== workflowId)).toEqual([])
  })
}

function describeStepUp(fixture: () => LawFixture): void {
  test.each(rows((op) => stepUpSecondsOf(op) !== undefined))(
    '%s with an old proof of identity is a 401 that says how to renew it',
    async (_id, op) => {
      const { server } = fixture()
      const { token, jti } = await registerUser(server.url)
      await sql`update sessions set authenticated_at = now() - interval '1 day' where id = ${fromTypeId('ses', jti)}`.execute(
        server.database.system,
      )
      const response = await call(server.url, op, { params: paramsOf(op, unknownId), body: exampleBody(op), token })
      // The role is checked first, and every registered user is an owner.
      expect(refusal(response)).toBe(op.role === 'operator' ? '403 insufficient_role' : '401 insufficient_authentication')
      if (op.role === 'operator') return
      expect(response.headers.get('www-authenticate')).toContain(`error="insufficient_user_authentication"`)
      expect(response.headers.get('www-authenticate')).toContain(`max_age=${stepUpSecondsOf(op)}`)
      expect(response.body).toMatchObject({ stepUp: '/api/v1/auth/step-up' })
    },
  )
}

function describeIds(fixture: () => LawFixture): void {
  const callWithId = (op: Parameters<typeof call>[1], idOf: (prefix: string) => string) =>
    call(fixture().server.url, op, { params: paramsOf(op, idOf), body: exampleBody(op), token: fixture().accounts.owner.token })

  test.each(rows((op) => pathParameters(op).length > 0))('%s with an unknown id is a 404', async (_id, op) => {
    expect(refusal(await callWithId(op, unknownId))).toBe('404 not_found')
  })

  test.each(rows((op) => pathParameters(op).length > 0))('%s with an id of another account is the same 404', async (_id, op) => {
    const otherId = (prefix: string) => fixture().accounts.otherIds[prefix] ?? `no ${prefix} of the other account`
    expect(refusal(await callWithId(op, otherId))).toBe('404 not_found')
  })

  test.each(rows((op) => pathParameters(op).length > 0))('%s with an id of another kind is a 404', async (_id, op) => {
    expect(refusal(await callWithId(op, idOfWrongKind))).toBe('404 not_found')
  })

  test.each(rows((op) => pathParameters(op).length > 0))('%s with a malformed id is a 404', async (_id, op) => {
    expect(refusal(await callWithId(op, (prefix) => `${prefix}_x`))).toBe('404 not_found')
  })
}

function describeUnknownInput(fixture: () => LawFixture): void {
  test.each(rows((op) => op.unknownInput === undefined))(
    '%s with an unknown query parameter is a 400 with its pointer',
    async (_id, op) => {
      const parts = {
        params: paramsOf(op, unknownId),
        query: { ...requiredQuery(op), unknownMember: '1' },
        token: fixture().accounts.owner.token,
      }
      const response = await call(fixture().server.url, op, { ...parts, body: exampleBody(op) })
      expect(refusal(response)).toBe('400 request_invalid')
      expect(response.body).toMatchObject({ errors: [{ pointer: '/unknownMember', in: 'query' }] })
    },
  )

  const hasStrictBody = (op: AnyOperation) => op.body !== undefined && op.unknownInput === undefined
  test.each(rows(hasStrictBody))('%s with an unknown member in the body is a 400 with its pointer', async (_id, op) => {
    const body = { ...exampleBody(op), unknownMember: 1 }
    const response = await call(fixture().server.url, op, { params: paramsOf(op, unknownId), body, token: fixture().accounts.owner.token })
    expect(refusal(response)).toBe('400 request_invalid')
    expect(response.body).toMatchObject({ errors: [{ pointer: '/unknownMember' }] })
  })

  test.each(rows((op) => op.body !== undefined))('%s with text that PostgreSQL cannot store is a 400', async (_id, op) => {
    const body = Object.fromEntries(Object.keys(exampleBody(op) ?? {}).map((name) => [name, { inner: 'half \ud800' }]))
    const response = await call(fixture().server.url, op, {
      params: paramsOf(op, unknownId),
      body: { ...body, name: 'NUL \0' },
      token: fixture().accounts.owner.token,
    })
    expect(refusal(response)).toBe('400 request_invalid')
  })
}

function describeFlags(fixture: () => LawFixture): void {
  test('every operation whose flag is off is a 404, even with an invalid credential', async () => {
    const { url } = await fixture().server.startSecond({ MILLRACE_FLAGS: ',' })
    for (const [, op] of rows((candidate) => candidate.flag !== undefined)) {
      const response = await call(url, op, { params: paramsOf(op, unknownId), token: 'expired' })
      expect(refusal(response), op.id).toBe('404 route_not_found')
    }
  })
}

function describeGates(fixture: () => LawFixture): void {
  test('every operation whose gate is closed is a 403 that names the gate and the setting, and a 401 without a credential', async () => {
    const { server, accounts } = fixture()
    const { url } = await server.startSecond({ MILLRACE_GATES: ',' })
    const gated = rows((op) => op.gate !== undefined)
    expect(gated.length).toBeGreaterThan(0)
    for (const [, op] of gated) {
      const response = await call(url, op, { params: paramsOf(op, unknownId), token: accounts.other.token })
      expect(refusal(response), op.id).toBe('403 owner_gated')
      expect(JSON.stringify(response.body)).toContain(`MILLRACE_GATES=${op.gate}`)
      const unknown = await call(url, op, { params: paramsOf(op, unknownId) })
      expect(refusal(unknown), op.id).toBe(op.auth === 'public' ? '403 owner_gated' : '401 unauthenticated')
    }
  })
}

function describeConsents(fixture: () => LawFixture): void {
  test('every operation that needs the consent to transfers is a 403 without it, and a 401 without a credential', async () => {
    const { server, accounts } = fixture()
    const bound = rows((op) => op.consent !== undefined)
    expect(bound.length).toBeGreaterThan(0)
    for (const [, op] of bound) {
      const params = paramsOf(op, unknownId)
      const body = exampleBody(op)
      expect(refusal(await call(server.url, op, { params, body, token: accounts.other.token })), op.id).toBe('403 consent_required')
      expect(refusal(await call(server.url, op, { params })), op.id).toBe('401 unauthenticated')
    }
  })
}

function describeSuccesses(fixture: () => LawFixture): void {
  const own = rows((op) => targetOf(op) === op)

  test.each(own)('a success of %s is a 200 with X-Request-ID and RateLimit headers', (_id, op) => {
    const response = fixture().successes.get(op.id)
    expect(response && [response.status, ...protocolViolations(response), response.status === 200 ? '' : response.body]).toEqual([200, ''])
  })

  test.each(own)('the body of a success of %s is valid against its schema', (_id, op) => {
    expect(op.reply.safeParse(fixture().successes.get(op.id)?.body).error?.issues ?? []).toEqual([])
  })

  test('execute.run responds with the output itself', () => {
    expect(messageOf(fixture().successes.get('execute.run'))).toBe('Hello, Ada')
  })
}

function describeAudit(fixture: () => LawFixture): void {
  test.each(rows((op) => targetOf(op) === op))('a success of %s leaves exactly the audit row that it declares', async (_id, op) => {
    const requestId = fixture().successes.get(op.id)?.headers.get('x-request-id') ?? ''
    const { rows: events } = await sql<{ event: string }>`
      select event from audit_events where request_id = ${requestId}`.execute(fixture().server.database.system)
    expect(events.map(({ event }) => event)).toEqual(op.audit === 'none' ? [] : [op.audit])
  })

  test('no refused request of these laws leaves an audit row', async () => {
    const { server, accounts } = fixture()
    const { rows: events } = await sql<{ event: string }>`
      select distinct event from audit_events
      where target in (${sql.join(Object.values(accounts.otherIds))}) and actor like ${'%'} || ${accounts.owner.userId}`.execute(
      server.database.system,
    )
    expect(events).toEqual([])
  })
}

/** Codes of the catalogue that operations of later releases raise. */
const unraisedCodes: readonly ErrorCode[] = []

function describeErrors(): void {
  test('every error code is raised in a test, except for those of later releases', async () => {
    const isTested = (text: string) => (code: string) => new RegExp(`['" ]${code}['" \\]]`).test(text)
    const untested = new Set<string>(Object.keys(errorCatalogue))
    for await (const file of glob('packages/{server,cli}/src/**/*.test.ts', { cwd: root })) {
      const text = await readFile(`${root}/${file}`, 'utf8')
      for (const code of [...untested].filter(isTested(text))) untested.delete(code)
    }
    expect([...untested].toSorted()).toEqual(unraisedCodes)
  })
}

const root = new URL('../../../..', import.meta.url).pathname

function describeCoverage(fixture: () => LawFixture): void {
  test('these laws cover every operation that the server describes', async () => {
    const response = await fetch(`${fixture().server.url}/api/v1/openapi.json`)
    const described: { readonly paths: Readonly<Record<string, object>> } = JSON.parse(await response.text())
    const served = Object.entries(described.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(new Set(served)).toEqual(new Set(operations.map((op) => `${op.method} ${op.path}`)))
  })
}

const idOfWrongKind = (prefix: string) => `${prefix === 'exec' ? 'wf' : 'exec'}_01h455vb4pex5vsknk084sn02q`
const unknownId = (prefix: string) => `${prefix}_01h455vb4pex5vsknk084sn02q`

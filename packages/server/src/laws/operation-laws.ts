import { pathParameters } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { type Answer, call, exampleBody, operations, paramsOf, rows, targetOf } from './calls.ts'
import { liveThrough, messageOf } from './lifecycle.ts'
import { flawsOf, refusal } from './manners.ts'
import { createWorld, type World } from './world.ts'

/** A composed server that listens, with limits that these many requests do not reach, every flag off, and a database of its own. */
export interface LawServer {
  readonly url: string
  readonly database: { readonly system: Kysely<Rows> }
  close(): Promise<void>
}

/** What the laws are tried on, made before the first of them. */
interface Ground {
  readonly server: LawServer
  readonly world: World
  readonly life: ReadonlyMap<string, Answer>
}

/** What holds for every operation that is served, whatever it does. */
export function describeLaws(start: () => Promise<LawServer>): void {
  let made: Ground | undefined
  const ground = (): Ground => {
    if (made === undefined) throw new Error('the server of the laws did not start')
    return made
  }
  beforeAll(async () => {
    const server = await start()
    const world = await createWorld(server.url, server.database.system)
    made = { server, world, life: await liveThrough(server.url, world.owner.token, server.database.system) }
  })
  afterAll(() => made?.server.close())
  refusesStrangers(ground)
  demandsScopes(ground)
  keepsOperatorsApart(ground)
  hidesWhatIsNotThere(ground)
  refusesTheUnknown(ground)
  obeysFlags(ground)
  worksAsMeant(ground)
  recordsNoRefusals(ground)
  coversAll(ground)
}

function refusesStrangers(ground: () => Ground): void {
  describe('without a credential', () => {
    test.each(rows((op) => op.auth !== 'public'))('%s is a 401 that tells how to authenticate', async (_id, op) => {
      const answer = await call(ground().server.url, op, { params: paramsOf(op, unknown), body: exampleBody(op) })
      expect(refusal(answer)).toBe('401 unauthenticated')
      expect(answer.headers.get('www-authenticate')).toContain('Bearer')
    })

    test.each(rows((op) => op.auth !== 'public'))('%s is a 401 to a credential that is none', async (_id, op) => {
      const answer = await call(ground().server.url, op, { params: paramsOf(op, unknown), token: 'mlr_nothing' })
      expect(refusal(answer)).toBe('401 unauthenticated')
    })
  })
}

function demandsScopes(ground: () => Ground): void {
  describe('without the scope', () => {
    test.each(rows((op) => op.auth !== 'public'))('%s is a 403 that names it', async (_id, op) => {
      const scope = op.auth === 'public' ? '' : op.auth.scope
      const token = ground().world.keys[scope === 'account:read' ? 'workflows:read' : 'account:read']
      const answer = await call(ground().server.url, op, { params: paramsOf(op, unknown), token })
      expect(refusal(answer)).toBe('403 insufficient_scope')
      expect(JSON.stringify(answer.body)).toContain(scope)
    })
  })
}

function keepsOperatorsApart(ground: () => Ground): void {
  test.each(rows((op) => op.role === 'operator'))('%s is a 403 to an owner who is no operator', async (_id, op) => {
    const answer = await call(ground().server.url, op, { params: paramsOf(op, unknown), token: ground().world.other.token })
    expect(refusal(answer)).toBe('403 insufficient_role')
  })
}

function hidesWhatIsNotThere(ground: () => Ground): void {
  describe('with an id in the path', () => {
    test.each(rows((op) => pathParameters(op).length > 0))('%s is a 404 for what is not there', async (_id, op) => {
      const answer = await call(ground().server.url, op, {
        params: paramsOf(op, unknown),
        body: exampleBody(op),
        token: ground().world.owner.token,
      })
      expect(refusal(answer)).toBe('404 not_found')
    })

    test.each(rows((op) => pathParameters(op).length > 0))("%s is a 404 for another account's, just as for nothing", async (_id, op) => {
      const params = paramsOf(op, (prefix) => ground().world.foreignIds[prefix] ?? `no ${prefix} of the other account`)
      const answer = await call(ground().server.url, op, { params, body: exampleBody(op), token: ground().world.owner.token })
      expect(refusal(answer)).toBe('404 not_found')
    })

    test.each(rows((op) => pathParameters(op).length > 0))('%s is a 404 for an id of another kind', async (_id, op) => {
      const answer = await call(ground().server.url, op, {
        params: paramsOf(op, wrongKind),
        body: exampleBody(op),
        token: ground().world.owner.token,
      })
      expect(refusal(answer)).toBe('404 not_found')
    })
  })
}

function refusesTheUnknown(ground: () => Ground): void {
  describe('with what it does not know', () => {
    test.each(rows(() => true))('%s refuses a parameter', async (_id, op) => {
      const parts = { params: paramsOf(op, unknown), query: { unknownMember: '1' }, token: ground().world.owner.token }
      const answer = await call(ground().server.url, op, { ...parts, body: exampleBody(op) })
      expect(refusal(answer)).toBe('400 request_invalid')
      expect(answer.body).toMatchObject({ errors: [{ pointer: '/unknownMember', in: 'query' }] })
    })

    test.each(rows((op) => op.body !== undefined))('%s refuses a member of the body', async (_id, op) => {
      const body = { ...exampleBody(op), unknownMember: 1 }
      const answer = await call(ground().server.url, op, { params: paramsOf(op, unknown), body, token: ground().world.owner.token })
      expect(refusal(answer)).toBe('400 request_invalid')
      expect(answer.body).toMatchObject({ errors: [{ pointer: '/unknownMember' }] })
    })

    test.each(rows((op) => op.body !== undefined))('%s refuses text that cannot be stored, wherever it stands', async (_id, op) => {
      const body = Object.fromEntries(Object.keys(exampleBody(op) ?? {}).map((name) => [name, { inner: 'half \ud800' }]))
      const answer = await call(ground().server.url, op, {
        params: paramsOf(op, unknown),
        body: { ...body, name: 'NUL \0' },
        token: ground().world.owner.token,
      })
      expect(refusal(answer)).toBe('400 request_invalid')
    })
  })
}

function obeysFlags(ground: () => Ground): void {
  test('while its flag is off, an operation is not there', async () => {
    for (const [, op] of rows((candidate) => candidate.flag !== undefined)) {
      const answer = await call(ground().server.url, op, { params: paramsOf(op, unknown), token: 'expired' })
      expect(refusal(answer), op.id).toBe('404 route_not_found')
    }
  })
}

function worksAsMeant(ground: () => Ground): void {
  describe('done as it is meant', () => {
    test.each(rows((op) => targetOf(op) === op))('%s succeeds with 200 and all headers', (_id, op) => {
      const answer = ground().life.get(op.id)
      expect(answer && [answer.status, ...flawsOf(answer), answer.status === 200 ? '' : answer.body]).toEqual([200, ''])
    })

    test.each(rows((op) => targetOf(op) === op))('%s leaves the audit row that it declares, and no other', async (_id, op) => {
      const requestId = ground().life.get(op.id)?.headers.get('x-request-id') ?? ''
      const { rows: found } = await sql<{ event: string; actor: string }>`
      select event, actor from audit_events where request_id = ${requestId}`.execute(ground().server.database.system)
      expect(found.map((row) => row.event)).toEqual(op.audit === 'none' ? [] : [op.audit])
    })

    test('execute.run answers with the output itself', () => {
      expect(messageOf(ground().life.get('execute.run'))).toBe('Hello, Ada')
    })
  })
}

function recordsNoRefusals(ground: () => Ground): void {
  test('no refusal of these laws has left an audit row', async () => {
    const { rows: found } = await sql<{ event: string }>`
    select distinct event from audit_events where target in (${sql.join(Object.values(ground().world.foreignIds))}) and actor like ${'%'} || ${ground().world.owner.userId}`.execute(
      ground().server.database.system,
    )
    expect(found).toEqual([])
  })
}

function coversAll(ground: () => Ground): void {
  test('these laws hold for every operation that the server describes', async () => {
    const response = await fetch(`${ground().server.url}/api/v1/openapi.json`)
    const described: { readonly paths: Readonly<Record<string, object>> } = JSON.parse(await response.text())
    const served = Object.entries(described.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(new Set(served)).toEqual(new Set(operations.map((op) => `${op.method} ${op.path}`)))
  })
}

const wrongKind = (prefix: string) => `${prefix === 'exec' ? 'wf' : 'exec'}_01h455vb4pex5vsknk084sn02q`
const unknown = (prefix: string) => `${prefix}_01h455vb4pex5vsknk084sn02q`

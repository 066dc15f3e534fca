import { operation } from '@millrace/contract'
import * as z from 'zod'
import { digestOf } from '#platform/auth/link-token.ts'
import { lockAccount } from '#modules/identity/providers/provider-store.ts'
import type { Executor } from '#modules/identity/store.ts'
import { servedExchange } from '#platform/http/exchange-route.ts'
import type { ServedGroup, Tx } from '#platform/http/index.ts'
import { fromTypeId } from '#platform/ids.ts'
import { discoveryOf, listOf } from './scim-discovery.ts'
import { ScimFault } from './scim-fault.ts'
import { listGroups, listUsers, readQuery, type ScimQuery } from './scim-lists.ts'
import { groupResource, type Resource, userResource, versionOf } from './scim-resources.ts'
import type { ScimChange, ScimUsers } from './scim-users.ts'
import type { ScimGroups } from './scim-groups.ts'
import { faultResponse, respondScim, shown } from './scim-responses.ts'
import { findScimAccount } from './scim-settings-store.ts'

export interface ScimServerDeps {
  /** The system pool: the account follows from the token. */
  readonly db: Executor
  readonly inAccount: <T>(accountId: string, fn: (tx: Tx) => Promise<T>) => Promise<T>
  readonly users: ScimUsers
  readonly groups: ScimGroups
  /** Writes to the audit log in the transaction of the change. */
  readonly audit: (tx: Tx, accountId: string, change: ScimChange, request: { readonly id: string; readonly ip: string }) => Promise<void>
  /** Without a trailing slash. */
  readonly origin: string
  readonly now: () => Date
}

const serve = operation({
  id: 'scim.serve',
  method: 'POST',
  path: '/scim/v2/*',
  summary: 'Provision users and groups by SCIM 2.0',
  stability: 'beta',
  auth: 'public',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  body: z.unknown(),
  reply: z.unknown(),
  errors: [],
})

interface Call {
  readonly accountId: string
  readonly method: string
  readonly query: ScimQuery
  readonly body: unknown
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly audited: (tx: Tx, change: ScimChange) => Promise<void>
}

/** Serves SCIM 2.0 (RFC 7644) to the directories of accounts. */
export function servedScim(deps: ScimServerDeps): ServedGroup {
  const base = `${deps.origin}/scim/v2`
  const discovery = discoveryOf(base)
  return servedExchange({
    op: serve,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    publicUrl: deps.origin,
    async respond(ctx, request) {
      try {
        const accountId = await accountOf(deps, request)
        const { pathname, searchParams } = new URL(request.url)
        const path = decodeURIComponent(pathname.slice('/scim/v2'.length)).replace(/\/$/, '')
        const described = discovery[path]
        if (described !== undefined && request.method === 'GET') return respondScim(200, described)
        const audited = (tx: Tx, change: ScimChange) => deps.audit(tx, accountId, change, { id: ctx.requestId, ip: ctx.ip })
        const { method, headers } = request
        const [ifMatch, ifNoneMatch] = [headers.get('if-match') ?? undefined, headers.get('if-none-match') ?? undefined]
        const call = { accountId, method, query: readQuery(searchParams), body: await bodyOf(request), ifMatch, ifNoneMatch, audited }
        return await resourceCall({ ...deps, base }, path, call)
      } catch (error) {
        return faultResponse(error)
      }
    },
  })
}

type Served = ScimServerDeps & { readonly base: string }

async function resourceCall(deps: Served, path: string, call: Call): Promise<Response> {
  const { kind, id } = /^\/(?<kind>Users|Groups)(?:\/(?<id>[^/]+))?$/.exec(path)?.groups ?? {}
  if (kind === undefined)
    throw new ScimFault(path === '/Me' ? 501 : 404, `There is no ${path}. Use /Users, /Groups or /ServiceProviderConfig.`)
  return kind === 'Users' ? await kindCall(deps, usersOf(deps), call, id) : await kindCall(deps, groupsOf(deps), call, id)
}

/** What a call does with the resources of one kind. */
interface Kind<R> {
  readonly prefix: 'usr' | 'grp'
  readonly noun: string
  readonly shape: (found: R) => Resource
  readonly list: (tx: Tx, accountId: string, query: ScimQuery) => ReturnType<typeof listUsers>
  readonly find: (tx: Tx, accountId: string, id: string) => Promise<R>
  /** Prepares a creation before its transaction begins. */
  readonly creating: (accountId: string) => Promise<(tx: Tx, body: unknown) => Promise<Changed<R>>>
  /** Changes what was read under the lock of the account. */
  readonly change: (method: 'replace' | 'patch', tx: Tx, accountId: string, before: R, body: unknown) => Promise<Changed<R>>
  readonly remove: (tx: Tx, accountId: string, found: R) => Promise<ScimChange>
}

interface Changed<R> {
  readonly found: R
  readonly change: ScimChange
}

function usersOf({ users, base }: Served): Kind<Awaited<ReturnType<ScimUsers['find']>>> {
  return {
    prefix: 'usr',
    noun: 'user',
    shape: (user) => userResource(user, base),
    list: (tx, accountId, query) => listUsers(tx, accountId, query, base),
    find: users.find,
    async creating(accountId) {
      const assertSeat = await users.seatOf(accountId)
      return async (tx, body) => changedUser(await users.create(tx, accountId, body, assertSeat))
    },
    change: async (method, tx, accountId, before, body) => changedUser(await users[method](tx, accountId, before, body)),
    remove: users.remove,
  }
}

function groupsOf({ groups, base }: Served): Kind<Awaited<ReturnType<ScimGroups['find']>>> {
  return {
    prefix: 'grp',
    noun: 'group',
    shape: (group) => groupResource(group, base),
    list: (tx, accountId, query) => listGroups(tx, accountId, query, base),
    find: groups.find,
    creating: async (accountId) => async (tx, body) => changedGroup(await groups.create(tx, accountId, body)),
    change: async (method, tx, accountId, before, body) => changedGroup(await groups[method](tx, accountId, before, body)),
    remove: groups.remove,
  }
}

const changedUser = <R>({ user, change }: { readonly user: R; readonly change: ScimChange }): Changed<R> => ({ found: user, change })
const changedGroup = <R>({ group, change }: { readonly group: R; readonly change: ScimChange }): Changed<R> => ({ found: group, change })

async function kindCall<R>(deps: Served, kind: Kind<R>, call: Call, id: string | undefined): Promise<Response> {
  if (id === undefined) return await listCall(deps, kind, call)
  const uuid = fromTypeId(kind.prefix, id)
  if (uuid === undefined) throw new ScimFault(404, `There is no ${kind.noun} ${id}.`)
  return await itemCall(deps, kind, call, uuid)
}

async function listCall<R>({ inAccount }: Served, kind: Kind<R>, call: Call): Promise<Response> {
  const { accountId, method, query, body, audited } = call
  if (method === 'GET') {
    const { found, total } = await inAccount(accountId, (tx) => kind.list(tx, accountId, query))
    const shownOnes = found.map((each) => shown(each, query))
    return respondScim(200, listOf(shownOnes, { total, startIndex: query.startIndex }))
  }
  if (method !== 'POST') throw notAllowed(method)
  const create = await kind.creating(accountId)
  const created = await inAccount(accountId, async (tx) => {
    const { found, change } = await create(tx, body)
    await audited(tx, change)
    return kind.shape(found)
  })
  return respondScim(201, shown(created, query))
}

async function itemCall<R>({ inAccount }: Served, kind: Kind<R>, call: Call, id: string): Promise<Response> {
  const { accountId, method, body, query, audited } = call
  if (method === 'POST') throw notAllowed(method)
  return await inAccount(accountId, async (tx) => {
    // A change writes the whole resource, so nothing may change between the reading and the writing.
    if (method !== 'GET') await lockAccount(tx, accountId)
    const before = await kind.find(tx, accountId, id)
    const resource = kind.shape(before)
    const fresh = assertVersion(call, resource)
    if (method === 'GET') return fresh ? respondScim(200, shown(resource, query)) : respondScim(304)
    if (method === 'DELETE') {
      await audited(tx, await kind.remove(tx, accountId, before))
      return respondScim(204)
    }
    const { found, change } = await kind.change(method === 'PUT' ? 'replace' : 'patch', tx, accountId, before, body)
    await audited(tx, change)
    return respondScim(200, shown(kind.shape(found), query))
  })
}

/** Refuses a change of another version than the caller has seen (RFC 7644, section 3.14); false when a reader has the version already. */
function assertVersion({ ifMatch, ifNoneMatch }: Call, resource: Resource): boolean {
  const version = versionOf(resource)
  const has = (header: string) => header.trim() === '*' || header.split(',').some((tag) => tag.trim() === version)
  if (ifMatch !== undefined && !has(ifMatch)) throw new ScimFault(412, `The resource has the version ${version}. Read it again.`)
  return ifNoneMatch === undefined || !has(ifNoneMatch)
}

async function accountOf({ db, now }: ScimServerDeps, request: Request): Promise<string> {
  const token = /^Bearer +(?<token>msc_[0-9A-Za-z]{43})$/i.exec(request.headers.get('authorization') ?? '')?.groups?.['token']
  const accountId = token === undefined ? undefined : await findScimAccount(db, digestOf(token), now())
  if (accountId === undefined) throw new ScimFault(401, 'Send the token of provisioning as Authorization: Bearer msc_….')
  return accountId
}

async function bodyOf(request: Request): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'DELETE') return undefined
  const text = await request.text()
  try {
    const body: unknown = JSON.parse(text)
    return body
  } catch {
    throw new ScimFault(400, 'The body is not JSON.', 'invalidSyntax')
  }
}

function notAllowed(method: string): ScimFault {
  return new ScimFault(405, `${method} is not possible here.`)
}

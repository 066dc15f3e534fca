import { normaliseEmail } from '#modules/identity/model.ts'
import type { Executor } from '#modules/identity/store.ts'
import { fromTypeId } from '#platform/ids.ts'
import { resultsMax } from './scim-discovery.ts'
import { invalidValue, ScimFault } from './scim-fault.ts'
import { parseFilter, passes, type ScimFilter } from './scim-filter.ts'
import { findScimGroups, listScimGroups, type ScimGroupHead } from './scim-group-store.ts'
import { groupResource, headResource, type Resource, userResource } from './scim-resources.ts'
import { countScimUsers, findScimUsers } from './scim-user-store.ts'

/** The parameters of a request (RFC 7644, sections 3.4.2 and 3.9). */
export interface ScimQuery {
  readonly filter: ScimFilter | undefined
  /** Counted from 1. */
  readonly startIndex: number
  readonly count: number
  /** In lower case, without sub-attributes. */
  readonly attributes: ReadonlySet<string>
  readonly excluded: ReadonlySet<string>
}

/** A filter that no index serves reads at most so many resources. */
const scannedMax = 10_000

export function readQuery(query: URLSearchParams): ScimQuery {
  const filter = query.get('filter')
  return {
    filter: filter === null || filter === '' ? undefined : parseFilter(filter),
    startIndex: Math.max(1, integerOf(query, 'startIndex') ?? 1),
    count: Math.min(resultsMax, Math.max(0, integerOf(query, 'count') ?? 100)),
    attributes: namesOf(query.get('attributes')),
    excluded: namesOf(query.get('excludedAttributes')),
  }
}

interface Found {
  readonly found: readonly Resource[]
  readonly total: number
}

export async function listUsers(tx: Executor, accountId: string, query: ScimQuery, base: string): Promise<Found> {
  const { filter, startIndex, count } = query
  if (filter === undefined) {
    const users = await findScimUsers(tx, accountId, { offset: startIndex - 1, limit: count })
    return { found: users.map((user) => userResource(user, base)), total: await countScimUsers(tx, accountId) }
  }
  const condition = indexed(filter)
  if (condition === 'none') return { found: [], total: 0 }
  const users = await findScimUsers(tx, accountId, { ...condition, limit: scannedMax + 1 })
  return pageOf(
    users.map((user) => userResource(user, base)),
    query,
  )
}

/** Members are read only of the groups that are shown with them, and of those that a filter of members leaves. */
export async function listGroups(tx: Executor, accountId: string, query: ScimQuery, base: string): Promise<Found> {
  const { filter } = query
  const heads = await listScimGroups(tx, accountId)
  const ofHead = filter === undefined ? undefined : headFilter(filter)
  const passing = heads.filter((head) => ofHead === undefined || passes(ofHead, headResource(head, base, {})))
  const withMembers = async (groups: readonly ScimGroupHead[]) => {
    const ids = groups.map(({ id }) => id)
    if (ids.length === 0) return []
    return (await findScimGroups(tx, accountId, ids)).map((group) => groupResource(group, base))
  }
  if (filter !== ofHead) return pageOf(await withMembers(passing), query)
  const page = sliceOf(passing, query)
  const found = isShown('members', query) ? await withMembers(page) : page.map((head) => headResource(head, base, {}))
  return { found, total: passing.length }
}

/** What a filter demands of a group without its members and its version; the filter itself when that is everything. */
function headFilter(filter: ScimFilter): ScimFilter | undefined {
  switch (filter.kind) {
    case 'and': {
      const [left, right] = [headFilter(filter.left), headFilter(filter.right)]
      if (left === filter.left && right === filter.right) return filter
      return left === undefined || right === undefined ? (left ?? right) : { kind: 'and', left, right }
    }
    case 'or':
      return headFilter(filter.left) === filter.left && headFilter(filter.right) === filter.right ? filter : undefined
    case 'not':
      return headFilter(filter.of) === filter.of ? filter : undefined
    case 'present':
    case 'compare':
    case 'some':
      return /^(?:members|meta)\b/.test(filter.path) ? undefined : filter
  }
}

/** Whether the caller asks for an attribute, whose name is in lower case. */
export function isShown(name: string, { attributes, excluded }: ScimQuery): boolean {
  return attributes.size > 0 ? attributes.has(name) : !excluded.has(name)
}

function pageOf(resources: readonly Resource[], query: ScimQuery): Found {
  const { filter } = query
  if (resources.length > scannedMax)
    throw new ScimFault(400, `Over ${scannedMax} resources: filter by userName, externalId or id.`, 'tooMany')
  const passing = filter === undefined ? resources : resources.filter((resource) => passes(filter, resource))
  return { found: sliceOf(passing, query), total: passing.length }
}

function sliceOf<T>(all: readonly T[], { startIndex, count }: ScimQuery): readonly T[] {
  return all.slice(startIndex - 1, startIndex - 1 + count)
}

/** What an index can answer of a filter: directories ask by one attribute. */
function indexed(filter: ScimFilter): { readonly email?: string; readonly externalId?: string; readonly id?: string } | 'none' {
  if (filter.kind === 'and') {
    const left = indexed(filter.left)
    return left === 'none' || Object.keys(left).length > 0 ? left : indexed(filter.right)
  }
  if (filter.kind !== 'compare' || filter.by !== 'eq' || typeof filter.value !== 'string') return {}
  if (filter.path === 'username') return { email: normaliseEmail(filter.value) }
  if (filter.path === 'externalid') return { externalId: filter.value }
  if (filter.path !== 'id') return {}
  const id = fromTypeId('usr', filter.value)
  return id === undefined ? 'none' : { id }
}

function integerOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^-?\d{1,9}$/.test(text)) throw invalidValue(`${name} must be a number.`)
  return Number(text)
}

function namesOf(text: string | null): ReadonlySet<string> {
  const names = (text ?? '').split(',').map(
    (name) =>
      name
        .trim()
        .replace(/^urn:.*:/, '')
        .split('.')[0]
        ?.toLowerCase() ?? '',
  )
  return new Set(names.filter((name) => name !== '').slice(0, 100))
}

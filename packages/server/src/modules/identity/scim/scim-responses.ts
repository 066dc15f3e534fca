import { errorCatalogue, Fault } from '@millrace/contract'
import { isTaken } from '#platform/db/is-taken.ts'
import { ScimFault } from './scim-fault.ts'
import { isShown, type ScimQuery } from './scim-lists.ts'
import { type Resource, versionOf } from './scim-resources.ts'

const type = 'application/scim+json; charset=utf-8'

export function respondScim(status: number, body?: Resource): Response {
  if (body === undefined) return new Response(null, { status })
  const version = versionOf(body)
  const headers = {
    'content-type': type,
    'cache-control': 'no-store',
    ...(version === 'undefined' || version === '' ? {} : { etag: version }),
  }
  return new Response(JSON.stringify(body), { status, headers: { ...headers, ...locationOf(status, body) } })
}

function locationOf(status: number, { meta }: Resource): Record<string, string> {
  if (status !== 201 || typeof meta !== 'object' || meta === null || !('location' in meta)) return {}
  return { location: String(meta.location) }
}

/** The response of RFC 7644, section 3.12; throws every error that no caller can cause. */
export function faultResponse(error: unknown): Response {
  const fault = knownFault(error)
  if (!(fault instanceof ScimFault)) throw error
  const { status, message, scimType } = fault
  const body = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    detail: message,
    ...(scimType === undefined ? {} : { scimType }),
  }
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': type, ...challenge } })
}

function knownFault(error: unknown): unknown {
  if (error instanceof Fault) return new ScimFault(errorCatalogue[error.code].status, error.message)
  // A user of another account, which this transaction does not see, has the address.
  return isTaken(error) ? new ScimFault(409, 'A user with this address exists.', 'uniqueness') : error
}

/** The attributes of a resource that the caller asks for; `schemas`, `id` and `meta` are always among them. */
export function shown(resource: Resource, query: ScimQuery): Resource {
  const always = new Set(['schemas', 'id', 'meta'])
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => {
      const lower = name.toLowerCase()
      return always.has(lower) || isShown(lower, query)
    }),
  )
}

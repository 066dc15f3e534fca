import * as z from 'zod'
import { connectionKinds } from '#src/connection-kinds.ts'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { Connection, ConnectionName, ConnectionSecrets, ConnectionSettings, connectionStates, ExpiresAt } from './connection-schemas.ts'

const base = { stability: 'beta', rateLimit: 'default', errors: [] } as const
const writes = { ...base, auth: { scope: 'connections:write' }, role: 'member' } as const
const path = '/api/v1/connections'
const byId = z.object({ id: typeId('conn') })
const Description = z.string().max(500)

const list = operation({
  ...base,
  id: 'connections.list',
  method: 'GET',
  path,
  summary: 'List connections',
  description: 'Without their secrets.',
  auth: { scope: 'connections:read' },
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject({
    ...listQuery,
    kind: z.enum(connectionKinds).optional(),
    state: z.enum(connectionStates).optional(),
  }),
  reply: listPage(Connection),
})

const create = operation({
  ...writes,
  id: 'connections.create',
  method: 'POST',
  path,
  summary: 'Create a connection',
  description:
    'The connection is tested. It is created also when the test fails, and says so in `state` and `problem`. A connection of OAuth with `authorization_code` waits for `connections.authorize`.',
  audit: 'connection.created',
  idempotency: 'keyed',
  replyHeaders: ['ETag', 'Location'],
  body: z.strictObject({
    name: ConnectionName,
    description: Description.default(''),
    settings: ConnectionSettings,
    secrets: ConnectionSecrets.default({}),
    expiresAt: ExpiresAt.default(null),
  }),
  reply: Connection,
  errors: ['conflict'],
})

const get = operation({
  ...base,
  id: 'connections.get',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Read a connection',
  auth: { scope: 'connections:read' },
  audit: 'none',
  idempotency: 'natural',
  replyHeaders: ['ETag'],
  params: byId,
  reply: Connection,
})

const update = operation({
  ...writes,
  id: 'connections.update',
  method: 'PUT',
  path: `${path}/{id}`,
  summary: 'Change a connection',
  description:
    'Members that are left out stay. New `settings` need the `secrets` again, so that kept secrets cannot be sent to another place. A connection keeps its kind.',
  audit: 'connection.updated',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  params: byId,
  body: z.strictObject({
    name: ConnectionName.optional(),
    description: Description.optional(),
    settings: ConnectionSettings.optional(),
    secrets: ConnectionSecrets.optional(),
    expiresAt: ExpiresAt.optional(),
  }),
  reply: Connection,
  errors: ['conflict'],
})

const remove = operation({
  ...writes,
  id: 'connections.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a connection',
  audit: 'connection.deleted',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  params: byId,
  reply: z.object({ id: typeId('conn'), deleted: z.literal(true) }),
})

const test = operation({
  ...writes,
  id: 'connections.test',
  method: 'POST',
  path: `${path}/{id}/test`,
  summary: 'Test a connection',
  description:
    'Connects with the credentials as a workflow would, and changes nothing at the service. A connection that is changed meanwhile keeps what its last test found.',
  audit: 'connection.tested',
  idempotency: 'keyed',
  params: byId,
  reply: Connection,
  errors: ['revision_mismatch'],
})

const authorize = operation({
  ...writes,
  id: 'connections.authorize',
  method: 'POST',
  path: `${path}/{id}/authorize`,
  summary: 'Begin the consent to a connection of OAuth',
  description:
    'Open `authorizationUrl` in a browser. The service then redirects to the page `/connections/callback`, which passes `state` and `code` to `connections.complete`. Only the user who began it can complete it, within ten minutes.',
  audit: 'connection.authorization_begun',
  idempotency: 'keyed',
  params: byId,
  reply: z.object({ authorizationUrl: z.url(), redirectUri: z.url(), expiresAt: z.iso.datetime() }),
  errors: ['conflict'],
})

const complete = operation({
  ...writes,
  id: 'connections.complete',
  method: 'POST',
  path: '/api/v1/connection-authorizations',
  summary: 'Complete the consent to a connection of OAuth',
  description: 'Takes what the service added to the address of the callback, and exchanges the code for tokens.',
  audit: 'connection.authorized',
  idempotency: 'keyed',
  transaction: 'own',
  body: z.strictObject({ state: z.string().min(1).max(500), code: z.string().min(1).max(4_000) }),
  reply: Connection,
  errors: ['conflict'],
})

/** Credentials of services that workflows use by name. */
export const connections = { list, create, get, update, delete: remove, test, authorize, complete } as const

import * as z from 'zod'
import { connectionKinds } from '#src/connection-kinds.ts'
import { typeId } from '#src/ids.ts'
import { JsonObject, JsonValue } from '#src/json.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { Licence } from './marketplace-schemas.ts'

const documentBytesMax = 4 * 1024 * 1024

export const accountConnectorKinds = ['manifest', 'openapi', 'mcp'] as const
export const submissionKinds = ['manifest', 'openapi'] as const
export const submissionStates = ['pending', 'approved', 'rejected', 'withdrawn'] as const

const exampleManifest = {
  connector: '1.0',
  title: 'Parcel tracking',
  servers: ['https://api.parcels.example'],
  authentication: { kind: 'bearer' },
  operations: [
    { name: 'track', summary: 'Where a parcel is.', method: 'get', path: '/parcels/{number}', parameters: { number: { in: 'path' } } },
  ],
}

const Check = z
  .object({ name: z.string(), severity: z.enum(['warning', 'info']), detail: z.string(), pointer: z.string() })
  .meta({ id: 'ConnectorCheck' })

const Submission = z
  .object({
    id: typeId('csub'),
    name: z.string(),
    title: z.string(),
    kind: z.enum(submissionKinds),
    version: z.string(),
    summary: z.string(),
    licence: Licence,
    homepage: z.string().nullable(),
    hosts: z.array(z.string()),
    operations: z.array(z.object({ name: z.string(), method: z.string(), path: z.string(), summary: z.string() })).describe('At most 100.'),
    operationCount: z.int(),
    checksum: z.string().describe('SHA-256 of the document, in hexadecimal.'),
    checks: z.array(Check).describe('What the automatic checks noticed and did not refuse.'),
    state: z.enum(submissionStates),
    reason: z.string().nullable(),
    own: z.boolean().describe('Whether the account of the caller proposed it.'),
    revision: z.int(),
    createdAt: z.iso.datetime(),
    decidedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ConnectorSubmission' })

const base = { stability: 'beta', rateLimit: 'default' } as const
const path = '/api/v1/connector-submissions'

const list = operation({
  ...base,
  id: 'connectorSubmissions.list',
  method: 'GET',
  path,
  summary: 'List the proposed connectors',
  description: 'Those of the account; operators see those of every account.',
  auth: { scope: 'connectors:read' },
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject({ ...listQuery, state: z.enum(submissionStates).optional() }),
  reply: listPage(Submission),
  errors: [],
})

const create = operation({
  ...base,
  id: 'connectorSubmissions.create',
  method: 'POST',
  path,
  summary: 'Propose a connector',
  description:
    'Takes a manifest or an OpenAPI 3 document and checks it: form, size, hosts, references, secrets and hostile content. Everything that is wrong is reported at once. An operator then approves or rejects it; an approved one is in the list of connectors.',
  auth: { scope: 'connectors:write' },
  role: 'member',
  audit: 'connector.submitted',
  idempotency: 'keyed',
  bodyLimit: 2 * documentBytesMax,
  replyHeaders: ['ETag'],
  body: z.strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{1,62}$/, {
        error: 'Must be a lower-case letter, followed by letters, digits and hyphens; at most 63 characters.',
      })
      .meta({ examples: ['parcel-tracking'] }),
    kind: z.enum(submissionKinds),
    summary: z
      .string()
      .trim()
      .min(10)
      .max(500)
      .meta({ examples: ['Follows parcels of Parcel Example.'] }),
    licence: Licence,
    homepage: z
      .url({ protocol: /^https$/ })
      .max(500)
      .optional(),
    document: z
      .union([z.string().min(2).max(documentBytesMax), JsonObject])
      .meta({ description: 'The manifest or OpenAPI document, as an object or as text in YAML or JSON.', examples: [exampleManifest] }),
  }),
  reply: Submission,
  errors: ['conflict', 'connector_invalid'],
})

const decide = operation({
  ...base,
  id: 'connectorSubmissions.decide',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Approve, reject or withdraw a proposed connector',
  description: 'An operator approves or rejects it, with a reason; the account that proposed it may withdraw it.',
  auth: { scope: 'connectors:write' },
  role: 'member',
  audit: 'connector.decided',
  idempotency: 'natural',
  transaction: 'own',
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  params: z.object({ id: typeId('csub') }),
  body: z.strictObject({
    state: z.enum(['approved', 'rejected', 'withdrawn']),
    reason: z.string().trim().min(1).max(1_000).optional().describe('Required to reject.'),
  }),
  reply: Submission,
  errors: ['conflict', 'forbidden'],
})

const Connector = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.string(),
    title: z.string(),
    summary: z.string(),
    kind: z.enum(['function', 'code', ...accountConnectorKinds]),
    origin: z
      .object({
        kind: z.enum(['account', 'built-in', 'submission']),
        submissionId: typeId('csub').nullable(),
        licence: z.string(),
        approvedAt: z.iso.datetime().nullable(),
        checksum: z.string().nullable(),
      })
      .describe('Where it comes from.'),
    hosts: z.array(z.string()),
    inputSchema: JsonValue.nullable().describe('Of a function.'),
    document: JsonValue.nullable().describe('Of a submission: as it was approved. Only in the response for one connector.'),
    access: z
      .object({
        kind: z.enum(connectionKinds),
        settings: JsonObject.describe('The members of the settings of a connection that are known.'),
        keyUrl: z.url().nullable().describe('Where a person gets the credentials.'),
      })
      .nullable()
      .describe(
        'What a connection for it is. Null where it needs none or its document does not say; of other connectors than those of the installation only in the response for one connector.',
      ),
  })
  .meta({ id: 'Connector' })

const catalogue = operation({
  ...base,
  id: 'connectors.list',
  method: 'GET',
  path: '/api/v1/connectors',
  summary: 'List the connectors',
  description:
    'The connectors of the account first, then the functions and connectors of the installation, then the approved connectors, newest first.',
  auth: { scope: 'connectors:read' },
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  query: z.strictObject({ ...listQuery, q: z.string().trim().min(1).max(100).optional() }),
  reply: listPage(Connector),
  errors: [],
})

const read = operation({
  ...base,
  id: 'connectors.get',
  method: 'GET',
  path: '/api/v1/connectors/{id}',
  summary: 'Read a connector',
  auth: { scope: 'connectors:read' },
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  params: z.object({
    id: z
      .string()
      .max(100)
      .describe('Name of a function or connector of the installation, or id of a connector of the account or of a submission.'),
  }),
  reply: Connector,
  errors: [],
})

const source = {
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .describe('Address of the document, or of the MCP server.'),
  document: z
    .union([z.string().min(2).max(documentBytesMax), JsonObject])
    .optional()
    .describe('The document, in place of its address.'),
  connection: z.string().max(63).optional().describe('Name of a connection, for an MCP server that asks for credentials.'),
}

const createOwn = operation({
  ...base,
  id: 'connectors.create',
  method: 'POST',
  path: '/api/v1/connectors',
  summary: 'Add a connector to the account',
  description:
    'Makes the operations of an OpenAPI 3 document or manifest, or the tools of an MCP server over HTTP, functions that definitions call by `name.operation`. Nothing has to be approved, since only this account can call it.',
  auth: { scope: 'connectors:write' },
  role: 'member',
  audit: 'connector.created',
  idempotency: 'keyed',
  bodyLimit: 2 * documentBytesMax,
  body: z.strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{1,62}$/, {
        error: 'Must be a lower-case letter, followed by letters, digits and hyphens; at most 63 characters.',
      })
      .meta({ examples: ['petstore'] }),
    kind: z.enum(accountConnectorKinds),
    ...source,
  }),
  reply: Connector,
  errors: ['conflict', 'connector_invalid'],
})

const replaceOwn = operation({
  ...base,
  id: 'connectors.replace',
  method: 'PUT',
  path: '/api/v1/connectors/{id}',
  summary: 'Read the document or MCP server of a connector again',
  description:
    'Without `url` and `document`, the address that it was made from is read again. Published versions call the functions as they were described then.',
  auth: { scope: 'connectors:write' },
  role: 'member',
  audit: 'connector.replaced',
  idempotency: 'natural',
  bodyLimit: 2 * documentBytesMax,
  params: z.object({ id: typeId('ctor') }),
  body: z.strictObject(source),
  reply: Connector,
  errors: ['conflict', 'connector_invalid'],
})

const removeOwn = operation({
  ...base,
  id: 'connectors.delete',
  method: 'DELETE',
  path: '/api/v1/connectors/{id}',
  summary: 'Delete a connector of the account',
  description: 'Calls of its functions fail from then on.',
  auth: { scope: 'connectors:write' },
  role: 'member',
  audit: 'connector.deleted',
  idempotency: 'natural',
  params: z.object({ id: typeId('ctor') }),
  reply: z.object({ id: typeId('ctor'), deleted: z.literal(true) }),
  errors: [],
})

/** Connectors that users propose and operators approve. */
export const connectorSubmissions = { list, create, decide } as const

/** Everything that a definition can connect to by name. */
export const connectors = { list: catalogue, get: read, create: createOwn, replace: replaceOwn, delete: removeOwn } as const

import { bodyLimitDefault, documentTypes, eventBatchType, eventType, formType, pathParameters } from '#src/derived.ts'
import type { AnyOperation, RequestHeader } from '#src/operation.ts'
import { permitsRole, scopesOfRole } from '#src/role-scopes.ts'
import { type Role, roles } from '#src/roles.ts'
import type { Scope } from '#src/scopes.ts'
import { exampleOf } from './example.ts'
import { isNode, type SchemaCollector, type SchemaNode } from './json-schema.ts'
import { responsesOf } from './responses.ts'

const requestHeaderTexts: Readonly<Record<RequestHeader, string>> = {
  'If-Match': 'The `ETag` that was read: the change is refused with 409 if the resource has changed since.',
  'If-Range': 'The `ETag` of the part that the caller has: the whole file is sent if it is another one by now.',
  'Last-Event-ID': 'The `id` of the last event received: the stream continues after it.',
  Prefer: '`wait=N` (RFC 7240): wait up to N seconds for the end.',
  Range:
    'One range of bytes, such as `bytes=1048576-` (RFC 9110). The whole file is sent for several, and for one that the file does not have.',
}

/** One operation of the document. */
export function describeOperation(op: AnyOperation, schemas: SchemaCollector): SchemaNode {
  const parameters = parametersOf(op, schemas)
  return {
    operationId: op.id,
    tags: [tagOf(op)],
    summary: op.summary,
    ...(op.description === undefined ? {} : { description: op.description }),
    security: op.auth === 'public' ? [] : [{ bearer: [op.auth.scope] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(op.body === undefined ? {} : { requestBody: requestBodyOf(op, schemas) }),
    ...(op.rawBody === undefined ? {} : { requestBody: rawBody }),
    ...(op.streamedBody === undefined ? {} : { requestBody: streamedBody }),
    responses: responsesOf(op, schemas),
    'x-stability': op.stability,
    'x-rate-limit-class': op.rateLimit,
    ...(op.flag === undefined ? {} : { 'x-feature-flag': op.flag }),
    ...(op.gate === undefined ? {} : { 'x-owner-gate': op.gate }),
    ...(op.consent === undefined ? {} : { 'x-consent': op.consent }),
    ...(op.role === undefined ? {} : { 'x-required-role': op.role }),
    ...(op.auth === 'public' || op.role === 'operator' ? {} : { 'x-allowed-roles': rolesOf(op, op.auth.scope) }),
    ...('aliasOf' in op ? { 'x-alias-of': op.aliasOf } : {}),
  }
}

function rolesOf(op: AnyOperation, scope: Scope): readonly Role[] {
  return roles.filter((role) => scopesOfRole(role).has(scope) && permitsRole(op, role))
}

const rawBody = {
  description: 'Exactly the bytes that the signature covers.',
  content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
}

const streamedBody = {
  description: 'The bytes of the file, with its media type.',
  content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
}

/** The resource that an operation belongs to, in kebab-case. */
export function tagOf(op: AnyOperation): string {
  return op.id.slice(0, op.id.indexOf('.')).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function parametersOf(op: AnyOperation, schemas: SchemaCollector): readonly SchemaNode[] {
  const params = op.params === undefined ? {} : schemas.of(op.params, 'input')
  const query = op.query === undefined ? {} : schemas.of(op.query, 'input')
  const required = Array.isArray(query.required) ? query.required : []
  return [
    ...pathParameters(op).map((name) => parameter('path', name, true, membersOf(params)[name])),
    ...Object.entries(membersOf(query)).map(([name, schema]) => parameter('query', name, required.includes(name), schema)),
    ...(op.requestHeaders ?? []).map((name) => headerParameter(name, requestHeaderTexts[name])),
    ...(op.cloudEvents === undefined ? [] : binaryModeHeaders),
    ...(op.method === 'POST' ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
  ]
}

function parameter(where: 'path' | 'query', name: string, required: boolean, schema: unknown): SchemaNode {
  const { description, ...rest } = isNode(schema) ? schema : { type: 'string' }
  return { name, in: where, required, ...(description === undefined ? {} : { description }), schema: rest }
}

export function headerParameter(name: string, description: string): SchemaNode {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } }
}

const binaryModeHeaders = ['specversion', 'id', 'source', 'type', 'time', 'subject'].map((name) =>
  headerParameter(`ce-${name}`, `The attribute \`${name}\` of the event in binary mode, in which the body is the data.`),
)

function membersOf(schema: SchemaNode): SchemaNode {
  return isNode(schema.properties) ? schema.properties : {}
}

function requestBodyOf(op: AnyOperation, schemas: SchemaCollector): SchemaNode {
  const schema = schemas.of(op.body, 'input')
  const example = exampleOf(schema, schemas.components, 'required')
  const { document } = op
  const one = eventOf(op, schema)
  const limit = op.bodyLimit ?? bodyLimitDefault
  return {
    description: `At most ${limit / 1024} KiB.`,
    required: Array.isArray(schema.required) && schema.required.length > 0,
    content: {
      'application/json': {
        schema: anyOf([
          schema,
          ...(document === undefined
            ? []
            : [{ type: 'object', title: 'The document itself', required: [document.mark], additionalProperties: true }]),
          ...(one === undefined ? [] : [one.single, one.batch]),
        ]),
        example,
      },
      ...(one === undefined
        ? {}
        : {
            [eventType]: { schema: one.single },
            [eventBatchType]: { schema: one.batch },
            '*/*': { schema: { title: 'Data of an event in binary mode' } },
          }),
      ...(op.form === undefined ? {} : { [formType]: { schema } }),
      ...(document === undefined
        ? {}
        : Object.fromEntries(documentTypes.slice(0, 1).map((type) => [type, { schema: { type: 'string' } }]))),
    },
  }
}

function anyOf(schemas: readonly SchemaNode[]): SchemaNode {
  const [only, ...others] = schemas
  return only !== undefined && others.length === 0 ? only : { anyOf: schemas }
}

/** The schema of one event and that of a batch, taken from the member for events. */
function eventOf(op: AnyOperation, body: SchemaNode): { readonly single: SchemaNode; readonly batch: SchemaNode } | undefined {
  const batch = op.cloudEvents === undefined ? undefined : membersOf(body)[op.cloudEvents.field]
  return isNode(batch) && isNode(batch.items) ? { single: batch.items, batch } : undefined
}

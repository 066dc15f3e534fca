import { errorsOf } from '#src/derived.ts'
import { type ErrorCode, errorCatalogue, errorCodes } from '#src/errors.ts'
import type { AnyOperation } from '#src/operation.ts'
import { exampleOf } from './example.ts'
import { type HeaderName, headerReferences } from './headers.ts'
import type { SchemaCollector, SchemaNode } from './json-schema.ts'

const problemReference = { $ref: '#/components/schemas/Problem' }

/** All responses of an operation: success as 200, and each error by its status with an example. */
export function responsesOf(op: AnyOperation, schemas: SchemaCollector): SchemaNode {
  const reply = schemas.of(op.reply, 'output')
  const more: HeaderName[] = [
    ...(op.replyHeaders ?? []),
    ...(op.idempotency === 'natural' ? [] : (['Idempotent-Replayed'] as const)),
    ...(op.media === undefined || op.media === 'text/event-stream' ? [] : (['Content-Disposition'] as const)),
  ]
  const responses: Record<string, SchemaNode> = {
    '200': {
      description: 'Success.',
      headers: headerReferences(more),
      content: {
        [op.media ?? 'application/json']: { schema: reply, example: exampleOf(reply, schemas.components, 'all') },
        ...(op.otherMedia === undefined ? {} : { [op.otherMedia]: { schema: { type: 'string' } } }),
      },
    },
  }
  if (op.requestHeaders?.includes('Range') === true)
    responses['206'] = {
      description: 'The part of the file that `Range` names.',
      headers: headerReferences([...more, 'Content-Range']),
      content: { [op.media ?? 'application/json']: { schema: reply } },
    }
  const byStatus = Map.groupBy(errorsOf(op), (code) => errorCatalogue[code].status)
  for (const [status, codes] of [...byStatus].toSorted(([a], [b]) => a - b)) responses[String(status)] = errorResponse(status, codes)
  return responses
}

function errorResponse(status: number, codes: readonly ErrorCode[]): SchemaNode {
  const more: HeaderName[] = status === 401 ? ['WWW-Authenticate'] : status === 429 || status === 503 ? ['Retry-After'] : []
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].detail}`).join('\n\n'),
    headers: headerReferences(more),
    content: {
      'application/problem+json': {
        schema: problemReference,
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

/** An example of every error, as `components.examples`. */
export function errorExamples(): SchemaNode {
  return Object.fromEntries(errorCodes.map((code) => [code, { summary: errorCatalogue[code].title, value: exampleProblem(code) }]))
}

function exampleProblem(code: ErrorCode): SchemaNode {
  const { status, title, detail } = errorCatalogue[code]
  return {
    type: `/docs#error-${code}`,
    title,
    status,
    detail,
    instance: '/api/v1/workflows',
    code,
    requestId: '0b9f6a52-6f0e-4c55-9d0b-2f6d7c1f7a11',
    ...(code === 'request_invalid' ? { errors: [{ pointer: '/name', detail: 'Is required.' }] } : {}),
  }
}

import { scopeCatalogue, scopes } from '#src/scopes.ts'
import type { OperationGroup } from '#src/operation.ts'
import { Problem } from '#src/problem.ts'
import { headerComponents } from './headers.ts'
import { createSchemaCollector, type SchemaNode } from './json-schema.ts'
import { describeOperation, headerParameter, tagOf } from './operations.ts'
import { errorExamples } from './responses.ts'

/** Version of the interface, which is not that of the software. */
export const interfaceVersion = '7.0.0'

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string; readonly license: SchemaNode }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, SchemaNode>>>>
  readonly components: Readonly<Record<string, SchemaNode>>
}

const tagTexts: Readonly<Record<string, string>> = {
  health: 'Health of the installation and its parts.',
  system: 'The whole installation, for operators.',
  auth: 'Accounts, sessions and the signed-in user.',
  'api-keys': 'Keys for programs. A key cannot create keys.',
  workflows: 'Workflows, their versions, and their executions.',
  execute: 'Running a workflow like a function.',
  executions: 'Controlling executions and watching them live.',
  approvals: 'Questions of waiting tasks to people, and their answers.',
  events: 'Events of the account, as CloudEvents.',
  'event-subscriptions': 'Subscriptions, which deliver events to URLs, signed.',
  queue: 'Dead letters: work that is not retried any more, and its replay.',
}

const introduction = `Millrace runs workflows durably. Send \`Authorization: Bearer\` with an access token (\`/api/v1/auth/login\`) or an API key.

- Success is always **200** (206 for a part of a file); errors are RFC 9457 problems (\`application/problem+json\`) whose \`code\` is stable.
- Lists return \`{ data, nextCursor }\`, newest first; send \`nextCursor\` as \`cursor\` for the next page.
- Every POST takes an \`Idempotency-Key\`: the first response is kept for a day and returned again, with \`Idempotent-Replayed: true\`.
- Every response has \`X-Request-ID\` and \`RateLimit-*\` fields.
- Times are RFC 3339 in UTC, durations ISO 8601.
- Numbers are doubles. An integer beyond 2^53 that would lose digits, or a number outside the range of a double, is refused with a 400 that points to it; send such numbers as text.`

/** The published description of the given groups of operations. */
export function toOpenApi(groups: Readonly<Record<string, OperationGroup>>, serverUrl = '/'): OpenApiDocument {
  const schemas = createSchemaCollector()
  const paths: Record<string, Record<string, SchemaNode>> = {}
  const tags = new Set<string>()
  schemas.of(Problem, 'output')
  const operations = Object.values(groups).flatMap((group) => Object.values(group))
  // Responses first: where the request form of a type differs from its response form, the response form has the plain name.
  for (const op of operations) schemas.of(op.reply, 'output')
  for (const op of operations) {
    tags.add(tagOf(op))
    const entry = (paths[op.path] ??= {})
    entry[op.method.toLowerCase()] = describeOperation(op, schemas)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace',
      version: interfaceVersion,
      description: introduction,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: [...tags].map((name) => ({ name, ...(tagTexts[name] === undefined ? {} : { description: tagTexts[name] }) })),
    paths,
    components: {
      schemas: schemas.components,
      examples: errorExamples(),
      headers: headerComponents,
      parameters: {
        'Idempotency-Key': headerParameter(
          'Idempotency-Key',
          'A value of 1 to 255 characters that names this request: a repetition with the same key has no further effect and gets the first response.',
        ),
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: `A JWT access token or an API key.\n\n${scopes.map((scope) => `- \`${scope}\`: ${scopeCatalogue[scope].description}`).join('\n')}`,
        },
      },
    },
  }
}

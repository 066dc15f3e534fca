import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { grantableScopes, isScope, workflowKeyScopes } from '#src/scopes.ts'
import { Duration, Timestamp } from '#src/time.ts'

const ApiKey = z
  .object({
    id: typeId('key'),
    name: z.string(),
    start: z.string().describe('The first characters of the secret, to recognise the key.'),
    scopes: z.array(z.enum(grantableScopes)),
    workflowIds: z
      .array(typeId('wf'))
      .nullable()
      .describe('The workflows to which the key is limited, without those that were deleted; null: it is not limited.'),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable().describe('Null: the key does not expire.'),
    lastUsedAt: z.iso.datetime().nullable().describe('To the minute; null when the key was never used.'),
  })
  .meta({ id: 'ApiKey' })

const IssuedApiKey = ApiKey.extend({
  secret: z.string().describe('The key itself. It is shown once and not stored: store it now.'),
}).meta({ id: 'IssuedApiKey' })

/** What is wrong with a scope that exists and that no key may have; undefined for any other value. */
function ungrantable(value: unknown): string | undefined {
  if (typeof value !== 'string' || !isScope(value)) return undefined
  return `No API key can have "${value}": only a signed-in person can do this.`
}

const list = operation({
  id: 'apiKeys.list',
  method: 'GET',
  path: '/api/v1/api-keys',
  summary: 'List the API keys',
  description:
    'Keys of the user that are not revoked, without their secrets; administrators see those of the whole account. API keys cannot call this.',
  stability: 'stable',
  auth: { scope: 'api-keys:manage' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject(listQuery),
  reply: listPage(ApiKey),
  errors: [],
})

const create = operation({
  id: 'apiKeys.create',
  auditors: true,
  method: 'POST',
  path: '/api/v1/api-keys',
  summary: 'Issue an API key',
  description:
    'Issues a key that acts for this user within the given scopes. Only this response contains the secret. API keys cannot call this: a key cannot create keys.',
  stability: 'stable',
  auth: { scope: 'api-keys:manage' },
  rateLimit: 'default',
  audit: 'api_key.issued',
  idempotency: 'keyed',
  body: z.strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .meta({ description: 'What the key is for.', examples: ['deployment'] }),
    scopes: z
      .array(z.enum(grantableScopes, { error: ({ input }) => ungrantable(input) }))
      .min(1)
      .max(grantableScopes.length)
      .meta({ description: 'What the key may do.', examples: [['workflows:read', 'executions:run']] }),
    workflowIds: z
      .array(typeId('wf'))
      .min(1)
      .max(100)
      .optional()
      .describe(
        `Limits the key to these workflows and their executions: it can read, start, watch and control them, and is refused everything else. It can have the scopes ${workflowKeyScopes.join(', ')}.`,
      ),
    expiresAt: Timestamp.nullable().optional().describe('When the key stops working, in the future; never unless given.'),
  }),
  reply: IssuedApiKey,
  errors: ['insufficient_role', 'conflict'],
})

const revoke = operation({
  id: 'apiKeys.revoke',
  auditors: true,
  method: 'DELETE',
  path: '/api/v1/api-keys/{id}',
  summary: 'Revoke an API key',
  description: 'The key stops working at once, permanently. Administrators can revoke any key of the account. API keys cannot call this.',
  stability: 'stable',
  auth: { scope: 'api-keys:manage' },
  rateLimit: 'default',
  audit: 'api_key.revoked',
  idempotency: 'natural',
  params: z.object({ id: typeId('key') }),
  reply: z.object({ id: typeId('key'), revoked: z.literal(true) }),
  errors: [],
})

const rotate = operation({
  id: 'apiKeys.rotate',
  auditors: true,
  method: 'POST',
  path: '/api/v1/api-keys/{id}/rotate',
  summary: 'Replace the secret of an API key',
  description:
    'Gives the key a new secret, which only this response contains. The old secret stops working at once, or after `overlap`. Only the user for whom the key acts can do this. API keys cannot call this.',
  stability: 'stable',
  auth: { scope: 'api-keys:manage' },
  rateLimit: 'default',
  audit: 'api_key.rotated',
  idempotency: 'keyed',
  params: z.object({ id: typeId('key') }),
  body: z.strictObject({
    overlap: Duration.optional().describe('How long the old secret keeps working, at most `P7D`; it stops at once unless given.'),
  }),
  reply: IssuedApiKey,
  errors: ['forbidden'],
})

/** Keys for programs. */
export const apiKeys = { list, create, revoke, rotate } as const

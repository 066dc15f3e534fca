import * as z from 'zod'
import { operation } from '#src/operation.ts'
import { provisionedRoles } from './sign-in-providers.ts'

const ScimSettings = z
  .object({
    enabled: z.boolean(),
    baseUrl: z.string().describe('The URL of the tenant, to be entered in the directory.'),
    ...provisionedRoles.reply,
    tokenCreatedAt: z.iso.datetime().nullable().describe('Null while the directory has no token.'),
    tokenUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ScimSettings', description: 'How a directory provisions the account.' })

const path = '/api/v1/account/scim'
const admin = { stability: 'beta', auth: { scope: 'account:security' }, role: 'admin', rateLimit: 'default' } as const

const get = operation({
  ...admin,
  id: 'scim.get',
  method: 'GET',
  path,
  summary: 'Get the settings of provisioning',
  audit: 'none',
  idempotency: 'natural',
  reply: ScimSettings,
  errors: [],
})

const put = operation({
  ...admin,
  id: 'scim.put',
  method: 'PUT',
  path,
  summary: 'Turn provisioning on, or change its settings',
  description:
    'A directory creates, changes and deactivates users by SCIM 2.0 at `baseUrl`, in the verified domains of the account. With `roles`, the groups of the directory decide the role of their members, except of owners.',
  audit: 'scim.configured',
  idempotency: 'natural',
  body: z.strictObject(provisionedRoles.body),
  reply: ScimSettings,
  errors: [],
})

const issueToken = operation({
  ...admin,
  auth: { scope: 'account:security', stepUp: 'PT10M' },
  id: 'scim.issueToken',
  method: 'POST',
  path: `${path}/token`,
  summary: 'Issue the token of the directory',
  description: 'Replaces the former token at once. The token is shown once.',
  audit: 'scim.token_issued',
  idempotency: 'keyed',
  reply: z.object({ token: z.string(), baseUrl: z.string() }),
  errors: ['conflict'],
})

const remove = operation({
  ...admin,
  id: 'scim.delete',
  method: 'DELETE',
  path,
  summary: 'Turn provisioning off',
  description: 'Deletes the token and the groups of the directory. Users stay as they are; deactivated ones stay deactivated.',
  audit: 'scim.deleted',
  idempotency: 'natural',
  reply: z.object({ deleted: z.literal(true) }),
  errors: ['conflict'],
})

/** Provisioning by SCIM 2.0. */
export const scim = { get, put, issueToken, delete: remove } as const

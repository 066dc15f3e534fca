import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { roles } from '#src/roles.ts'

const AccountUser = z
  .object({
    id: typeId('usr'),
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(roles),
    secondFactor: z.boolean().describe('Whether a sign-in of this user asks for a second factor.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AccountUser', description: 'A user of the account.' })

const base = { stability: 'beta', rateLimit: 'default' } as const
const path = '/api/v1/account/users'
const params = z.object({ id: typeId('usr') })

const list = operation({
  ...base,
  id: 'accountUsers.list',
  method: 'GET',
  path,
  summary: 'List the users of the account',
  description: 'The newest first.',
  auth: { scope: 'account:read' },
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject(listQuery),
  reply: listPage(AccountUser).extend({
    former: z
      .array(z.object({ id: typeId('usr'), name: z.string().describe('The last name, or the address without one.') }))
      .optional()
      .describe(
        'Users who were removed from the account, the last first, at most 500; on the first page. One whose personal data was erased is not listed.',
      ),
  }),
  errors: [],
})

const update = operation({
  ...base,
  id: 'accountUsers.update',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Change the role of a user',
  description:
    'Applies from the next request of the user, also to API keys. Only an owner can make an owner or change the role of one, and the account keeps at least one.',
  auth: { scope: 'account:security' },
  role: 'admin',
  audit: 'user.role_changed',
  idempotency: 'natural',
  params,
  body: z.strictObject({ role: z.enum(roles) }),
  reply: AccountUser,
  errors: ['last_owner', 'forbidden'],
})

const remove = operation({
  ...base,
  id: 'accountUsers.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Remove a user from the account',
  description:
    'Deletes the user with all sessions, API keys and identities. Workflows and executions stay. Only an owner can remove an owner. With `reassignTo`, the approvals that wait for this user alone are reassigned in the same step, up to 500; if that user cannot decide one of them, nothing is changed. Your own user is deleted by `DELETE /api/v1/auth/me`. It needs a recent proof of identity (`/api/v1/auth/step-up`).',
  auth: { scope: 'account:security', stepUp: 'PT10M' },
  role: 'admin',
  audit: 'user.removed',
  idempotency: 'natural',
  params,
  query: z.strictObject({
    reassignTo: typeId('usr').optional().describe('Who decides the approvals that wait for the removed user alone.'),
  }),
  reply: z.object({
    id: typeId('usr'),
    deleted: z.literal(true),
    reassigned: z.array(typeId('apr')).optional().describe('The approvals that `reassignTo` decides now.'),
  }),
  errors: ['forbidden', 'conflict'],
})

const transferOwnership = operation({
  ...base,
  id: 'accountUsers.transferOwnership',
  method: 'POST',
  path: `${path}/{id}/transfer-ownership`,
  summary: 'Transfer the ownership of the account',
  description:
    'Makes the user an owner and you an administrator, in one step. It needs a recent proof of identity (`/api/v1/auth/step-up`).',
  auth: { scope: 'account:security', stepUp: 'PT10M' },
  role: 'owner',
  audit: 'account.ownership_transferred',
  idempotency: 'keyed',
  params,
  reply: AccountUser,
  errors: ['conflict', 'forbidden'],
})

const signOut = operation({
  ...base,
  id: 'accountUsers.signOut',
  method: 'POST',
  path: `${path}/{id}/sign-out`,
  summary: 'Sign a user out everywhere',
  description:
    'Ends every session of the user. API keys stay: `DELETE /api/v1/api-keys/{id}` revokes them. Only an owner can sign an owner out.',
  auth: { scope: 'account:security' },
  role: 'admin',
  audit: 'user.signed_out',
  idempotency: 'keyed',
  params,
  reply: z.object({ id: typeId('usr'), sessionsEnded: z.int() }),
  errors: ['forbidden'],
})

/** The users of an account. */
export const accountUsers = { list, update, delete: remove, transferOwnership, signOut } as const

import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { givenRoles } from '#src/roles.ts'
import { Email, Password, SessionDelivery, SignInReply } from './auth-schemas.ts'

const Invitation = z
  .object({
    id: typeId('ivt'),
    email: z.string(),
    role: z.enum(givenRoles),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Invitation', description: 'An invitation to join the account.' })

const base = { stability: 'beta', rateLimit: 'default' } as const
const admin = { ...base, auth: { scope: 'account:security' }, role: 'admin' } as const
const path = '/api/v1/account/invitations'
const params = z.object({ id: typeId('ivt') })

const create = operation({
  ...admin,
  id: 'invitations.create',
  method: 'POST',
  path,
  summary: 'Invite a person',
  description:
    'Sends a link by mail with which the person joins the account with this address and role. It works once, for 7 days. Another invitation of the same address replaces the first. Where the installation has no mail server, no mail is sent: the reply has the `token` to pass on, once, and its use confirms no address. At most 100 invitations are open.',
  transaction: 'own',
  audit: 'invitation.created',
  idempotency: 'keyed',
  body: z.strictObject({ email: Email, role: z.enum(givenRoles).default('member') }),
  reply: Invitation.extend({
    mailed: z.boolean().describe('Whether a mail is on its way. False where the installation has no mail server.'),
    token: z.string().nullable().describe('For `/api/v1/auth/invitations/accept`. Null when it was sent by mail.'),
  }).meta({ id: 'NewInvitation' }),
  errors: ['email_taken', 'conflict', 'quota_exceeded', 'forbidden'],
})

const list = operation({
  ...admin,
  id: 'invitations.list',
  method: 'GET',
  path,
  summary: 'List the open invitations',
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject(listQuery),
  reply: listPage(Invitation),
  errors: [],
})

const revoke = operation({
  ...admin,
  id: 'invitations.revoke',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Revoke an invitation',
  audit: 'invitation.revoked',
  idempotency: 'natural',
  params,
  reply: z.object({ id: typeId('ivt'), deleted: z.literal(true) }),
  errors: [],
})

const inspect = operation({
  ...base,
  id: 'invitations.inspect',
  method: 'POST',
  path: '/api/v1/auth/invitations/inspect',
  summary: 'Read an invitation by its token',
  description:
    'Who invited, to which account and with which role, for the person who has the token. The invitation stays usable. A token that is not valid gets the same error as `invitations.accept`.',
  auth: 'public',
  rateLimit: 'auth',
  audit: 'none',
  idempotency: 'keyed',
  body: z.strictObject({ token: z.string().min(1).max(200) }),
  reply: z
    .object({
      account: z.string().describe('The name of the account.'),
      email: z.string().describe('The address of the invited person.'),
      role: z.enum(givenRoles),
      invitedBy: z
        .object({ name: z.string().nullable(), email: z.string() })
        .nullable()
        .describe('Null if the person has left the account.'),
      expiresAt: z.iso.datetime(),
    })
    .meta({ id: 'InspectedInvitation' }),
  errors: ['link_invalid'],
})

const accept = operation({
  ...base,
  id: 'invitations.accept',
  method: 'POST',
  path: '/api/v1/auth/invitations/accept',
  summary: 'Accept an invitation',
  description:
    'Creates the invited user with a password and signs the user in, or asks for a second factor when the account demands one. The token is the part of the link in the mail after `#token=`. A refused password leaves the invitation usable.',
  auth: 'public',
  rateLimit: 'auth',
  audit: 'invitation.accepted',
  idempotency: 'keyed',
  body: z.strictObject({
    token: z.string().min(1).max(200),
    password: Password,
    name: z.string().trim().min(1).max(200).optional(),
    session: SessionDelivery,
  }),
  reply: SignInReply,
  errors: ['link_invalid', 'email_taken', 'password_unacceptable', 'overloaded', 'quota_exceeded', 'forbidden'],
})

/** Invitations to join an account. */
export const invitations = { create, list, revoke, inspect, accept } as const

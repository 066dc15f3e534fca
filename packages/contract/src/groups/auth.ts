import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonObject } from '#src/json.ts'
import { listPage, listQuery } from '#src/list.ts'
import { alias, operation } from '#src/operation.ts'
import { roles } from '#src/roles.ts'
import { scopes } from '#src/scopes.ts'
import { Email, Password, SessionDelivery, SignedIn, SignInReply, Tokens } from './auth-schemas.ts'

export const Me = z
  .object({
    id: typeId('usr'),
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(roles),
    isOperator: z.boolean().describe('True for operators of the installation.'),
    account: z.object({ id: typeId('acct'), name: z.string() }),
    scopes: z.array(z.enum(scopes)).describe('The scopes of the credential of this request.'),
    credential: z.enum(['session', 'api_key']),
    emailVerified: z.boolean(),
    locale: z.string().nullable().describe('Language tag (BCP 47).'),
    zone: z.string().nullable().describe('Name in the IANA time zone database.'),
    preferences: JsonObject.describe('Settings that programs keep for the user.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Me', description: 'The user behind the credential.' })

const Session = z
  .object({
    jti: typeId('ses'),
    current: z.boolean().describe('True for the session of this request.'),
    device: z.string().nullable().describe('The program that signed in, from its `User-Agent`.'),
    ip: z.string().nullable().describe('Address of the last use of the session.'),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe('When the session ends unless it is used before.'),
  })
  .meta({ id: 'Session' })

const register = operation({
  id: 'auth.register',
  method: 'POST',
  path: '/api/v1/auth/register',
  summary: 'Register an account',
  description: 'Creates an account with its first user, who is its owner, and signs that user in.',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'auth',
  audit: 'account.registered',
  idempotency: 'keyed',
  body: z.strictObject({
    email: Email,
    password: Password,
    name: z.string().trim().min(1).max(200).optional().describe('Name of the person.'),
    accountName: z.string().trim().min(1).max(200).optional().describe('Name of the account; the name of the person unless given.'),
    operatorCode: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('The one-time code that the server printed at its first start: makes this user its operator.'),
    session: SessionDelivery,
  }),
  reply: SignedIn,
  errors: ['email_taken', 'password_unacceptable', 'forbidden', 'overloaded'],
})

const login = operation({
  id: 'auth.login',
  method: 'POST',
  path: '/api/v1/auth/login',
  summary: 'Sign in with e-mail address and password',
  description:
    'Opens a session, or replies with a challenge when the user has a second factor: see `status`. A failure does not reveal whether the address or the password is wrong. With the right password of an account that was deleted and can be restored, it is `account_deleted`.',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'auth',
  audit: 'session.opened',
  idempotency: 'keyed',
  body: z.strictObject({
    email: z
      .string()
      .min(1)
      .max(254)
      .meta({ examples: ['ada@example.com'] }),
    password: Password,
    session: SessionDelivery,
  }),
  reply: SignInReply,
  errors: ['invalid_credentials', 'account_deleted', 'overloaded', 'sign_in_not_permitted'],
})

const refresh = operation({
  id: 'auth.refresh',
  method: 'POST',
  path: '/api/v1/auth/refresh',
  summary: 'Rotate a refresh token',
  description:
    'Exchanges a refresh token for a new pair of tokens. A refresh token works once: using it again, except in the short time of a race, ends the session. Without `refreshToken` the cookie of the session is used and renewed; a page of another origin is refused.',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'refresh',
  audit: 'none',
  idempotency: 'keyed',
  body: z.strictObject({ refreshToken: z.string().min(1).max(512).optional() }),
  reply: Tokens,
  errors: ['refresh_token_invalid', 'forbidden'],
})

const logout = operation({
  id: 'auth.logout',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/logout',
  summary: 'Sign out',
  description: 'Ends the session of this request: neither its access token nor its refresh token is accepted any more.',
  stability: 'stable',
  auth: { scope: 'account:security' },
  rateLimit: 'auth',
  audit: 'session.closed',
  idempotency: 'keyed',
  reply: z.object({ revoked: z.int().describe('How many sessions were ended.') }),
  errors: [],
})

const logoutAll = operation({
  id: 'auth.logoutAll',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/logout-all',
  summary: 'Sign out everywhere',
  description: 'Ends all sessions of the user, including this one. API keys stay valid.',
  stability: 'stable',
  auth: { scope: 'account:security' },
  rateLimit: 'auth',
  audit: 'session.all_closed',
  idempotency: 'keyed',
  reply: z.object({ revoked: z.int().describe('How many sessions were ended.') }),
  errors: [],
})

const sessions = operation({
  id: 'auth.sessions',
  method: 'GET',
  path: '/api/v1/auth/sessions',
  summary: 'List the active sessions',
  description: 'The sessions of the user that have neither ended nor been revoked.',
  stability: 'stable',
  auth: { scope: 'account:security' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject(listQuery),
  reply: listPage(Session),
  errors: [],
})

const revokeSession = operation({
  id: 'auth.revokeSession',
  auditors: true,
  method: 'DELETE',
  path: '/api/v1/auth/sessions/{jti}',
  summary: 'End one session',
  description: 'Ends a session of the user by its `jti`, such as one on a lost device.',
  stability: 'stable',
  auth: { scope: 'account:security' },
  rateLimit: 'default',
  audit: 'session.revoked',
  idempotency: 'natural',
  params: z.object({ jti: typeId('ses') }),
  reply: z.object({ jti: typeId('ses'), revoked: z.literal(true) }),
  errors: [],
})

const me = operation({
  id: 'auth.me',
  method: 'GET',
  path: '/api/v1/auth/me',
  summary: 'Read the signed-in user',
  description: 'The user, the account, and what the credential of this request may do.',
  stability: 'stable',
  auth: { scope: 'account:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  reply: Me,
  errors: [],
})

const deleteMe = operation({
  id: 'auth.deleteMe',
  auditors: true,
  method: 'DELETE',
  path: '/api/v1/auth/me',
  summary: 'Delete the own user',
  description:
    'Deletes the user, with all sessions and API keys. With its only user an account is deleted: its workflows can no longer be started, and running executions are cancelled. Until `restorableUntil` the link in a mail to the user restores the account (`POST /api/v1/auth/me/restore`); then every workflow and execution is deleted. For a copy of the data, make an export by `POST /api/v1/account/export` first. The address can be registered again at once. The audit log keeps its entries, with ids that no longer identify a person. It requires the access token of a session; API keys cannot call this. The session needs a recent proof of identity (`/api/v1/auth/step-up`). The last owner of an account with other users has to make another user its owner first. A user who leaves others behind is deleted at once; an administrator can invite them again.',
  stability: 'stable',
  auth: { scope: 'account:security', stepUp: 'PT10M' },
  rateLimit: 'auth',
  audit: 'user.deleted',
  idempotency: 'natural',
  reply: z.object({
    id: typeId('usr'),
    deleted: z.literal(true),
    restorableUntil: z.iso
      .datetime()
      .nullable()
      .describe('Until when the link in the mail restores the account; null if nothing restores it.'),
  }),
  errors: ['last_owner'],
})

/** Accounts, sessions and the signed-in user. */
export const auth = {
  register,
  login,
  refresh,
  logout,
  logoutAll,
  sessions,
  revokeSession,
  me,
  deleteMe,
  registerUnprefixed: alias(register, { id: 'auth.registerUnprefixed', path: '/auth/register' }),
  loginUnprefixed: alias(login, { id: 'auth.loginUnprefixed', path: '/auth/login' }),
  refreshUnprefixed: alias(refresh, { id: 'auth.refreshUnprefixed', path: '/auth/refresh' }),
  logoutUnprefixed: alias(logout, { id: 'auth.logoutUnprefixed', path: '/auth/logout' }),
  logoutAllUnprefixed: alias(logoutAll, { id: 'auth.logoutAllUnprefixed', path: '/auth/logout-all' }),
  sessionsUnprefixed: alias(sessions, { id: 'auth.sessionsUnprefixed', path: '/auth/sessions' }),
} as const

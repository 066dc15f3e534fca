import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { alias, operation } from '#src/operation.ts'
import { roles } from '#src/roles.ts'
import { scopes } from '#src/scopes.ts'

const Email = z
  .email({ error: 'Must be an e-mail address.' })
  .max(254)
  .meta({ examples: ['ada@example.com'] })

/** Length is bounded here so that nobody makes us hash a book; what makes a password good is judged by the service (ASVS 5.0, 6.2). */
const Password = z
  .string()
  .min(1)
  .max(256)
  .meta({ format: 'password', examples: ['correct horse battery staple'] })

const Me = z
  .object({
    id: typeId('usr'),
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(roles),
    isOperator: z.boolean().describe('True for those who run the installation.'),
    account: z.object({ id: typeId('acct'), name: z.string() }),
    scopes: z.array(z.enum(scopes)).describe('What the credential of this request may do.'),
    credential: z.enum(['session', 'api_key']),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Me', description: 'The user behind the credential.' })

const Tokens = z
  .object({
    accessToken: z.string().describe('JWT; send it as `Authorization: Bearer`.'),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().describe('Seconds until the access token ends.'),
    refreshToken: z.string().describe('Gets the next pair at `/api/v1/auth/refresh`, once. Keep it secret.'),
    refreshExpiresAt: z.iso.datetime(),
    jti: typeId('ses').describe('Id of the session.'),
  })
  .meta({ id: 'Tokens', description: 'An access token and a refresh token of one session.' })

const SignedIn = Tokens.extend({
  user: z.object({ id: typeId('usr'), email: z.string(), name: z.string().nullable(), role: z.enum(roles), accountId: typeId('acct') }),
}).meta({ id: 'SignedIn' })

const Session = z
  .object({
    jti: typeId('ses'),
    current: z.boolean().describe('True for the session of this request.'),
    device: z.string().nullable().describe('What signed in, as far as its `User-Agent` tells.'),
    ip: z.string().nullable().describe('Address that the session was last used from.'),
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
  description: 'Makes an account with its first user, who is its owner, and signs that user in.',
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
  }),
  reply: SignedIn,
  errors: ['email_taken', 'password_unacceptable', 'forbidden', 'overloaded'],
})

const login = operation({
  id: 'auth.login',
  method: 'POST',
  path: '/api/v1/auth/login',
  summary: 'Sign in with e-mail address and password',
  description: 'Opens a session. An unknown address and a wrong password are answered alike.',
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
  }),
  reply: SignedIn,
  errors: ['invalid_credentials', 'overloaded'],
})

const refresh = operation({
  id: 'auth.refresh',
  method: 'POST',
  path: '/api/v1/auth/refresh',
  summary: 'Rotate a refresh token',
  description:
    'Gives a new pair of tokens for a refresh token, which is used up by it. Using one a second time, except in the short moment of a race, ends the session for good.',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'auth',
  audit: 'none',
  idempotency: 'keyed',
  body: z.strictObject({ refreshToken: z.string().min(1).max(512) }),
  reply: Tokens,
  errors: ['refresh_token_invalid'],
})

const logout = operation({
  id: 'auth.logout',
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
  method: 'POST',
  path: '/api/v1/auth/logout-all',
  summary: 'Sign out everywhere',
  description: 'Ends all sessions of the user, this one included. API keys stay.',
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
  summary: 'Tell who is signed in',
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
  method: 'DELETE',
  path: '/api/v1/auth/me',
  summary: 'Delete the own user',
  description:
    'Deletes the user, with all sessions and API keys. The only user of an account takes the account along: its workflows start nothing any more, what runs is cancelled, and when all has ended, every workflow and execution is deleted; the audit log keeps what was done, under ids that lead to nobody. The access token of a session is enough and API keys cannot call this; a program that has a person in front of it should ask them for their password first, by signing in. The last owner of an account that has other users has to make another one first.',
  stability: 'stable',
  auth: { scope: 'account:security' },
  rateLimit: 'auth',
  audit: 'user.deleted',
  idempotency: 'natural',
  reply: z.object({ id: typeId('usr'), deleted: z.literal(true) }),
  errors: ['last_owner'],
})

/** Accounts, sessions, and who is signed in. */
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

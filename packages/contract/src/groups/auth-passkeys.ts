import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { operation } from '#src/operation.ts'
import { Base64url, PasskeyAssertion, SessionDelivery, SignInReply } from './auth-schemas.ts'

const Passkey = z
  .object({
    id: typeId('pky'),
    name: z.string(),
    synced: z.boolean().describe('Whether the device keeps a copy elsewhere, as password managers do.'),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Passkey', description: 'A key pair of a device or password manager that signs in.' })

const PasskeyAttestation = z
  .strictObject({
    id: Base64url,
    rawId: Base64url,
    type: z.literal('public-key'),
    response: z.strictObject({
      clientDataJSON: Base64url,
      attestationObject: Base64url,
      transports: z.array(z.string().max(32)).max(16).optional(),
    }),
  })
  .meta({ id: 'PasskeyAttestation', description: 'What `navigator.credentials.create` gave, after Web Authentication Level 3.' })

const WebAuthnOptions = z
  .record(z.string(), z.unknown())
  .describe('Options for the browser in the JSON form of Web Authentication Level 3, with the `challenge` to be signed.')

const Request = z.string().min(1).max(200).describe('The `request` of the reply with the options. It works once, for five minutes.')

const own = { stability: 'stable', auth: { scope: 'account:security', stepUp: 'PT10M' }, rateLimit: 'auth' } as const

const passkeys = operation({
  id: 'auth.passkeys',
  method: 'GET',
  path: '/api/v1/auth/passkeys',
  summary: 'List the own passkeys',
  stability: 'stable',
  auth: { scope: 'account:security' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  reply: z.object({ data: z.array(Passkey) }),
  errors: [],
})

const passkeyOptions = operation({
  ...own,
  id: 'auth.passkeyOptions',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/passkeys/options',
  summary: 'Begin to add a passkey',
  description:
    'Replies with options for `navigator.credentials.create`. Nothing changes until `/api/v1/auth/passkeys` receives its result.',
  audit: 'none',
  idempotency: 'keyed',
  reply: z.object({ request: z.string(), expiresAt: z.iso.datetime(), options: WebAuthnOptions }),
  errors: ['conflict', 'passkeys_unavailable'],
})

const passkeyAdd = operation({
  ...own,
  id: 'auth.passkeyAdd',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/passkeys',
  summary: 'Finish adding a passkey',
  description: 'Stores the public key of the new passkey, ends all other sessions, and informs the user by mail.',
  audit: 'passkey.added',
  idempotency: 'keyed',
  body: z.strictObject({ request: Request, name: z.string().trim().min(1).max(80), credential: PasskeyAttestation }),
  reply: Passkey,
  errors: ['code_invalid', 'conflict', 'passkeys_unavailable'],
})

const passkeyDelete = operation({
  ...own,
  id: 'auth.passkeyDelete',
  auditors: true,
  method: 'DELETE',
  path: '/api/v1/auth/passkeys/{id}',
  summary: 'Remove a passkey',
  description:
    'Ends all other sessions. Refused for the last passkey while the account demands a second factor and the user has no other one.',
  audit: 'passkey.removed',
  idempotency: 'natural',
  params: z.object({ id: typeId('pky') }),
  reply: z.object({ id: typeId('pky'), deleted: z.literal(true), sessionsEnded: z.int() }),
  errors: ['not_found', 'conflict'],
})

const visitor = { stability: 'stable', auth: 'public', rateLimit: 'auth', idempotency: 'keyed' } as const

const passkeySignInOptions = operation({
  ...visitor,
  id: 'auth.passkeySignInOptions',
  method: 'POST',
  path: '/api/v1/auth/passkeys/sign-in/options',
  summary: 'Ask for a challenge that a passkey signs',
  description:
    'Replies with options for `navigator.credentials.get`: to sign in, to answer the second step of a sign-in, or to prove the own identity again. It names no user.',
  audit: 'none',
  reply: z.object({ request: z.string(), expiresAt: z.iso.datetime(), options: WebAuthnOptions }),
  errors: ['passkeys_unavailable'],
})

const passkeySignIn = operation({
  ...visitor,
  id: 'auth.passkeySignIn',
  method: 'POST',
  path: '/api/v1/auth/passkeys/sign-in',
  summary: 'Sign in with a passkey',
  description: 'Opens a session. No second step follows, since a passkey proves possession of the device and that its owner unlocked it.',
  audit: 'session.opened',
  body: z.strictObject({ passkey: PasskeyAssertion, session: SessionDelivery }),
  reply: SignInReply,
  errors: ['code_invalid', 'passkeys_unavailable', 'sign_in_not_permitted'],
})

/** Passkeys: key pairs of devices that sign in (Web Authentication). */
export const authPasskeys = { passkeys, passkeyOptions, passkeyAdd, passkeyDelete, passkeySignInOptions, passkeySignIn } as const

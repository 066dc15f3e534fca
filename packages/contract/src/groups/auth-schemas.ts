import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { roles } from '#src/roles.ts'

export const Email = z
  .email({ error: 'Must be an e-mail address.' })
  .max(254)
  .meta({ examples: ['ada@example.com'] })

/** The length is bounded so that hashing stays cheap; the service checks the quality of a password (ASVS 5.0, 6.2). */
export const Password = z
  .string()
  .min(1)
  .max(256)
  .meta({ format: 'password', examples: ['correct horse battery staple'] })

export const Tokens = z
  .object({
    accessToken: z.string().describe('JWT; send it as `Authorization: Bearer`.'),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().describe('Seconds until the access token ends.'),
    refreshToken: z
      .string()
      .nullable()
      .describe('Exchanged once for the next pair at `/api/v1/auth/refresh`. Keep it secret. Null when it is in the cookie.'),
    refreshExpiresAt: z.iso.datetime(),
    jti: typeId('ses').describe('Id of the session.'),
  })
  .meta({ id: 'Tokens', description: 'An access token and a refresh token of one session.' })

export const SignedIn = Tokens.extend({
  status: z.literal('signed_in'),
  user: z.object({ id: typeId('usr'), email: z.string(), name: z.string().nullable(), role: z.enum(roles), accountId: typeId('acct') }),
}).meta({ id: 'SignedIn' })

const MfaRequired = z
  .object({
    status: z
      .enum(['mfa_required', 'mfa_enrollment_required'])
      .describe(
        '`mfa_required`: answer by `/api/v1/auth/mfa/verify`. `mfa_enrollment_required`: the account demands a second factor; begin by `/api/v1/auth/mfa/enroll`.',
      ),
    challenge: z
      .string()
      .describe('The credential of the second step: send it there as `Authorization: Bearer`. It works for nothing else.'),
    expiresAt: z.iso.datetime(),
    factors: z.array(z.enum(['totp', 'phone', 'recovery_code', 'passkey'])).describe('What the second step accepts.'),
    phoneHint: z.string().nullable().describe('The last digits of the phone to which `/api/v1/auth/phone/send` sends a code.'),
  })
  .meta({ id: 'MfaRequired', description: 'The first step of a sign-in succeeded, and a second one is missing.' })

/** What every way to sign in replies: look at `status`. */
export const SignInReply = z.union([SignedIn, MfaRequired])

/** Where the refresh token goes; for the bodies of operations that sign in. */
export const SessionDelivery = z
  .enum(['token', 'cookie'])
  .optional()
  .describe(
    '`cookie` puts the refresh token into an `HttpOnly; SameSite=Strict` cookie in place of the response. For web pages of this origin.',
  )

/** A code of six digits, from an authenticator app or a text message, as apps show it. */
export const SignInCode = z
  .string()
  .regex(/^\d{3}[ -]?\d{3}$/, { error: 'Must be a code of six digits.' })
  .meta({ examples: ['123456'] })

export const RecoveryCodes = z
  .array(z.string())
  .describe('Each works once. Keep them apart from the authenticator; they are not shown again.')

/** Bytes, as browsers give them in credentials. */
export const Base64url = z
  .string()
  .regex(/^[\w-]*$/, { error: 'Must be base64url.' })
  .max(16_384)

/** What a passkey signed, for the bodies of operations that accept one. */
export const PasskeyAssertion = z
  .strictObject({
    request: z.string().min(1).max(200).describe('The `request` of `/api/v1/auth/passkeys/sign-in/options`.'),
    credential: z.strictObject({
      id: Base64url,
      rawId: Base64url,
      type: z.literal('public-key'),
      response: z.strictObject({
        clientDataJSON: Base64url,
        authenticatorData: Base64url,
        signature: Base64url,
        userHandle: Base64url.nullish(),
      }),
    }),
  })
  .meta({ id: 'PasskeyAssertion', description: 'What `navigator.credentials.get` gave, after Web Authentication Level 3.' })

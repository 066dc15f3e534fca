import * as z from 'zod'
import { operation } from '#src/operation.ts'
import { PasskeyAssertion, Password, RecoveryCodes, SessionDelivery, SignedIn, SignInCode, Tokens } from './auth-schemas.ts'

const Authenticator = z
  .object({
    secret: z.string().describe('The key in base32, to be typed into an authenticator app.'),
    uri: z.string().describe('The same as an `otpauth://` URI.'),
    qr: z.string().describe('The same as a QR code, an SVG image.'),
  })
  .meta({ id: 'Authenticator', description: 'The key of a new authenticator: SHA-1, 6 digits, 30 seconds.' })

const mfaStatus = operation({
  id: 'auth.mfaStatus',
  method: 'GET',
  path: '/api/v1/auth/mfa/status',
  summary: 'Read the own second factors',
  stability: 'stable',
  auth: { scope: 'account:security' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  reply: z.object({
    enabled: z.boolean().describe('Whether a sign-in asks for a second factor.'),
    required: z.boolean().describe('Whether the account demands a second factor of its users.'),
    totp: z.object({ since: z.iso.datetime() }).nullable(),
    phone: z.object({ hint: z.string(), secondFactor: z.boolean() }).nullable(),
    recoveryCodes: z.int().describe('How many recovery codes are left.'),
    passkeys: z.int().describe('How many passkeys the user has. They sign in without a second step.'),
  }),
  errors: [],
})

const mfaSetup = operation({
  id: 'auth.mfaSetup',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/mfa/setup',
  summary: 'Begin to add an authenticator',
  description: 'Makes a new key for an authenticator app. Nothing changes until `/api/v1/auth/mfa/verify-setup` receives a code of it.',
  stability: 'stable',
  auth: { scope: 'account:security', stepUp: 'PT10M' },
  rateLimit: 'auth',
  audit: 'mfa.setup_started',
  idempotency: 'keyed',
  reply: Authenticator,
  errors: ['conflict'],
})

const mfaVerifySetup = operation({
  id: 'auth.mfaVerifySetup',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/mfa/verify-setup',
  summary: 'Finish adding an authenticator',
  description:
    'Turns the second factor on by a code of the new authenticator. Replies with recovery codes, which are shown only here, and ends all other sessions.',
  stability: 'stable',
  auth: { scope: 'account:security', stepUp: 'PT10M' },
  rateLimit: 'auth',
  audit: 'mfa.enabled',
  idempotency: 'keyed',
  body: z.strictObject({ code: SignInCode }),
  reply: z.object({ enabled: z.literal(true), recoveryCodes: RecoveryCodes, sessionsEnded: z.int() }),
  errors: ['code_invalid', 'conflict'],
})

const mfaRecoveryCodes = operation({
  id: 'auth.mfaRecoveryCodes',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/mfa/recovery-codes',
  summary: 'Make new recovery codes',
  description: 'Replaces all recovery codes. They are shown only in this reply; each works once, in place of a code of the second factor.',
  stability: 'stable',
  auth: { scope: 'account:security', stepUp: 'PT10M' },
  rateLimit: 'auth',
  audit: 'mfa.recovery_codes_made',
  idempotency: 'keyed',
  reply: z.object({ recoveryCodes: RecoveryCodes }),
  errors: ['conflict'],
})

const mfaDelete = operation({
  id: 'auth.mfaDelete',
  auditors: true,
  method: 'DELETE',
  path: '/api/v1/auth/mfa',
  summary: 'Turn the second factor off',
  description:
    'Removes the authenticator and the recovery codes, no longer asks for codes by text message, and ends all other sessions. Refused while the account demands a second factor.',
  stability: 'stable',
  auth: { scope: 'account:security', stepUp: 'PT10M' },
  rateLimit: 'auth',
  audit: 'mfa.disabled',
  idempotency: 'natural',
  reply: z.object({ disabled: z.literal(true), sessionsEnded: z.int() }),
  errors: ['conflict'],
})

const mfaEnroll = operation({
  id: 'auth.mfaEnroll',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/mfa/enroll',
  summary: 'Begin the enrolment that a sign-in demands',
  description:
    'For a sign-in that replied `mfa_enrollment_required`: makes a key for an authenticator app. The credential is the `challenge` of that reply. When signed in, use `/api/v1/auth/mfa/setup`.',
  stability: 'stable',
  auth: { scope: 'sign-in:finish' },
  transaction: 'own',
  rateLimit: 'auth',
  audit: 'mfa.setup_started',
  idempotency: 'keyed',
  reply: Authenticator,
  errors: ['conflict', 'forbidden'],
})

const mfaEnrollVerify = operation({
  id: 'auth.mfaEnrollVerify',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/mfa/enroll-verify',
  summary: 'Finish the enrolment and sign in',
  description:
    'Turns the second factor on by a code of the new authenticator, opens the session of the sign-in, and replies with recovery codes, which are shown only here.',
  stability: 'stable',
  auth: { scope: 'sign-in:finish' },
  transaction: 'own',
  rateLimit: 'auth',
  audit: 'mfa.enabled',
  idempotency: 'keyed',
  body: z.strictObject({ code: SignInCode }),
  reply: SignedIn.extend({ recoveryCodes: RecoveryCodes }),
  errors: ['code_invalid', 'conflict', 'forbidden', 'sign_in_not_permitted'],
})

const mfaVerify = operation({
  id: 'auth.mfaVerify',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/mfa/verify',
  summary: 'Finish a sign-in by a second factor',
  description:
    'For a sign-in that replied `mfa_required`: opens its session. The credential is the `challenge` of that reply. Send `code` of the authenticator, or `recoveryCode`, or `code` with the `request` of `/api/v1/auth/phone/send`, or `passkey`. After five wrong codes the sign-in has to begin again.',
  stability: 'stable',
  auth: { scope: 'sign-in:finish' },
  transaction: 'own',
  rateLimit: 'auth',
  audit: 'session.opened',
  idempotency: 'keyed',
  body: z.strictObject({
    code: SignInCode.optional(),
    recoveryCode: z.string().min(1).max(64).optional(),
    request: z.string().min(1).max(200).optional().describe('For a code by text message: the `request` for which it was sent.'),
    passkey: PasskeyAssertion.optional(),
  }),
  reply: SignedIn,
  errors: ['code_invalid', 'forbidden', 'sign_in_not_permitted'],
})

const stepUp = operation({
  id: 'auth.stepUp',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/step-up',
  summary: 'Prove the own identity again',
  description:
    'Satisfies operations that reply `insufficient_authentication`. The reply has new tokens: this session ends, and another one with the same absolute limit takes its place. A user with an authenticator sends `code` or `recoveryCode`, every other user `password`. A `passkey` serves every user who has one.',
  stability: 'stable',
  auth: { scope: 'account:security' },
  transaction: 'own',
  rateLimit: 'auth',
  audit: 'session.stepped_up',
  idempotency: 'keyed',
  body: z.strictObject({
    password: Password.optional(),
    code: SignInCode.optional(),
    recoveryCode: z.string().min(1).max(64).optional(),
    passkey: PasskeyAssertion.optional(),
    session: SessionDelivery,
  }),
  reply: Tokens.extend({ authenticatedAt: z.iso.datetime(), method: z.enum(['password', 'totp', 'recovery_code', 'passkey']) }),
  errors: ['invalid_credentials', 'code_invalid', 'overloaded'],
})

const mfaPolicy = operation({
  id: 'auth.mfaPolicy',
  method: 'PUT',
  path: '/api/v1/auth/mfa/policy',
  summary: 'Demand a second factor of all users of the account',
  description:
    'While it is demanded, a user without a second factor adds one at the next sign-in. The caller needs one first, so that no administrator is locked out.',
  stability: 'beta',
  auth: { scope: 'account:security', stepUp: 'PT10M' },
  role: 'admin',
  rateLimit: 'default',
  audit: 'account.mfa_policy_changed',
  idempotency: 'natural',
  body: z.strictObject({ required: z.boolean() }),
  reply: z.object({ required: z.boolean() }),
  errors: ['conflict'],
})

/** Second factors, and the proof of identity that sensitive operations ask for. */
export const authFactors = {
  mfaStatus,
  mfaSetup,
  mfaVerifySetup,
  mfaRecoveryCodes,
  mfaDelete,
  mfaEnroll,
  mfaEnrollVerify,
  mfaVerify,
  mfaPolicy,
  stepUp,
} as const

import * as z from 'zod'
import { operation } from '#src/operation.ts'
import { RecoveryCodes, SessionDelivery, SignInCode, SignInReply } from './auth-schemas.ts'

const Number = z
  .string()
  .trim()
  .min(4)
  .max(32)
  .describe('A phone number with its country code.')
  .meta({ examples: ['+4915112345678'] })

const Request = z.string().min(1).max(200).describe('The `request` of the reply that sent the code.')

const CodeSent = z
  .object({
    sent: z.literal(true),
    request: z.string().describe('Keep it, and send it with the code. The code works with this request only.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'PhoneCodeSent' })

const flag = 'isPhoneOtpEnabled'
const own = {
  stability: 'stable',
  auth: { scope: 'account:security', stepUp: 'PT10M' },
  transaction: 'own',
  rateLimit: 'auth',
  flag,
} as const
const visitor = { stability: 'stable', auth: 'public', rateLimit: 'auth', flag, idempotency: 'keyed' } as const

const phoneEnroll = operation({
  ...own,
  id: 'auth.phoneEnroll',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/phone/enroll',
  summary: 'Begin to add a phone number',
  description:
    'Sends a code to the number by text message. Nothing changes until `/api/v1/auth/phone/enroll-verify` receives it. With `secondFactor` every sign-in asks for a code in addition to the password; without it a code alone signs in.',
  audit: 'phone.enrolment_started',
  idempotency: 'keyed',
  body: z.strictObject({ number: Number, secondFactor: z.boolean().default(true) }),
  reply: CodeSent,
  errors: ['sms_unavailable', 'conflict'],
})

const phoneEnrollVerify = operation({
  ...own,
  id: 'auth.phoneEnrollVerify',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/phone/enroll-verify',
  summary: 'Finish adding a phone number',
  description:
    'Stores the number, in place of an earlier one, and ends all other sessions. Replies with recovery codes when the number becomes the first second factor of the user.',
  audit: 'phone.enrolled',
  idempotency: 'keyed',
  body: z.strictObject({ request: Request, code: SignInCode }),
  reply: z.object({
    phone: z.object({ hint: z.string().describe('The last two digits.'), secondFactor: z.boolean() }),
    recoveryCodes: RecoveryCodes.nullable(),
    sessionsEnded: z.int(),
  }),
  errors: ['code_invalid', 'conflict'],
})

const phoneDelete = operation({
  ...own,
  id: 'auth.phoneDelete',
  auditors: true,
  method: 'DELETE',
  path: '/api/v1/auth/phone',
  summary: 'Remove the own phone number',
  description:
    'Ends all other sessions. Refused while the number is the only second factor and the account demands one, and where it is the only way in.',
  audit: 'phone.removed',
  idempotency: 'natural',
  reply: z.object({ removed: z.literal(true), sessionsEnded: z.int() }),
  errors: ['conflict'],
})

const phoneSend = operation({
  ...visitor,
  id: 'auth.phoneSend',
  method: 'POST',
  path: '/api/v1/auth/phone/send',
  summary: 'Ask for a code by text message',
  description:
    'With `number`: sends a code that signs in, if a user signs in by this number; the reply does not reveal whether one does. With `challenge`: sends the code of the second step to the phone of that user. The code works 10 minutes, once, with the `request` of this reply, and at most five times wrong.',
  audit: 'none',
  body: z.strictObject({
    number: Number.optional(),
    challenge: z.string().min(1).max(200).optional().describe('Of a sign-in that replied `mfa_required`.'),
  }),
  reply: CodeSent,
  errors: ['sms_unavailable', 'code_invalid', 'conflict'],
})

const phoneVerify = operation({
  ...visitor,
  id: 'auth.phoneVerify',
  method: 'POST',
  path: '/api/v1/auth/phone/verify',
  summary: 'Sign in by a code of a text message',
  description:
    'Opens a session, or replies with a challenge when the user has another second factor. With `challenge` it finishes a sign-in that waits for its second step, as `/api/v1/auth/mfa/verify` does; where the refresh token goes was then decided by the first step.',
  audit: 'session.opened',
  body: z.strictObject({
    request: Request,
    code: SignInCode,
    challenge: z.string().min(1).max(200).optional(),
    session: SessionDelivery,
  }),
  reply: SignInReply,
  errors: ['code_invalid', 'forbidden', 'sign_in_not_permitted'],
})

/** Codes by text message. */
export const authPhone = { phoneEnroll, phoneEnrollVerify, phoneDelete, phoneSend, phoneVerify } as const

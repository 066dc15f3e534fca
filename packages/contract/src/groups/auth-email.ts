import * as z from 'zod'
import { operation } from '#src/operation.ts'
import { Email, Password, SessionDelivery, SignInReply } from './auth-schemas.ts'

const LinkToken = z
  .string()
  .min(1)
  .max(200)
  .describe('The part of the link in the mail after `#token=`.')
  .meta({ examples: ['mll_2x4y6z'] })

const Sent = z.object({
  sent: z.literal(true).describe('The same whether or not a user has the address.'),
})

const verifyEmail = operation({
  id: 'auth.verifyEmail',
  method: 'POST',
  path: '/api/v1/auth/verify-email',
  summary: 'Confirm an e-mail address',
  description:
    'Confirms the address of a user by the token of the mail that registration sent. A token works once, for 24 hours, and only for a session of that user: someone else may have registered the address. A refusal leaves the link usable.',
  stability: 'stable',
  auth: 'public',
  optionalCredential: true,
  rateLimit: 'auth',
  flag: 'isEmailVerifyEnabled',
  audit: 'user.email_verified',
  idempotency: 'keyed',
  body: z.strictObject({ token: LinkToken }),
  reply: z.object({ verified: z.literal(true), email: z.string() }),
  errors: ['link_invalid'],
})

const resendVerification = operation({
  id: 'auth.resendVerification',
  method: 'POST',
  path: '/api/v1/auth/resend-verification',
  summary: 'Send the confirmation mail again',
  description:
    'Sends a new mail if a user with this address has not confirmed it. At most five in an hour; the reply does not reveal which case it was.',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'auth',
  flag: 'isEmailVerifyEnabled',
  audit: 'none',
  idempotency: 'keyed',
  body: z.strictObject({ email: Email }),
  reply: Sent,
  errors: ['mail_unavailable'],
})

const passwordForgot = operation({
  id: 'auth.passwordForgot',
  method: 'POST',
  path: '/api/v1/auth/password/forgot',
  summary: 'Ask for a link that sets a new password',
  description:
    'Sends a mail with a link if a user has this address. The link works once, for 30 minutes. At most five mails in an hour; the reply does not reveal which case it was.',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'auth',
  flag: 'isPasswordResetEnabled',
  audit: 'none',
  idempotency: 'keyed',
  body: z.strictObject({ email: Email }),
  reply: Sent,
  errors: ['mail_unavailable'],
})

const passwordReset = operation({
  id: 'auth.passwordReset',
  method: 'POST',
  path: '/api/v1/auth/password/reset',
  summary: 'Set a new password by a link',
  description:
    'Sets the password and ends every session of the user. It does not sign in: the next sign-in asks for the new password and for the second factor, if there is one. A refused password leaves the link usable. If the address was never confirmed before, it also removes external identities and passkeys, and revokes the API keys of the user.',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'auth',
  flag: 'isPasswordResetEnabled',
  audit: 'user.password_reset',
  idempotency: 'keyed',
  body: z.strictObject({ token: LinkToken, password: Password }),
  reply: z.object({ reset: z.literal(true), sessionsEnded: z.int() }),
  errors: ['link_invalid', 'password_unacceptable', 'overloaded'],
})

const magicLink = operation({
  id: 'auth.magicLink',
  method: 'POST',
  path: '/api/v1/auth/magic-link',
  summary: 'Ask for a link that signs in',
  description:
    'Sends a mail with a link if a user has this address. The link works once, for 10 minutes, and only together with `request`, so only in the browser that asked for it.',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'auth',
  flag: 'isMagicLinkEnabled',
  audit: 'none',
  idempotency: 'keyed',
  body: z.strictObject({ email: Email }),
  reply: z.object({
    sent: z.literal(true),
    request: z.string().describe('Keep it in the browser, and send it with the token of the link.'),
    expiresAt: z.iso.datetime(),
  }),
  errors: ['mail_unavailable'],
})

const magicLinkVerify = operation({
  id: 'auth.magicLinkVerify',
  method: 'POST',
  path: '/api/v1/auth/magic-link/verify',
  summary: 'Sign in by a link',
  description:
    'Opens a session by the token of the link and the `request` of the browser that asked for it. Opening the link alone changes nothing, so programs that scan mails cannot use it up. A second factor is asked for as after a password. If the address was never confirmed before, it also ends the sessions of the user, removes the password, external identities and passkeys, and revokes the API keys.',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'auth',
  flag: 'isMagicLinkEnabled',
  audit: 'session.opened',
  idempotency: 'keyed',
  body: z.strictObject({ token: LinkToken, request: z.string().min(1).max(200), session: SessionDelivery }),
  reply: SignInReply,
  errors: ['link_invalid', 'sign_in_not_permitted'],
})

/** Links in mails: they confirm an address, set a password, or sign in. */
export const authEmail = { verifyEmail, resendVerification, passwordForgot, passwordReset, magicLink, magicLinkVerify } as const

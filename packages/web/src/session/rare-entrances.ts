import type { groups, Sent } from '@millrace/contract'
import { accessToken, adopted, calls, clientWith, type Challenge, invitations, opened, readMe } from '#src/session/session.ts'
import { type PasskeyAssertion, signByPasskey } from '#src/session/passkeys.ts'

// Ways to a session that few visits take: pages load them when they need them.

type Auth = (typeof groups)['auth']
type Invitations = (typeof groups)['invitations']

/** Where the secret of the browser that asked for a link is kept until the link is opened. */
const linkRequestKey = 'millrace.link-request'

/** Asks for a mail with a link that signs in. */
export async function askForLink(email: string): Promise<void> {
  const { request } = await calls.magicLink({ body: { email } })
  localStorage.setItem(linkRequestKey, request)
}

/** Signs in by the token of a mailed link. */
export async function signInByLink(token: string): Promise<Challenge | undefined> {
  const request = localStorage.getItem(linkRequestKey) ?? 'none'
  const missing = await adopted(await calls.magicLinkVerify({ body: { token, request, session: 'cookie' } }))
  localStorage.removeItem(linkRequestKey)
  return missing
}

/** Signs in by the one-time code with which a provider returned the browser. */
export async function signInByCode(code: string): Promise<Challenge | undefined> {
  return adopted(await calls.exchange({ body: { code, session: 'cookie' } }))
}

/** Joins an account by the token of an invitation, or returns the challenge of the second step. */
export async function acceptInvitation(body: Omit<Sent<Invitations['accept']>['body'], 'session'>): Promise<Challenge | undefined> {
  return adopted(await invitations.accept({ body: { ...body, session: 'cookie' } }))
}

/** What an invitation is to, for the person who has its token. */
export const inspectInvitation = (token: string) => invitations.inspect({ body: { token } })

/** Confirms the address of the signed-in user by the token of a mail. */
export async function verifyEmail(token: string): Promise<{ readonly email: string }> {
  await accessToken()
  const confirmed = await calls.verifyEmail({ body: { token } })
  await readMe()
  return confirmed
}

export const askForReset = (email: string) => calls.passwordForgot({ body: { email } })
export const resetPassword = (token: string, password: string) => calls.passwordReset({ body: { token, password } })

/** Restores a deleted account by the token of the mail about its deletion. */
export const restoreAccount = (token: string) => calls.restoreMe({ body: { token } })

/** Makes the key of the authenticator that a sign-in demands. */
export const beginEnrolment = (challenge: Challenge) => clientWith(() => challenge.challenge).auth.mfaEnroll()

/** Adds the authenticator that a sign-in demands. `enter` opens the session, once the person has stored the recovery codes. */
export async function finishEnrolment(
  challenge: Challenge,
  code: string,
): Promise<{ readonly recoveryCodes: readonly string[]; readonly enter: () => Promise<void> }> {
  const reply = await clientWith(() => challenge.challenge).auth.mfaEnrollVerify({ body: { code } })
  return { recoveryCodes: reply.recoveryCodes, enter: () => opened(reply) }
}

/** Sends a code by text message to the phone of a sign-in that waits for its second step. */
export const sendPhoneCode = (challenge: Challenge) => calls.phoneSend({ body: { challenge: challenge.challenge } })

/** Finishes a sign-in by a second factor; `request` belongs to a code by text message. */
export async function finishSignIn(
  challenge: Challenge,
  body: { readonly code: string; readonly request?: string } | { readonly recoveryCode: string } | { readonly passkey: PasskeyAssertion },
): Promise<void> {
  await opened(await clientWith(() => challenge.challenge).auth.mfaVerify({ body }))
}

export async function register(body: Omit<Sent<Auth['register']>['body'], 'session'>): Promise<void> {
  await opened(await calls.register({ body: { ...body, session: 'cookie' } }))
}

/** Has a passkey of the person sign a challenge of the server. */
export const passkeyAssertion = async (): Promise<PasskeyAssertion> => signByPasskey(await calls.passkeySignInOptions())

export async function signInByPasskey(): Promise<Challenge | undefined> {
  return adopted(await calls.passkeySignIn({ body: { passkey: await passkeyAssertion(), session: 'cookie' } }))
}

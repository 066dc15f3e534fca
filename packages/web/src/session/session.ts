import { ClientError, createClient } from '@millrace/client'
import type { groups, Reply, Sent } from '@millrace/contract'
import { operations } from 'virtual:operations/session'
import { create } from 'zustand'
import { type PasskeyAssertion, signByPasskey } from '#src/session/passkeys.ts'
import { knownSession } from '#src/session/known-session.ts'
import { createTokens, type Tokens } from '#src/session/tokens.ts'

type Auth = (typeof groups)['auth']
type Invitations = (typeof groups)['invitations']
export type Me = Reply<Auth['me']>
type SignInReply = Reply<Auth['login']>
/** The first step of a sign-in succeeded, and a second one is missing. */
export type Challenge = Exclude<SignInReply, { readonly accessToken: string }>

/** `expired`: the session ended while a page was open, which stays as it is below the sheet that asks for the password. */
export interface Session {
  readonly state: 'unknown' | 'out' | 'in' | 'expired'
  readonly me: Me | undefined
}

export const useSession = create<Session>(() => ({ state: 'unknown', me: undefined }))

const clientWith = (token: () => string | undefined) => createClient({ baseUrl: '', token, groups: operations })
const callsWith = (token: () => string | undefined) => clientWith(token).auth
/** Calls of the session itself, which must not wait for a session. */
const { auth: calls, invitations } = clientWith(() => tokens.now())

const tokens = createTokens({
  refresh: () => calls.refresh({ body: {} }),
  isRefusal: (error) => error instanceof ClientError && error.status === 401,
  alone: (act) => navigator.locks.request('millrace.refresh', act),
  hasSession: knownSession.exists,
  person: () => useSession.getState().me?.id,
  // The same person has signed in again in another tab.
  onRenewed: () => useSession.getState().state === 'expired' && useSession.setState({ state: 'in' }),
  onEnded: () => {
    knownSession.end()
    sessionRefused()
  },
  onOther: sessionRefused,
})

/** The access token of a request; a new one if the present one is about to end. */
export const accessToken = (): Promise<string | undefined> => tokens.get()

/** Finds out who is signed in. */
export async function openSession(): Promise<Session> {
  if (useSession.getState().state !== 'unknown') return useSession.getState()
  if ((await accessToken()) === undefined) useSession.setState({ state: 'out' })
  else await readMe()
  return useSession.getState()
}

/** Signs in, or returns the challenge of the second step. */
export async function signIn(body: Pick<Sent<Auth['login']>['body'], 'email' | 'password'>): Promise<Challenge | undefined> {
  const reply = await calls.login({ body: { ...body, session: 'cookie' } })
  if (!('accessToken' in reply)) return reply
  await opened(reply)
  return undefined
}

/** Takes over the session of a sign-in that another page began, or returns the challenge of its second step. */
async function adopted(reply: SignInReply): Promise<Challenge | undefined> {
  if (!('accessToken' in reply)) return reply
  await opened(reply)
  return undefined
}

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

/** The ways in that this installation offers. */
export const signInMethods = () => calls.methods()

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

/** Sends a code by text message to the phone of a sign-in that waits for its second step. */
export const sendPhoneCode = (challenge: Challenge) => calls.phoneSend({ body: { challenge: challenge.challenge } })

/** Makes the key of the authenticator that a sign-in demands. */
export const beginEnrolment = (challenge: Challenge) => callsWith(() => challenge.challenge).mfaEnroll()

/** Adds the authenticator that a sign-in demands. `enter` opens the session, once the person has stored the recovery codes. */
export async function finishEnrolment(
  challenge: Challenge,
  code: string,
): Promise<{ readonly recoveryCodes: readonly string[]; readonly enter: () => Promise<void> }> {
  const reply = await callsWith(() => challenge.challenge).mfaEnrollVerify({ body: { code } })
  return { recoveryCodes: reply.recoveryCodes, enter: () => opened(reply) }
}

/** Has a passkey of the person sign a challenge of the server. */
export const passkeyAssertion = async (): Promise<PasskeyAssertion> => signByPasskey(await calls.passkeySignInOptions())

export async function signInByPasskey(): Promise<Challenge | undefined> {
  return adopted(await calls.passkeySignIn({ body: { passkey: await passkeyAssertion(), session: 'cookie' } }))
}

/** Finishes a sign-in by a second factor; `request` belongs to a code by text message. */
export async function finishSignIn(
  challenge: Challenge,
  body: { readonly code: string; readonly request?: string } | { readonly recoveryCode: string } | { readonly passkey: PasskeyAssertion },
): Promise<void> {
  await opened(await callsWith(() => challenge.challenge).mfaVerify({ body }))
}

export async function register(body: Omit<Sent<Auth['register']>['body'], 'session'>): Promise<void> {
  await opened(await calls.register({ body: { ...body, session: 'cookie' } }))
}

export async function signOut(to = '/sign-in'): Promise<void> {
  // The server ends the session of a token that is valid, and a page that stood open has none.
  await accessToken().catch(() => undefined)
  if (!tokens.areOthers()) {
    await calls.logout().catch(() => undefined)
    knownSession.end()
  }
  tokens.forget()
  // Everything in memory belongs to the session that ended.
  location.assign(to)
}

/** The server refused the session. */
export function sessionRefused(): void {
  tokens.forget()
  if (useSession.getState().state === 'in') useSession.setState({ state: 'expired' })
}

/** Takes over the tokens of a new proof of identity: those of before end with it. No tab renews its token meanwhile. */
export async function replaceTokens(prove: () => Promise<Tokens>): Promise<void> {
  // Before the lock, which a renewal takes too.
  await accessToken()
  await navigator.locks.request('millrace.refresh', async () => tokens.keep(await prove()))
}

/** The token that has taken the place of a refused one, here or in another tab; `undefined` when the session has ended. */
export async function tokenInsteadOf(refused: string): Promise<string | undefined> {
  if (tokens.now() === refused) tokens.forget()
  return await accessToken()
}

async function readMe(): Promise<void> {
  try {
    useSession.setState({ state: 'in', me: await calls.me() })
  } catch (error) {
    if (error instanceof ClientError && error.status === 401) useSession.setState({ state: 'out' })
    else throw error
  }
}

async function opened(given: Tokens): Promise<void> {
  tokens.keep(given)
  knownSession.begin()
  await readMe()
}

/** Where a browser without a session begins. */
export async function firstPath(): Promise<'/sign-in' | '/register'> {
  const { hasUsers } = await signInMethods().catch(() => ({ hasUsers: true }))
  return hasUsers ? '/sign-in' : '/register'
}

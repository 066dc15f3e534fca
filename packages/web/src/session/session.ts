import { ClientError, createClient } from '@millrace/client'
import type { groups, Reply, Sent } from '@millrace/contract'
import { operations } from 'virtual:operations/session'
import { create } from 'zustand'
import { knownSession } from '#src/session/known-session.ts'
import { createTokens, type Tokens } from '#src/session/tokens.ts'

type Auth = (typeof groups)['auth']
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

/** A client with the calls of the session by a given token. */
export const clientWith = (token: () => string | undefined) => createClient({ baseUrl: '', token, groups: operations })
/** Calls of the session itself, which must not wait for a session. */
export const { auth: calls, invitations } = clientWith(() => tokens.now())

/** The tokens of this page. */
export const tokens = createTokens({
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
export async function adopted(reply: SignInReply): Promise<Challenge | undefined> {
  if (!('accessToken' in reply)) return reply
  await opened(reply)
  return undefined
}

/** The ways in that this installation offers. */
export const signInMethods = () => calls.methods()

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

/** Reads who is signed in. */
export async function readMe(): Promise<void> {
  try {
    useSession.setState({ state: 'in', me: await calls.me() })
  } catch (error) {
    if (error instanceof ClientError && error.status === 401) useSession.setState({ state: 'out' })
    else throw error
  }
}

/** Begins the session of the given tokens. */
export async function opened(given: Tokens): Promise<void> {
  tokens.keep(given)
  knownSession.begin()
  await readMe()
}

/** Where a browser without a session begins. */
export async function firstPath(): Promise<'/sign-in' | '/register'> {
  const { hasUsers } = await signInMethods().catch(() => ({ hasUsers: true }))
  return hasUsers ? '/sign-in' : '/register'
}

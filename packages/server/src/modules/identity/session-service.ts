import { Fault } from '@millrace/contract'
import { type AccessTokens, accessTokenSeconds } from '#platform/auth/access-token.ts'
import type { RefreshToken, RefreshTokens } from '#platform/auth/refresh-token.ts'
import { deviceOf } from './device.ts'
import type { IdentityEventSink } from './events.ts'
import { type AuthenticationMethod, type Client, endOf, type Session, type SessionLimits, type TokenPair, type User } from './model.ts'
import { outdatedTokenState, type SessionEnding, sessionTimes } from './session-state.ts'
import {
  findSessionTokens,
  insertSession,
  listSessions,
  replaceSession,
  revokeReused,
  revokeSession,
  revokeSessions,
  rotateToken,
  type StoredSession,
} from './session-store.ts'
import type { Executor } from './store.ts'

/** Issues the tokens of a session. */
export interface Tokens {
  readonly access: Pick<AccessTokens, 'issue' | 'ready'>
  readonly refresh: RefreshTokens
}

export interface SessionServiceDeps {
  readonly db: Executor
  readonly tokens: Tokens
  readonly limits: SessionLimits
  readonly now: () => Date
  readonly newId: () => string
  readonly report: IdentityEventSink
}

/** A session that is not inserted yet. */
export interface NewSession extends StoredSession {
  /** Its tokens. Call it once the session is inserted. */
  tokens(): Promise<TokenPair>
}

/** Opens, refreshes and ends sessions. */
export interface SessionService {
  readonly limits: SessionLimits
  /** Loads the signing key. Call it before a transaction in which `open` is called: inside, loading would wait for a second connection. */
  prepare(): Promise<void>
  /** Makes a session that another statement inserts, with the hash of its first refresh token. */
  make(user: Pick<User, 'id' | 'accountId'>, client: Client): NewSession
  /** @param methods by which the user proved their identity, as in RFC 8176. */
  open(tx: Executor, user: User, client: Client, methods?: readonly AuthenticationMethod[]): Promise<TokenPair>
  /** Exchanges a refresh token for new tokens; a Fault `refresh_token_invalid` when it is not valid any more. */
  refresh(refreshToken: string, client: Client): Promise<TokenPair>
  /** Ends a session after its user has proved their identity again, and opens its successor; a Fault `unauthenticated` when it is not active any more. */
  replace(
    tx: Executor,
    accountId: string,
    subject: { readonly userId: string; readonly sessionId: string; readonly method: AuthenticationMethod },
    client: Client,
  ): Promise<TokenPair>
  list(
    tx: Executor,
    accountId: string,
    userId: string,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<readonly Session[]>
  /** Ends a session of the user; a Fault `not_found` when the user has no active session of this id. */
  revoke(tx: Executor, accountId: string, userId: string, sessionId: string): Promise<void>
  /** Ends the session of the request; 0 when it has ended meanwhile. */
  signOut(tx: Executor, accountId: string, userId: string, sessionId: string): Promise<number>
  signOutEverywhere(tx: Executor, accountId: string, userId: string): Promise<number>
}

export function createSessionService(deps: SessionServiceDeps): SessionService {
  const { db, tokens, limits, now, newId, report } = deps
  const timesNow = () => sessionTimes(now(), limits)

  async function pairOf(session: Session, refreshToken: RefreshToken): Promise<TokenPair> {
    return {
      sessionId: session.id,
      accessToken: await tokens.access.issue({ userId: session.userId, sessionId: session.id }),
      expiresInSeconds: accessTokenSeconds,
      refreshToken: refreshToken.text,
      refreshExpiresAt: endOf(session, limits),
    }
  }

  /** Handles a refresh token that is not the current one of its session. */
  async function refreshOutdated(token: RefreshToken, next: RefreshToken, client: Client, at: Date): Promise<TokenPair> {
    const times = sessionTimes(at, limits)
    const session = await findSessionTokens(db, token.sessionId, times)
    if (session === undefined) throw new Fault('refresh_token_invalid')
    const state = outdatedTokenState(session, { token, next }, at, limits)
    if (state === 'raced') return await pairOf(session, next)
    if (state === 'reused') {
      await revokeReused(db, session.id, times)
      const { accountId, userId, id: sessionId } = session
      report({ type: 'refresh_token_reused', ip: client.ip, userAgent: client.userAgent, accountId, userId, sessionId })
    }
    throw new Fault('refresh_token_invalid')
  }

  function make({ id: userId, accountId }: Pick<User, 'id' | 'accountId'>, client: Client): NewSession {
    const at = now()
    const session: Session = {
      id: newId(),
      accountId,
      userId,
      device: deviceOf(client.userAgent),
      ip: client.ip,
      createdAt: at,
      lastUsedAt: at,
      expiresAt: new Date(at.getTime() + limits.absoluteMs),
    }
    const token = tokens.refresh.first(session.id)
    return { session, tokenHash: token.hash, tokens: () => pairOf(session, token) }
  }

  const revoke = (tx: Executor, accountId: string, target: { userId: string; sessionId: string; because: SessionEnding }) =>
    revokeSession(tx, accountId, target, timesNow())

  return {
    limits,
    prepare: () => tokens.access.ready(),

    make,
    async open(tx, user, client, methods = ['pwd']) {
      const made = make(user, client)
      if (!(await insertSession(tx, made, methods))) throw userDeactivated()
      return await made.tokens()
    },

    async refresh(refreshToken, client) {
      const token = tokens.refresh.read(refreshToken)
      if (token === undefined) throw new Fault('refresh_token_invalid')
      const at = now()
      const next = tokens.refresh.successor(token)
      const { sessionId, hash: from } = token
      const session = await rotateToken(db, { sessionId, from, to: next.hash, ip: client.ip }, sessionTimes(at, limits))
      return session === undefined ? await refreshOutdated(token, next, client, at) : await pairOf(session, next)
    },

    async replace(tx, accountId, { userId, sessionId, method }, client) {
      const id = newId()
      const token = tokens.refresh.first(id)
      const replacement = { userId, sessionId, newId: id, method, tokenHash: token.hash, ip: client.ip }
      const session = await replaceSession(tx, accountId, replacement, timesNow())
      if (session === undefined) throw new Fault('unauthenticated')
      return await pairOf(session, token)
    },

    list: (tx, accountId, userId, page) => listSessions(tx, accountId, { userId, times: timesNow() }, page),

    async revoke(tx, accountId, userId, sessionId) {
      if (!(await revoke(tx, accountId, { userId, sessionId, because: 'revoked' }))) throw new Fault('not_found')
    },

    async signOut(tx, accountId, userId, sessionId) {
      return (await revoke(tx, accountId, { userId, sessionId, because: 'signed_out' })) ? 1 : 0
    },

    signOutEverywhere: (tx, accountId, userId) => revokeSessions(tx, accountId, userId, timesNow()),
  }
}

export function userDeactivated(): Fault {
  return new Fault('sign_in_not_permitted', { detail: 'Your organisation has deactivated this user. Ask its administrator.' })
}

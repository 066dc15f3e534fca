import { Fault } from '@millrace/contract'
import { type AccessTokens, accessTokenSeconds } from '#platform/auth/access-token.ts'
import type { RefreshToken, RefreshTokens } from '#platform/auth/refresh-token.ts'
import { deviceOf } from './device.ts'
import type { IdentityEventSink } from './events.ts'
import { type Client, endOf, type Session, type SessionLimits, type TokenPair, type User } from './model.ts'
import {
  type Family,
  findLiveFamily,
  insertSession,
  listSessions,
  revokeFamily,
  revokeSession,
  revokeSessions,
  rotateToken,
  type SessionsOfUser,
} from './session-store.ts'
import type { Executor } from './store.ts'

/** What makes the tokens of a session. */
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

/** Opens, refreshes and ends sessions. */
export interface SessionService {
  readonly limits: SessionLimits
  /** Gets ready what opening a session needs. Whoever opens one within a transaction calls it before: in there it would wait for a second connection. */
  prepare(): Promise<void>
  open(tx: Executor, user: User, client: Client): Promise<TokenPair>
  /** Rotates a refresh token; a Fault `refresh_token_invalid` when that cannot be. */
  refresh(refreshToken: string, client: Client): Promise<TokenPair>
  list(
    tx: Executor,
    accountId: string,
    userId: string,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<readonly Session[]>
  /** Ends a session of the user; a Fault `not_found` when there is none of this id. */
  revoke(tx: Executor, accountId: string, userId: string, sessionId: string): Promise<void>
  /** Ends the session of the request; 0 when it has just ended by itself. */
  signOut(tx: Executor, accountId: string, userId: string, sessionId: string): Promise<number>
  signOutEverywhere(tx: Executor, accountId: string, userId: string): Promise<number>
}

export function createSessionService(deps: SessionServiceDeps): SessionService {
  const { db, tokens, limits, now, newId, report } = deps
  const usedSince = (at: Date) => new Date(at.getTime() - limits.idleMs)
  const ofUser = (userId: string, at: Date): SessionsOfUser => ({ userId, at, usedSince: usedSince(at) })

  async function pairOf(session: Session, refreshToken: RefreshToken): Promise<TokenPair> {
    return {
      sessionId: session.id,
      accessToken: await tokens.access.issue({ userId: session.userId, sessionId: session.id }),
      expiresInSeconds: accessTokenSeconds,
      refreshToken: refreshToken.text,
      refreshExpiresAt: endOf(session, limits),
    }
  }

  /** What becomes of a token of ours that is not the current one of its session. */
  async function meetOldToken(token: RefreshToken, next: RefreshToken, client: Client, at: Date): Promise<TokenPair> {
    const family = await findLiveFamily(db, token.sessionId, at, usedSince(at))
    if (family === undefined) throw new Fault('refresh_token_invalid')
    if (isRaced(family, token, next, at, limits)) return await pairOf(family, next)
    if (token.generation < family.generation) {
      await revokeFamily(db, family.id, at)
      const { accountId, userId, id: sessionId } = family
      report({ type: 'refresh_token_reused', ip: client.ip, userAgent: client.userAgent, accountId, userId, sessionId })
    }
    throw new Fault('refresh_token_invalid')
  }

  return {
    limits,
    prepare: () => tokens.access.ready(),

    async open(tx, user, client) {
      const at = now()
      const session: Session = {
        id: newId(),
        accountId: user.accountId,
        userId: user.id,
        device: deviceOf(client.userAgent),
        ip: client.ip,
        createdAt: at,
        lastUsedAt: at,
        expiresAt: new Date(at.getTime() + limits.absoluteMs),
      }
      const token = tokens.refresh.first(session.id)
      await insertSession(tx, session, token.hash)
      return await pairOf(session, token)
    },

    async refresh(refreshToken, client) {
      const token = tokens.refresh.read(refreshToken)
      if (token === undefined) throw new Fault('refresh_token_invalid')
      const at = now()
      const next = tokens.refresh.successor(token)
      const { sessionId, hash: from } = token
      const session = await rotateToken(db, { sessionId, from, to: next.hash, at, ip: client.ip, usedSince: usedSince(at) })
      return session === undefined ? await meetOldToken(token, next, client, at) : await pairOf(session, next)
    },

    list: (tx, accountId, userId, page) => listSessions(tx, accountId, ofUser(userId, now()), page),

    async revoke(tx, accountId, userId, sessionId) {
      if (!(await revokeSession(tx, accountId, ofUser(userId, now()), { sessionId, because: 'revoked' }))) throw new Fault('not_found')
    },

    async signOut(tx, accountId, userId, sessionId) {
      return (await revokeSession(tx, accountId, ofUser(userId, now()), { sessionId, because: 'signed_out' })) ? 1 : 0
    },

    signOutEverywhere: (tx, accountId, userId) => revokeSessions(tx, accountId, ofUser(userId, now())),
  }
}

/** Two requests with one token: the second one gets what the first one got, if it comes at once. */
function isRaced(family: Family, token: RefreshToken, next: RefreshToken, at: Date, limits: SessionLimits): boolean {
  const { previousHash, rotatedAt, tokenHash } = family
  if (previousHash === undefined || rotatedAt === undefined) return false
  const inTime = at.getTime() - rotatedAt.getTime() <= limits.graceMs
  return inTime && previousHash.equals(token.hash) && tokenHash.equals(next.hash)
}

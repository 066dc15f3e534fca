import { type RawBuilder, sql } from 'kysely'
import type { Session, SessionLimits } from './model.ts'

/** Ways in which a user, or the server on their behalf, ends a session: values of `sessions.revoked_because`. */
export const sessionEndings = ['signed_out', 'revoked', 'token_reused'] as const
export type SessionEnding = (typeof sessionEndings)[number]

/**
 * The states of a session. No column contains them: they follow from when the session was revoked, when it expires and when it was last used.
 *
 * `idle`: unused for longer than the idle limit. `expired`: older than the absolute limit.
 */
export type SessionState = 'active' | 'idle' | 'expired' | SessionEnding

/** The states that may follow each state. The refresh token of an active session may be rotated any number of times; it stays active. */
export const sessionTransitions: Readonly<Record<SessionState, readonly SessionState[]>> = {
  active: ['idle', 'expired', ...sessionEndings],
  // A use is written up to a minute after the request: one from just before the idle limit makes the session active again.
  idle: ['active', 'expired'],
  expired: [],
  signed_out: [],
  revoked: [],
  token_reused: [],
}

/** Whether no transition leaves a state. */
export function isTerminal(state: SessionState): boolean {
  return sessionTransitions[state].length === 0
}

/** The times by which a session is judged: it has expired when `expiresAt` is not after `at`, and is idle when it was not used after `usedSince`. */
export interface SessionTimes {
  readonly at: Date
  readonly usedSince: Date
}

export function sessionTimes(at: Date, { idleMs }: Pick<SessionLimits, 'idleMs'>): SessionTimes {
  return { at, usedSince: new Date(at.getTime() - idleMs) }
}

/** The state of a session at a time. */
export function stateOf(
  {
    revokedBecause,
    expiresAt,
    lastUsedAt,
  }: Pick<Session, 'expiresAt' | 'lastUsedAt'> & { readonly revokedBecause: SessionEnding | undefined },
  { at, usedSince }: SessionTimes,
): SessionState {
  if (revokedBecause !== undefined) return revokedBecause
  if (expiresAt <= at) return 'expired'
  return lastUsedAt <= usedSince ? 'idle' : 'active'
}

const [unrevokedAndExpiringAfter, andUsedAfter] = [
  'sessions.revoked_at is null and sessions.expires_at > ',
  ' and sessions.last_used_at > ',
]

/** The condition of the state `active` in a statement on `sessions`. */
export function isActiveSql({ at, usedSince }: SessionTimes): RawBuilder<boolean> {
  return sql<boolean>`${sql.raw(unrevokedAndExpiringAfter)}${at}${sql.raw(andUsedAfter)}${usedSince}`
}

/** The same condition for a prepared statement, by the names of its parameters. */
export function isActiveText(parameters: { readonly at: string; readonly usedSince: string }): string {
  return unrevokedAndExpiringAfter + parameters.at + andUsedAfter + parameters.usedSince
}

/** The refresh tokens of one session, as the database has them. */
export interface SessionTokens {
  readonly generation: number
  readonly tokenHash: Buffer
  readonly previousHash: Buffer | undefined
  readonly rotatedAt: Date | undefined
}

interface Token {
  readonly generation: number
  readonly hash: Buffer
}

/**
 * What a refresh token is that is not the current one of its session.
 *
 * `raced`: another request has just exchanged it, so both get the same successor `next`. `reused`: it was exchanged earlier, so it was copied.
 * `unknown`: it is newer than the current one, which means the database was restored from a backup.
 */
export function outdatedTokenState(
  { generation, tokenHash, previousHash, rotatedAt }: SessionTokens,
  { token, next }: { readonly token: Token; readonly next: Token },
  at: Date,
  { graceMs }: Pick<SessionLimits, 'graceMs'>,
): 'raced' | 'reused' | 'unknown' {
  const isInGrace = rotatedAt !== undefined && at.getTime() - rotatedAt.getTime() <= graceMs
  if (isInGrace && previousHash?.equals(token.hash) === true && tokenHash.equals(next.hash)) return 'raced'
  return token.generation < generation ? 'reused' : 'unknown'
}

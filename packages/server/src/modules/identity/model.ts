import type { Role } from '@millrace/contract'

const minuteMs = 60 * 1000
const dayMs = 24 * 60 * minuteMs

/** A person in one account. Ids are uuids. */
export interface User {
  readonly id: string
  readonly accountId: string
  readonly email: string
  readonly name: string | undefined
  readonly role: Role
  readonly isOperator: boolean
  readonly createdAt: Date
}

export interface Account {
  readonly id: string
  readonly name: string
}

export interface Session {
  readonly id: string
  readonly accountId: string
  readonly userId: string
  readonly device: string | undefined
  readonly ip: string | undefined
  readonly createdAt: Date
  readonly lastUsedAt: Date
  /** The absolute limit. */
  readonly expiresAt: Date
}

/** An access token and a refresh token of one session. */
export interface TokenPair {
  readonly sessionId: string
  readonly accessToken: string
  readonly expiresInSeconds: number
  readonly refreshToken: string
  readonly refreshExpiresAt: Date
}

/** Who has just signed in. */
export interface SignedInUser {
  readonly user: User
  readonly tokens: TokenPair
}

/** How long a session lasts. */
export interface SessionLimits {
  /** Unused for so long, it ends. */
  readonly idleMs: number
  /** Used or not, it ends. */
  readonly absoluteMs: number
  /** A refresh token that was just rotated still gets its successor for so long: a second tab, or an answer that was lost on its way. */
  readonly graceMs: number
}

export const sessionLimitsDefault: SessionLimits = { idleMs: 7 * dayMs, absoluteMs: 30 * dayMs, graceMs: 10 * 1000 }

/** When a session ends unless it is used before. */
export function endOf(session: Pick<Session, 'lastUsedAt' | 'expiresAt'>, limits: SessionLimits): Date {
  return new Date(Math.min(session.expiresAt.getTime(), session.lastUsedAt.getTime() + limits.idleMs))
}

/** What a request tells of where it comes from. */
export interface Client {
  readonly ip: string
  readonly userAgent: string | undefined
}

/** One user behind one mailbox: equal addresses become equal text. Nearly every mail server ignores case, so telling by it would only confuse. */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase()
}

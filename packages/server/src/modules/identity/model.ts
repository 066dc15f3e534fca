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

/**
 * How a user proved their identity: the values of `amr` in RFC 8176, with `email` for a link or code by mail, `fed` for another provider and
 * `rec` for a recovery code.
 */
export const authenticationMethods = ['pwd', 'otp', 'sms', 'email', 'fed', 'hwk', 'rec'] as const
export type AuthenticationMethod = (typeof authenticationMethods)[number]

/** What a sign-in may ask for in addition to its first step. */
export const factors = ['totp', 'phone', 'recovery_code', 'passkey'] as const
export type Factor = (typeof factors)[number]

/** An access token and a refresh token of one session. */
export interface TokenPair {
  readonly sessionId: string
  readonly accessToken: string
  readonly expiresInSeconds: number
  readonly refreshToken: string
  readonly refreshExpiresAt: Date
}

/** A user with the tokens of a new session. */
export interface SignedInUser {
  readonly user: User
  readonly tokens: TokenPair
}

/** The limits of a session. */
export interface SessionLimits {
  /** A session that is unused for this time ends. */
  readonly idleMs: number
  /** Every session ends after this time. */
  readonly absoluteMs: number
  /** For this time an exchanged refresh token yields its successor again: for a second tab, or when the response was lost. */
  readonly graceMs: number
}

export const sessionLimitsDefault: SessionLimits = { idleMs: 7 * dayMs, absoluteMs: 30 * dayMs, graceMs: 10 * 1000 }

/** When a session ends unless it is used again. */
export function endOf(session: Pick<Session, 'lastUsedAt' | 'expiresAt'>, limits: SessionLimits): Date {
  return new Date(Math.min(session.expiresAt.getTime(), session.lastUsedAt.getTime() + limits.idleMs))
}

/** The origin of a request. */
export interface Client {
  readonly ip: string
  readonly userAgent: string | undefined
}

/** Makes equal addresses equal text, so that one mailbox has one user. Case is ignored, as nearly every mail server does. */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase()
}

import { timingSafeEqual } from 'node:crypto'
import { Fault, grantableScopes, type Role, type Scope } from '@millrace/contract'
import type { AccessTokens } from './access-token.ts'
import { apiKeyMark, readApiKey } from './api-key-secret.ts'
import type { Principal } from './principal.ts'
import { scopesOfRole } from './role-scopes.ts'
import type { UsageRecorder } from './usage-recorder.ts'

/** Whose a credential is. */
export interface Holder {
  readonly accountId: string
  readonly userId: string
  readonly role: Role
  readonly isOperator: boolean
}

/** A session that has neither ended nor been revoked. */
export interface LiveSession extends Holder {
  readonly lastUsedAt: Date
}

/** A secret of an API key that is not revoked; whether it has ended is for the caller to say. */
export interface LiveKey extends Holder {
  readonly id: string
  readonly hash: Uint8Array
  readonly scopes: readonly Scope[]
  readonly endsAt: Date | undefined
  readonly lastUsedAt: Date | undefined
}

/** Where a session was last used from. */
export interface SessionUse {
  readonly at: Date
  readonly ip: string
}

export interface AuthenticatorDeps {
  readonly tokens: Pick<AccessTokens, 'verify'>
  /** Both ask the database each time, so that what is revoked is refused at the very next request. */
  readonly findSession: (id: string) => Promise<LiveSession | undefined>
  readonly findKeys: (prefix: string) => Promise<readonly LiveKey[]>
  readonly sessionUses: Pick<UsageRecorder<SessionUse>, 'record'>
  readonly keyUses: Pick<UsageRecorder<Date>, 'record'>
  readonly now: () => Date
}

/** The part of a request that its caller is told from. */
export interface Presented {
  readonly authorization: string | undefined
  readonly ip: string
}

/** "Last used" is exact to the minute. */
const usePrecisionMs = 60_000

/** Makes what tells the caller of a request: `undefined` without a credential, a Fault for one that is not valid. */
export function createAuthenticator(deps: AuthenticatorDeps): (presented: Presented) => Promise<Principal | undefined> {
  const { tokens, findSession, findKeys, sessionUses, keyUses, now } = deps

  async function bySession(token: string, ip: string): Promise<Principal> {
    const { userId, sessionId } = await tokens.verify(token)
    const session = await findSession(sessionId)
    if (session === undefined || session.userId !== userId) throw new Fault('unauthenticated')
    const at = now()
    if (isStale(session.lastUsedAt, at)) sessionUses.record(sessionId, { at, ip })
    return { ...holderOf(session), credential: 'session', scopes: scopesOfRole(session.role), jti: sessionId }
  }

  async function byKey(text: string): Promise<Principal> {
    const secret = readApiKey(text)
    if (secret === undefined) throw new Fault('unauthenticated')
    const candidates = await findKeys(secret.prefix)
    const key = candidates.find(({ hash }) => timingSafeEqual(hash, secret.hash))
    if (key === undefined) throw new Fault('unauthenticated')
    const at = now()
    if (key.endsAt !== undefined && key.endsAt <= at) throw new Fault('token_expired')
    if (isStale(key.lastUsedAt, at)) keyUses.record(key.id, at)
    return { ...holderOf(key), credential: 'api_key', scopes: scopesOfKey(key), keyId: key.id }
  }

  return async ({ authorization, ip }) => {
    if (authorization === undefined) return undefined
    const credential = bearerOf(authorization)
    if (credential === undefined) throw new Fault('unauthenticated')
    return credential.startsWith(apiKeyMark) ? await byKey(credential) : await bySession(credential, ip)
  }
}

function holderOf({ accountId, userId, role, isOperator }: Holder): Holder {
  return { accountId, userId, role, isOperator }
}

/** What the key was given, as far as its user may do it today, and never what keys cannot have, even if a row said so. */
function scopesOfKey(key: LiveKey): ReadonlySet<Scope> {
  const held = scopesOfRole(key.role)
  return new Set(key.scopes.filter((scope) => held.has(scope) && grantableScopes.includes(scope)))
}

function isStale(lastUsedAt: Date | undefined, at: Date): boolean {
  return lastUsedAt === undefined || at.getTime() - lastUsedAt.getTime() >= usePrecisionMs
}

/** The credential of an `Authorization: Bearer` header (RFC 6750); `undefined` for any other header. */
export function bearerOf(authorization: string): string | undefined {
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1]
}

import type { auth, Reply } from '@millrace/contract'
import type { Principal } from '#platform/auth/principal.ts'
import { toTypeId } from '#platform/ids.ts'
import type { SignInResult } from './completion/complete-sign-in.ts'
import { type Account, endOf, type Session, type SessionLimits, type SignedInUser, type TokenPair, type User } from './model.ts'

import type { Profile } from './profile/profile-store.ts'

type SessionView = Reply<typeof auth.sessions>['data'][number]

export function tokensView(tokens: TokenPair): Reply<typeof auth.refresh> {
  return {
    accessToken: tokens.accessToken,
    tokenType: 'Bearer',
    expiresIn: tokens.expiresInSeconds,
    refreshToken: tokens.refreshToken,
    refreshExpiresAt: tokens.refreshExpiresAt.toISOString(),
    jti: toTypeId('ses', tokens.sessionId),
  }
}

export function signedInView({ user, tokens }: SignedInUser): Reply<typeof auth.register> {
  const { email, name = null, role } = user
  return {
    status: 'signed_in',
    ...tokensView(tokens),
    user: { id: toTypeId('usr', user.id), email, name, role, accountId: toTypeId('acct', user.accountId) },
  }
}

type Pending = Exclude<SignInResult, { readonly status: 'signed_in' }>

export function challengeView({ status, challenge, expiresAt, factors, phoneHint }: Pending): Reply<typeof auth.login> {
  return { status, challenge, expiresAt: expiresAt.toISOString(), factors: [...factors], phoneHint: phoneHint ?? null }
}

export function meView(
  user: User,
  account: Account,
  profile: Pick<Profile, 'emailVerified' | 'locale' | 'zone' | 'preferences'>,
  { credential, scopes }: Pick<Principal, 'credential' | 'scopes'>,
): Reply<typeof auth.me> {
  const { email, name = null, role, isOperator } = user
  return {
    id: toTypeId('usr', user.id),
    email,
    name,
    role,
    isOperator,
    account: { id: toTypeId('acct', account.id), name: account.name },
    scopes: [...scopes],
    credential: credential === 'api_key' ? credential : 'session',
    emailVerified: profile.emailVerified,
    locale: profile.locale ?? null,
    zone: profile.zone ?? null,
    preferences: profile.preferences,
    createdAt: user.createdAt.toISOString(),
  }
}

export function sessionView(session: Session, current: boolean, limits: SessionLimits): SessionView {
  return {
    jti: toTypeId('ses', session.id),
    current,
    device: session.device ?? null,
    ip: session.ip ?? null,
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    expiresAt: endOf(session, limits).toISOString(),
  }
}

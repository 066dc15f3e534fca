import type { auth, Reply } from '@millrace/contract'
import type { Principal } from '#platform/auth/principal.ts'
import { toTypeId } from '#platform/ids.ts'
import { type Account, endOf, type Session, type SessionLimits, type SignedInUser, type TokenPair, type User } from './model.ts'

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

export function signedInView({ user, tokens }: SignedInUser): Reply<typeof auth.login> {
  const { email, name = null, role } = user
  return { ...tokensView(tokens), user: { id: toTypeId('usr', user.id), email, name, role, accountId: toTypeId('acct', user.accountId) } }
}

export function meView(
  user: User,
  account: Account,
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
    credential,
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

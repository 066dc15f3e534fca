import { timingSafeEqual } from 'node:crypto'
import { Fault, grantableScopes, type Role, type Scope, scopesOfRole } from '@millrace/contract'
import type { AccessTokens } from './access-token.ts'
import { apiKeyMark, readApiKey } from './api-key-secret.ts'
import type { Principal } from './principal.ts'
import type { UsageRecorder } from './usage-recorder.ts'

/** The user of a credential. */
export interface CredentialOwner {
  readonly accountId: string
  readonly userId: string
  readonly role: Role
  readonly isOperator: boolean
}

/** An active session. */
export interface LiveSession extends CredentialOwner {
  readonly authenticatedAt: Date
  readonly lastUsedAt: Date
}

/** A secret of an API key that is not revoked. The caller checks `endsAt`. */
export interface LiveKey extends CredentialOwner {
  readonly id: string
  readonly hash: Uint8Array
  readonly scopes: readonly Scope[]
  /** The workflows to which it is limited; absent for a key without this limit. */
  readonly workflowIds?: readonly string[]
  /** The only path at which it is valid; absent for a key that is valid everywhere. */
  readonly audience?: string
  readonly endsAt: Date | undefined
  readonly lastUsedAt: Date | undefined
}

/** When and from where a session was last used. */
export interface SessionUse {
  readonly at: Date
  readonly ip: string
}

export interface AuthenticatorDeps {
  readonly tokens: Pick<AccessTokens, 'verify'>
  /** Both query the database for every request, so that a revoked credential is refused at the next one. */
  readonly findSession: (id: string) => Promise<LiveSession | undefined>
  /** Finds a sign-in that waits for a second factor; `undefined` for an unknown or ended one. */
  readonly findChallenge?: (token: string) => Promise<(CredentialOwner & { readonly id: string }) | undefined>
  readonly findKeys: (prefix: string) => Promise<readonly LiveKey[]>
  readonly sessionUses: Pick<UsageRecorder<SessionUse>, 'record'>
  readonly keyUses: Pick<UsageRecorder<Date>, 'record'>
  readonly now: () => Date
}

/** The parts of a request by which its caller is authenticated. */
export interface Presented {
  readonly authorization: string | undefined
  readonly ip: string
}

/** What begins the token of a sign-in that waits for a second factor. */
export const challengeMark = 'mfc_'
/** Such a token can do nothing but end its sign-in. */
const challengeScopes: ReadonlySet<Scope> = new Set(['sign-in:finish'])

/** The precision of "last used". */
const usePrecisionMs = 60_000

/** Makes the authenticator: it returns `undefined` without a credential, and throws a Fault for one that is not valid. */
export function createAuthenticator(deps: AuthenticatorDeps): (presented: Presented) => Promise<Principal | undefined> {
  const { tokens, findSession, findKeys, sessionUses, keyUses, now } = deps

  async function bySession(token: string, ip: string): Promise<Principal> {
    const { userId, sessionId } = await tokens.verify(token)
    const session = await findSession(sessionId)
    if (session === undefined || session.userId !== userId) throw new Fault('unauthenticated', { detail: wrongCredential.session })
    const at = now()
    if (isStale(session.lastUsedAt, at)) sessionUses.record(sessionId, { at, ip })
    return {
      ...ownerOf(session),
      credential: 'session',
      scopes: scopesOfRole(session.role),
      authenticatedAt: session.authenticatedAt,
      jti: sessionId,
    }
  }

  async function byKey(text: string): Promise<Principal> {
    const secret = readApiKey(text)
    if (secret === undefined) throw new Fault('unauthenticated', { detail: wrongCredential.key })
    const candidates = await findKeys(secret.prefix)
    const key = candidates.find(({ hash }) => timingSafeEqual(hash, secret.hash))
    if (key === undefined) throw new Fault('unauthenticated', { detail: wrongCredential.key })
    const at = now()
    if (key.endsAt !== undefined && key.endsAt <= at) throw expired(key)
    if (isStale(key.lastUsedAt, at)) keyUses.record(key.id, at)
    return { ...ownerOf(key), credential: 'api_key', scopes: scopesOfKey(key), keyId: key.id, ...limitOf(key), ...audienceOf(key) }
  }

  async function byChallenge(token: string): Promise<Principal> {
    const challenge = await deps.findChallenge?.(token)
    if (challenge === undefined) throw new Fault('unauthenticated', { detail: wrongCredential.challenge })
    return { ...ownerOf(challenge), isOperator: false, credential: 'challenge', scopes: challengeScopes, challengeId: challenge.id }
  }

  return async ({ authorization, ip }) => {
    if (authorization === undefined) return undefined
    const credential = bearerOf(authorization)
    if (credential === undefined) throw new Fault('unauthenticated', { detail: wrongCredential.header })
    if (credential.startsWith(challengeMark)) return await byChallenge(credential)
    return credential.startsWith(apiKeyMark) ? await byKey(credential) : await bySession(credential, ip)
  }
}

/** A token of an MCP client can be refreshed, and a key that a person issued cannot. */
function expired({ audience }: LiveKey): Fault {
  return audience === undefined ? new Fault('token_expired', { detail: expiredKey }) : new Fault('token_expired')
}

const expiredKey = 'The API key has expired. Create a new one on the page API keys.'

/** Says which kind of credential is refused, and never whether it was valid once. */
export const wrongCredential = {
  header: 'The `Authorization` header has to be `Bearer`, a space, and one access token or API key.',
  key: 'The API key is not valid: it is incomplete, mistyped, revoked, or of another installation. Make one on the page API keys.',
  session: 'The access token is not valid: its session has ended, or it is of another installation. Sign in again.',
  challenge: 'The sign-in has ended or is not known. Begin again with e-mail address and password.',
} as const

function audienceOf({ audience }: LiveKey): Pick<Principal, 'audience'> {
  return audience === undefined ? {} : { audience }
}

function limitOf({ workflowIds }: LiveKey): Pick<Principal, 'workflowIds'> {
  return workflowIds === undefined ? {} : { workflowIds: new Set(workflowIds) }
}

function ownerOf({ accountId, userId, role, isOperator }: CredentialOwner): CredentialOwner {
  return { accountId, userId, role, isOperator }
}

/** The scopes of the key that its user still has, without those that no key may have, even if its row contains one. */
function scopesOfKey(key: LiveKey): ReadonlySet<Scope> {
  const ofRole = scopesOfRole(key.role)
  return new Set(key.scopes.filter((scope) => ofRole.has(scope) && grantableScopes.includes(scope)))
}

function isStale(lastUsedAt: Date | undefined, at: Date): boolean {
  return lastUsedAt === undefined || at.getTime() - lastUsedAt.getTime() >= usePrecisionMs
}

/** The credential of an `Authorization: Bearer` header (RFC 6750); `undefined` for any other header. */
export function bearerOf(authorization: string): string | undefined {
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1]
}

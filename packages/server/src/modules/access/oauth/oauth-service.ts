import { createHash } from 'node:crypto'
import { Fault, type Role, type Scope, scopesOfRole } from '@millrace/contract'
import type { ApiKey } from '#modules/access/model.ts'
import { keysOfUserMax } from '#modules/access/model.ts'
import { countKeys, type Executor, insertKey, lockUser, markRevoked } from '#modules/access/store.ts'
import { type ApiKeySecret, mintApiKey, readApiKey } from '#platform/auth/api-key-secret.ts'
import type { Database } from '#platform/db/database.ts'
import { OAuthError } from './oauth-error.ts'
import {
  type Authorization,
  findClient,
  findCode,
  findGrant,
  type Grant,
  insertCode,
  insertToken,
  revokeEarlier,
  spendRefresh,
  sweepOAuth,
  takeCode,
} from './oauth-store.ts'
import type { OAuthClient } from './oauth-client.ts'
import type { OAuthClients } from './oauth-clients.ts'
import { matchesRedirect } from './redirect-uri.ts'

export interface OAuthDeps {
  readonly database: Pick<Database, 'account' | 'system'>
  readonly clients: Pick<OAuthClients, 'find' | 'register'>
  readonly now: () => Date
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
  /** The address of the installation; undefined if it is not configured. */
  readonly publicUrl: string | undefined
}

/** The parameters of an authorization request. */
export interface AuthorizationRequest {
  readonly client_id: string
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly scope?: string | undefined
  readonly state?: string | undefined
  readonly resource?: string | undefined
}

/** An authorization request that a user can decide on. */
export interface CheckedRequest {
  readonly client: OAuthClient
  readonly scopes: readonly Scope[]
}

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly scopes: readonly Scope[]
}

export type OAuth = ReturnType<typeof createOAuth>

/** Scopes that the tools of `/mcp` use. */
export const oauthScopes: readonly Scope[] = ['executions:run', 'executions:read']
export const accessTokenSeconds = 60 * 60
const codeMs = 2 * 60 * 1000
/** A grant ends a year after a person gave it, or when its client does not renew its tokens for so long. */
const grantMs = 365 * 24 * 60 * 60 * 1000
const refreshMs = 60 * 24 * 60 * 60 * 1000

/** The authorization server for `/mcp`: OAuth 2.1 with PKCE, public clients and rotating refresh tokens. */
export function createOAuth({ database, clients, now, newId, randomBytes, publicUrl }: OAuthDeps) {
  function mint(): { readonly text: string; readonly secret: ApiKeySecret } {
    const text = mintApiKey(randomBytes)
    const secret = readApiKey(text)
    if (secret === undefined) throw new Error('a new token cannot be read')
    return { text, secret }
  }

  async function checked(given: Omit<AuthorizationRequest, 'code_challenge'>): Promise<CheckedRequest> {
    const client = await clients.find(given.client_id)
    if (!client.redirectUris.some((known) => matchesRedirect(known, given.redirect_uri)))
      throw invalid('/redirect_uri', 'The client did not register this address.')
    if (!isOurResource(given.resource, publicUrl)) throw invalid('/resource', 'Is not the address of the MCP server of this installation.')
    const wanted = given.scope?.split(' ').filter(Boolean) ?? []
    const scopes = wanted.length === 0 ? oauthScopes : oauthScopes.filter((scope) => wanted.includes(scope))
    if (scopes.length === 0) throw invalid('/scope', `Must be of ${oauthScopes.join(' ')}.`)
    return { client, scopes }
  }

  async function issue(tx: Executor, grant: Pick<Grant, 'accountId' | 'keyId' | 'scopes'>): Promise<Tokens> {
    const at = now()
    const [access, refresh] = [mint(), mint()]
    const until = new Date(at.getTime() + accessTokenSeconds * 1000)
    await insertToken(tx, grant, { secret: access.secret, kind: 'access', at, until })
    await insertToken(tx, grant, { secret: refresh.secret, kind: 'refresh', at, until: undefined })
    return { accessToken: access.text, refreshToken: refresh.text, scopes: grant.scopes }
  }

  return {
    register: clients.register,

    /** What a client asks for; it may fetch the document of the client. Fault `request_invalid`. */
    request: checked,

    /** @returns where the user returns to. Faults: `insufficient_role`, `conflict`. */
    async decide(
      tx: Executor,
      accountId: string,
      { userId, role }: { readonly userId: string; readonly role: Role },
      { allow, client, scopes, ...given }: AuthorizationRequest & CheckedRequest & { readonly allow: boolean },
    ): Promise<string> {
      const target = new URL(given.redirect_uri)
      if (given.state !== undefined) target.searchParams.set('state', given.state)
      if (publicUrl !== undefined) target.searchParams.set('iss', new URL(publicUrl).origin)
      if (!allow) {
        target.searchParams.set('error', 'access_denied')
        return target.href
      }
      const ofRole = scopesOfRole(role)
      if (!scopes.every((scope) => ofRole.has(scope)))
        throw new Fault('insufficient_role', { detail: `The role ${role} cannot allow ${scopes.join(', ')}.` })
      if ((await countKeys(tx, accountId, userId, now())) >= keysOfUserMax)
        throw new Fault('conflict', { detail: `API key limit reached (${keysOfUserMax}). Revoke a key that is not needed.` })
      const { text, secret } = mint()
      const { redirect_uri: redirectUri, code_challenge: challenge } = given
      const expiresAt = new Date(now().getTime() + codeMs)
      await insertCode(tx, secret.hash, { accountId, userId, clientId: client.id, redirectUri, scopes, challenge, expiresAt })
      target.searchParams.set('code', text)
      return target.href
    },

    /** Tokens for a code, once. */
    async exchange(given: {
      readonly code: string
      readonly clientId: string
      readonly redirectUri: string
      readonly verifier: string
      readonly resource: string | undefined
    }): Promise<Tokens> {
      const secret = readApiKey(given.code)
      const found = secret === undefined ? undefined : await findCode(database.system, secret.hash)
      if (secret === undefined || found === undefined) throw new OAuthError('invalid_grant', 'The code is not valid.')
      const { accountId, userId, scopes } = found
      const [at, keyId] = [now(), newId()]
      const isWanted = fits(found, given, at)
      const client = await findClient(database.system, found.clientId)
      const tokens = await database.account(accountId, async (tx) => {
        // A revocation locks the user, too: it finds the key that is made here, or this finds no code.
        if (!(await lockUser(tx, accountId, userId))) return undefined
        const taken = await takeCode(tx, accountId, { hash: secret.hash, keyId, at })
        // One of two users of the same code has stolen it.
        if (typeof taken === 'object') await markRevoked(tx, accountId, taken.used, at)
        if (taken !== 'taken' || client === undefined || !isWanted || !isOurResource(given.resource, publicUrl)) return undefined
        await revokeEarlier(tx, found, at)
        const key: ApiKey = {
          id: keyId,
          accountId,
          userId,
          name: `${client.name} (MCP)`,
          scopes,
          workflowIds: undefined,
          start: '',
          createdAt: at,
          expiresAt: undefined,
          lastUsedAt: undefined,
        }
        await insertKey(tx, key, client.id)
        return issue(tx, { accountId, keyId, scopes })
      })
      if (tokens !== undefined) return tokens
      if (isWanted && !isOurResource(given.resource, publicUrl))
        throw new OAuthError('invalid_target', 'The resource is not this MCP server.')
      throw new OAuthError('invalid_grant', 'The code is not valid.')
    },

    /** New tokens for a refresh token, once. A second use revokes the grant, since one of the two users has stolen it. */
    async refresh({ token, clientId }: { readonly token: string; readonly clientId: string }): Promise<Tokens> {
      const secret = readApiKey(token)
      const grant = secret === undefined ? undefined : await findGrant(database.system, secret)
      if (secret === undefined || grant === undefined || grant.clientId !== clientId || grant.kind === 'access')
        throw new OAuthError('invalid_grant', 'The refresh token is not valid.')
      const { grantsBefore, unusedBefore } = limitsAt(now())
      if (grant.grantedAt < grantsBefore || (grant.kind === 'refresh' && grant.issuedAt < unusedBefore))
        throw new OAuthError('invalid_grant', 'The access was not used for 60 days, or given a year ago. Connect the client again.')
      const tokens = await database.account(grant.accountId, async (tx) => {
        if (await spendRefresh(tx, grant.accountId, grant.keyId, secret.hash, now())) return issue(tx, grant)
        await markRevoked(tx, grant.accountId, grant.keyId, now())
        return undefined
      })
      if (tokens === undefined) throw new OAuthError('invalid_grant', 'The refresh token was used before, so its access was revoked.')
      return tokens
    },

    /** Revokes the grant of a token (RFC 7009); an unknown token is no error. */
    async revoke({ token, clientId }: { readonly token: string; readonly clientId: string }): Promise<void> {
      const secret = readApiKey(token)
      const grant = secret === undefined ? undefined : await findGrant(database.system, secret)
      if (grant?.clientId !== clientId) return
      await database.account(grant.accountId, (tx) => markRevoked(tx, grant.accountId, grant.keyId, now()))
    },

    /** Ends old grants, and deletes tokens and codes that nothing can use. */
    async sweep(): Promise<void> {
      await sweepOAuth(database.system, now(), limitsAt(now()))
    },
  }
}

/** When grants and their refresh tokens end. */
function limitsAt(at: Date): { readonly grantsBefore: Date; readonly unusedBefore: Date } {
  return { grantsBefore: new Date(at.getTime() - grantMs), unusedBefore: new Date(at.getTime() - refreshMs) }
}

function fits(
  found: Authorization,
  { clientId, redirectUri, verifier }: { readonly clientId: string; readonly redirectUri: string; readonly verifier: string },
  at: Date,
): boolean {
  const isVerifier = /^[\w.~-]{43,128}$/.test(verifier)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return (
    isVerifier && found.expiresAt > at && found.clientId === clientId && found.redirectUri === redirectUri && found.challenge === challenge
  )
}

/** Tokens are for `/mcp` alone, whatever a client asks for; one that asks for another resource is refused (RFC 8707). */
function isOurResource(resource: string | undefined, publicUrl: string | undefined): boolean {
  if (resource === undefined) return true
  const url = URL.parse(resource)
  if (url === null || !/^\/mcp\/?$/.test(url.pathname) || url.hash !== '') return false
  return publicUrl === undefined || url.origin === new URL(publicUrl).origin
}

function invalid(pointer: string, detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer, detail }] })
}

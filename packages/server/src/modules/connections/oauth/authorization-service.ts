import { createHash } from 'node:crypto'
import { Fault } from '@millrace/contract'
import type { Http } from '#modules/connections/authorised-port.ts'
import type { ConnectionSecretsBox } from '#modules/connections/connection-secrets.ts'
import { findConnection } from '#modules/connections/connection-store.ts'
import type { Connection, SettingsOf } from '#modules/connections/model.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import type { Sealing } from '#platform/sealing/sealing.ts'
import { insertAuthorization, takeAuthorization } from './authorization-store.ts'
import { requestToken } from './request-token.ts'
import type { TokenSource } from './token-source.ts'

export interface AuthorizationDeps {
  readonly database: Pick<Database, 'account'>
  readonly sealing: Pick<Sealing, 'seal' | 'open'>
  readonly secrets: ConnectionSecretsBox
  readonly tokens: Pick<TokenSource, 'keep'>
  readonly http: Http
  readonly randomBytes: (size: number) => Uint8Array
  readonly now: () => number
  /** Continues what waits for the connection. */
  readonly onAuthorized: (tx: Tx, accountId: string, name: string) => Promise<unknown>
  /** The page that the service redirects to. */
  readonly redirectUri: string
}

const validMs = 10 * 60_000

export type Authorizations = ReturnType<typeof createAuthorizations>

/** The consent of a person to a connection of OAuth: authorization code with state and PKCE. Source: RFC 6749, 4.1; RFC 7636; RFC 9700. */
export function createAuthorizations(deps: AuthorizationDeps) {
  const { database, sealing, secrets: box, tokens, http, randomBytes, now, redirectUri } = deps
  const random = () => Buffer.from(randomBytes(32)).toString('base64url')
  const placeOf = (digest: Buffer) => ({ table: 'connection_authorizations', column: 'verifier', row: digest.toString('hex') })

  return {
    redirectUri,

    async begin(tx: Tx, accountId: string, id: string, userId: string): Promise<{ readonly url: string; readonly expiresAt: Date }> {
      const { settings } = (await find(tx, accountId, id)).connection
      const [state, verifier, expiresAt] = [random(), random(), new Date(now() + validMs)]
      const stateDigest = digestOf(state)
      const sealed = await sealing.seal(tx, accountId, placeOf(stateDigest), Buffer.from(verifier))
      await insertAuthorization(tx, accountId, { stateDigest, connectionId: id, userId, verifier: sealed, expiresAt }, new Date(now()))
      return { url: authorizationUrl(settings, { redirectUri, state, verifier }), expiresAt }
    },

    /** Fault `conflict` if the state is unknown, was used, is of another user or has ended, or if the service refuses the code. */
    async complete(
      accountId: string,
      userId: string,
      { state, code }: { readonly state: string; readonly code: string },
    ): Promise<Connection> {
      const stateDigest = digestOf(state)
      const taken = await database.account(accountId, async (tx) => {
        const pending = await takeAuthorization(tx, accountId, { stateDigest, userId, now: new Date(now()) })
        if (pending === undefined) return undefined
        const found = await find(tx, accountId, pending.connectionId)
        const verifier = await sealing.open(tx, accountId, placeOf(stateDigest), pending.verifier)
        const secrets = await box.openSecrets(tx, accountId, pending.connectionId, found.sealed)
        const { revision, settings } = found.connection
        return verifier === undefined ? undefined : { id: pending.connectionId, revision, settings, secrets, verifier }
      })
      if (taken === undefined)
        throw new Fault('conflict', { detail: 'The authorization is unknown, was used or took too long. Begin again.' })
      const { id, revision, settings, secrets } = taken
      const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: taken.verifier.toString() } as const
      const reply = await requestToken(http, { settings, secrets }, grant, now())
      if ('problem' in reply) throw new Fault('conflict', { detail: reply.problem })
      return database.account(accountId, async (tx) => {
        const before = await find(tx, accountId, id, { lock: true })
        if (before.connection.revision !== revision)
          throw new Fault('conflict', {
            detail: 'The connection was changed meanwhile, so the tokens may belong to another service. Begin again.',
          })
        await tokens.keep(tx, accountId, id, reply)
        const { connection } = await find(tx, accountId, id)
        await deps.onAuthorized(tx, accountId, connection.name)
        return connection
      })
    },
  }
}

async function find(tx: Tx, accountId: string, id: string, options: { readonly lock?: boolean } = {}) {
  const found = await findConnection(tx, accountId, { id }, options)
  if (found === undefined) throw new Fault('not_found', { detail: 'There is no such connection.' })
  const { settings } = found.connection
  if (settings.kind !== 'oauth2' || settings.grant !== 'authorization_code')
    throw new Fault('conflict', { detail: 'Only a connection of OAuth with the grant authorization_code is authorized by a person.' })
  return { sealed: found.sealed, connection: { ...found.connection, settings } }
}

function authorizationUrl(
  { authorizationUrl: endpoint = '', clientId, scopes }: SettingsOf<'oauth2'>,
  { redirectUri, state, verifier }: { readonly redirectUri: string; readonly state: string; readonly verifier: string },
): string {
  const url = new URL(endpoint)
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

function digestOf(state: string): Buffer {
  return createHash('sha256').update(state).digest()
}

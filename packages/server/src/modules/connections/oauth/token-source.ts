import { standardError } from '@millrace/engine'
import { notify } from '#modules/notifications/index.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Http } from '#modules/connections/authorised-port.ts'
import { ConsentNeeded } from '#modules/connections/consent-needed.ts'
import type { ConnectionSecretsBox, Tokens } from '#modules/connections/connection-secrets.ts'
import { findConnection, type SealedConnection, updateState, updateTokens } from '#modules/connections/connection-store.ts'
import { type PauseDependents, pausedText } from '#modules/connections/lose-connection.ts'
import type { SettingsOf } from '#modules/connections/model.ts'
import { type Grant, requestToken, type TokenRefusal } from './request-token.ts'

export interface TokenSourceDeps {
  readonly database: Pick<Database, 'account'>
  readonly secrets: ConnectionSecretsBox
  readonly http: Http
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly onRevoked: PauseDependents
}

export type TokenSource = ReturnType<typeof createTokenSource>

/** A token is replaced so long before its end. */
const marginMs = 30_000

type Outcome = { readonly token: string } | TokenRefusal

/** The access tokens of connections. Of any number of tasks that need a new token at the same time, in all processes, one requests it. */
export function createTokenSource({ database, secrets: box, http, now, onRevoked }: TokenSourceDeps) {
  const underWay = new Map<string, Promise<Outcome>>()

  /** The access token if it can still be used. */
  function usable(tokens: Tokens | undefined, rejected: string | undefined): string | undefined {
    if (tokens === undefined || tokens.accessToken === rejected) return undefined
    return tokens.expiresAtMs === undefined || tokens.expiresAtMs > now() + marginMs ? tokens.accessToken : undefined
  }

  /** Under the lock of the row: other processes wait here, and then find the new token. */
  async function readLocked(tx: Tx, accountId: string, id: string, rejected: string | undefined): Promise<Outcome> {
    const found = await findConnection(tx, accountId, { id }, { lock: true })
    if (found === undefined || found.connection.settings.kind !== 'oauth2')
      return { problem: 'The connection was deleted.', isRevoked: false }
    const tokens = await tokensOf(tx, accountId, found)
    const current = usable(tokens, rejected)
    if (current !== undefined) return { token: current }
    const { settings } = found.connection
    const grant = grantFor(settings, tokens)
    if (grant === undefined) return revoke(tx, accountId, found, 'The token has ended and the service gave none to renew it.')
    const secrets = await box.openSecrets(tx, accountId, id, found.sealed)
    const reply = await requestToken(http, { settings, secrets }, grant, now())
    if ('problem' in reply) {
      // No person can consent to client credentials: they are tried again.
      if (settings.grant !== 'authorization_code') return { ...reply, isRevoked: false }
      return reply.isRevoked ? revoke(tx, accountId, found, reply.problem) : reply
    }
    // A server that does not rotate refresh tokens sends none.
    await keep(tx, accountId, id, { ...reply, refreshToken: reply.refreshToken ?? tokens?.refreshToken })
    return { token: reply.accessToken }
  }

  /** From here on calls fail at once, without a request, until a person consents again. */
  async function revoke(tx: Tx, accountId: string, { connection }: SealedConnection, problem: string): Promise<Outcome> {
    const { id, name } = connection
    await updateState(tx, accountId, id, { state: 'unauthorized', problem }, undefined)
    const paused = await onRevoked(tx, accountId, { name, reason: `The connection "${name}" has to be authorized again. ${problem}` })
    const waiting = paused === 0 ? '' : ` ${pausedText(paused)} and will continue without further action.`
    await notify(tx, {
      accountId,
      roles: ['owner', 'admin'],
      kind: 'connection.failed',
      title: `The connection ${name} has to be authorized again`,
      body: `${problem} Workflows that use it fail until then.${waiting}`,
      link: `/connections/${toTypeId('conn', id)}`,
      groupKey: `connection ${id}`,
    })
    return { problem, isRevoked: true }
  }

  async function tokensOf(tx: Tx, accountId: string, { connection, tokens }: SealedConnection): Promise<Tokens | undefined> {
    return tokens === undefined ? undefined : box.openTokens(tx, accountId, connection.id, tokens)
  }

  async function keep(tx: Tx, accountId: string, id: string, tokens: Tokens): Promise<void> {
    await updateTokens(tx, accountId, id, await box.seal(tx, accountId, id, 'tokens', tokens))
  }

  return {
    keep,

    /** Raises WorkflowError of type authentication if there is no token, ConsentNeeded if the grant was revoked. */
    async read(accountId: string, id: string, rejected?: string): Promise<string> {
      const known = await database.account(accountId, async (tx) => {
        const found = await findConnection(tx, accountId, { id })
        return found === undefined ? undefined : tokensOf(tx, accountId, found)
      })
      const current = usable(known, rejected)
      if (current !== undefined) return current
      const renewing =
        underWay.get(id) ?? database.account(accountId, (tx) => readLocked(tx, accountId, id, rejected)).finally(() => underWay.delete(id))
      underWay.set(id, renewing)
      const outcome = await renewing
      if ('token' in outcome) return outcome.token
      throw outcome.isRevoked ? new ConsentNeeded(outcome.problem) : standardError('authentication', outcome.problem)
    },
  }
}

function grantFor({ grant }: SettingsOf<'oauth2'>, tokens: Tokens | undefined): Grant | undefined {
  if (grant === 'client_credentials') return { grant_type: 'client_credentials' }
  return tokens?.refreshToken === undefined ? undefined : { grant_type: 'refresh_token', refresh_token: tokens.refreshToken }
}

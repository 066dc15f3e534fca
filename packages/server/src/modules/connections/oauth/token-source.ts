import { setTimeout } from 'node:timers/promises'
import { standardError } from '@millrace/engine'
import { notify } from '#modules/notifications/index.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { createFairGate } from '#platform/batching/fair-gate.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Http } from '#modules/connections/authorised-port.ts'
import { ConsentNeeded } from '#modules/connections/consent-needed.ts'
import type { ConnectionSecretsBox, Tokens } from '#modules/connections/connection-secrets.ts'
import { findConnection, type SealedConnection, updateState, updateTokens } from '#modules/connections/connection-store.ts'
import { type PauseDependents, pausedText } from '#modules/connections/lose-connection.ts'
import type { SettingsOf, UsableConnection } from '#modules/connections/model.ts'
import { createRefusedTokens } from './refused-tokens.ts'
import { beginRenewal, endRenewal, failRenewal, findRenewal, leaseMs } from './renewal-store.ts'
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
const pollMs = 200
/** Until a lease of a process that died has ended, and some time for the renewal that follows. */
const attemptsMax = (1.5 * leaseMs) / pollMs
/** Renewals that are under way in this process, so that slow token endpoints of one account do not stop others. */
const renewals = { max: 32, maxOfKey: 4 }

const deleted: TokenRefusal = { problem: 'The connection was deleted.', isRevoked: false }
const ended = 'The token has ended and the service gave none to renew it.'

type Outcome = { readonly token: string } | TokenRefusal

/** What this process has the lease for. */
interface Begun {
  readonly version: number
  /** None if the service gave no token for it: then its refusal of the access token is in doubt. */
  readonly grant: Grant | undefined
  readonly tokens: Tokens | undefined
  readonly connection: UsableConnection & { readonly settings: SettingsOf<'oauth2'> }
}

/** The access tokens of connections. Of any number of tasks that need a new token at the same time, in all processes, one requests it. */
export function createTokenSource({ database, secrets: box, http, now, onRevoked }: TokenSourceDeps) {
  const underWay = new Map<string, Promise<Outcome>>()
  const gate = createFairGate(renewals)
  const refused = createRefusedTokens({ http, now })

  /** The access token if it can still be used. */
  function usable(tokens: Tokens | undefined, rejected: string | undefined): string | undefined {
    if (tokens === undefined || tokens.accessToken === rejected) return undefined
    return tokens.expiresAtMs === undefined || tokens.expiresAtMs > now() + marginMs ? tokens.accessToken : undefined
  }

  /** Repeats an attempt while another process has the lease, without a transaction meanwhile. */
  async function renew(accountId: string, id: string, rejected: string | undefined): Promise<Outcome> {
    for (let attempts = 0; attempts < attemptsMax; attempts++) {
      const outcome = await gate(accountId, () => attempt(accountId, id, rejected))
      if (outcome !== undefined) return outcome
      await setTimeout(pollMs)
    }
    return { problem: 'The token is being renewed for too long.', isRevoked: false }
  }

  /** No transaction is open during the requests, since they may last long. @returns undefined if it has to be repeated. */
  async function attempt(accountId: string, id: string, rejected: string | undefined): Promise<Outcome | undefined> {
    const begun = await database.account(accountId, (tx) => begin(tx, accountId, id, rejected))
    if (begun === undefined || !('version' in begun)) return begun
    const { grant, connection } = begun
    const reply = grant === undefined ? await doubt(id, connection) : await requestToken(http, connection, grant, now())
    return database.account(accountId, (tx) => end(tx, accountId, id, begun, reply))
  }

  /** Takes the lease, if a request is needed and no process makes one. */
  async function begin(tx: Tx, accountId: string, id: string, rejected: string | undefined): Promise<Outcome | Begun | undefined> {
    const found = await findConnection(tx, accountId, { id }, { lock: true })
    if (found === undefined || found.connection.settings.kind !== 'oauth2') return deleted
    const tokens = await tokensOf(tx, accountId, found)
    const current = usable(tokens, rejected)
    if (current !== undefined) return { token: current }
    const { name, settings, state, problem } = found.connection
    if (state === 'unauthorized' && settings.grant === 'authorization_code')
      return { problem: problem ?? 'The connection has to be authorized.', isRevoked: true }
    const { version, isUnderWay, recentProblem } = await findRenewal(tx, accountId, id)
    if (isUnderWay) return undefined
    if (recentProblem !== undefined) return { problem: recentProblem, isRevoked: false }
    const grant = grantFor(settings, tokens)
    if (grant === undefined && (rejected === undefined || usable(tokens, undefined) !== rejected))
      return revoke(tx, accountId, found, ended)
    const secrets = await box.openSecrets(tx, accountId, id, found.sealed)
    await beginRenewal(tx, accountId, id)
    return { version, grant, tokens, connection: { name, settings, secrets, accessToken: rejected } }
  }

  /** The service has refused a token that it does not renew. */
  async function doubt(id: string, connection: UsableConnection): Promise<TokenRefusal | undefined> {
    return (await refused.hasEnded(id, connection)) ? { problem: ended, isRevoked: true } : undefined
  }

  /** Keeps the reply, unless a person has consented or changed the connection meanwhile: then it belongs to what was there before. */
  async function end(
    tx: Tx,
    accountId: string,
    id: string,
    begun: Begun,
    reply: Tokens | TokenRefusal | undefined,
  ): Promise<Outcome | undefined> {
    const found = await findConnection(tx, accountId, { id }, { lock: true })
    if (found === undefined) return deleted
    if (!(await endRenewal(tx, accountId, id, begun.version))) return undefined
    const { tokens, connection } = begun
    if (reply === undefined) return { token: connection.accessToken ?? '' }
    if ('problem' in reply) {
      if (reply.isRevoked && connection.settings.grant === 'authorization_code') return revoke(tx, accountId, found, reply.problem)
      await failRenewal(tx, accountId, id, reply.problem)
      // No person can consent to client credentials: they are tried again.
      return { ...reply, isRevoked: false }
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
    accept: refused.accept,

    /** Raises WorkflowError of type authentication if there is no token, ConsentNeeded if the grant was revoked. */
    async read(accountId: string, id: string, rejected?: string): Promise<string> {
      const known = await database.account(accountId, async (tx) => {
        const found = await findConnection(tx, accountId, { id })
        return found === undefined ? undefined : tokensOf(tx, accountId, found)
      })
      const current = usable(known, rejected)
      if (current !== undefined) return current
      const renewing = underWay.get(id) ?? renew(accountId, id, rejected).finally(() => underWay.delete(id))
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

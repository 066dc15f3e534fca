import { connections } from '@millrace/contract'
import { standardError, WorkflowError } from '@millrace/engine'
import {
  connectionHandlers,
  ConsentNeeded,
  createAuthorizations,
  createConnections,
  deleteAuthorizationsOf,
  deleteConnectionsOf,
  notifyExpiry,
  requestToken,
  testConnection,
  type UsableConnection,
} from '#modules/connections/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'
import { originOf } from './origin.ts'

/** Connections of accounts to services. */
export function composeConnections(parts: FeatureParts): Feature {
  const { database, http, sealing, config, system } = parts
  const { now, newId, randomBytes } = system
  const { secretsBox: secrets, tokens, access, address, pauses } = parts.connections
  const tests = {
    http,
    address,
    async requestToken({ settings, secrets: given }: Omit<UsableConnection, 'accessToken'>) {
      if (settings.kind !== 'oauth2') throw new Error('only connections of OAuth have tokens')
      const reply = await requestToken(http, { settings, secrets: given }, { grant_type: 'client_credentials' }, now())
      if ('problem' in reply) throw standardError('authentication', reply.problem)
      return reply.accessToken
    },
  }
  const service = createConnections({
    now,
    newId,
    secrets,
    onReady: pauses.resume,
    onLost: pauses.pause,
    transaction: (accountId, fn) => database.account(accountId, fn),
    test: (_accountId, connection) => testConnection({ ...connection, accessToken: undefined }, tests),
    async testStored(accountId, id) {
      try {
        return await testConnection(await access.open(accountId, { id }), tests)
      } catch (error) {
        if (!(error instanceof WorkflowError)) throw error
        const { detail, title } = error.data
        return { state: error instanceof ConsentNeeded ? 'unauthorized' : 'failed', problem: detail ?? title }
      }
    },
  })
  const authorizations = createAuthorizations({
    database,
    sealing,
    secrets,
    tokens,
    http,
    randomBytes,
    now,
    onAuthorized: pauses.resume,
    redirectUri: new URL('/connections/callback', originOf(config.http)).href,
  })
  return {
    groups: { connections: served(connections, connectionHandlers(service, authorizations)) },
    maintenance: [{ name: 'connection-expiry', run: () => notifyExpiry(database.system, now()) }],
    async purge(executor, accountId) {
      await deleteAuthorizationsOf(executor, accountId)
      await deleteConnectionsOf(executor, accountId)
    },
  }
}

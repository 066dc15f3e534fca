import { standardError } from '@millrace/engine'
import type { Database } from '#platform/db/database.ts'
import { ConsentNeeded } from './consent-needed.ts'
import type { ConnectionSecretsBox } from './connection-secrets.ts'
import { findConnection, type SealedConnection } from './connection-store.ts'
import type { UsableConnection } from './model.ts'
import type { TokenSource } from './oauth/token-source.ts'

export interface ConnectionAccessDeps {
  readonly database: Pick<Database, 'account'>
  readonly secrets: ConnectionSecretsBox
  readonly tokens: TokenSource
}

export type ConnectionAccess = ReturnType<typeof createConnectionAccess>

/** Opens connections for use. Raises WorkflowError for what a workflow may catch. */
export function createConnectionAccess({ database, secrets: box, tokens }: ConnectionAccessDeps) {
  return {
    /** Call it when the service has taken the token of a connection. */
    accept: (id: string): void => tokens.accept(id),

    /** @param rejectedToken a token of OAuth that the service has refused. */
    async open(
      accountId: string,
      key: { readonly id: string } | { readonly name: string },
      rejectedToken?: string,
    ): Promise<UsableConnection & { readonly id: string }> {
      const found = await database.account(accountId, async (tx) => {
        const sealed = await findConnection(tx, accountId, key)
        if (sealed === undefined) return undefined
        return { sealed, secrets: await box.openSecrets(tx, accountId, sealed.connection.id, sealed.sealed) }
      })
      const name = 'name' in key ? key.name : key.id
      if (found === undefined) throw standardError('configuration', `The account has no connection with the name "${name}".`)
      const { connection } = found.sealed
      const accessToken = await tokenOf(accountId, found.sealed, rejectedToken)
      return { id: connection.id, name: connection.name, settings: connection.settings, secrets: found.secrets, accessToken }
    },
  }

  async function tokenOf(accountId: string, { connection }: SealedConnection, rejected: string | undefined): Promise<string | undefined> {
    if (connection.settings.kind !== 'oauth2') return undefined
    // No person can consent to client credentials.
    if (connection.state === 'unauthorized' && connection.settings.grant === 'authorization_code')
      throw new ConsentNeeded(`The connection "${connection.name}" needs the consent of a person: ${connection.problem ?? 'authorize it'}`)
    return tokens.read(accountId, connection.id, rejected)
  }
}

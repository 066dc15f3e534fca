import {
  type ConnectionAccess,
  createConnectionAccess,
  createConnectionSecrets,
  createTokenSource,
  createUseConnection,
  type UseConnection,
} from '#modules/connections/index.ts'
import { type ConnectionPauses, createConnectionPauses } from '#modules/triggers/index.ts'
import { workflowsWithConnection } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import { createGuardedAddress, type GuardedAddress } from '#platform/net/guarded-address.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import type { UnreachableName } from '#platform/net/guarded-lookup.ts'
import type { Sealing } from '#platform/sealing/sealing.ts'
import type { departingFetch } from './departures.ts'
import type { System } from './system.ts'

/** How executions and requests use the connections of accounts. */
export interface OpenConnections {
  readonly secretsBox: ReturnType<typeof createConnectionSecrets>
  readonly tokens: ReturnType<typeof createTokenSource>
  readonly access: ConnectionAccess
  /** Of triggers that need a connection without authorization. */
  readonly pauses: ConnectionPauses
  readonly use: UseConnection
  /** Resolves names for protocols other than HTTP. */
  readonly address: GuardedAddress
}

export interface OpenConnectionsDeps {
  readonly database: Database
  readonly http: GuardedFetch
  /** The requests of one execution. */
  readonly httpOf: ReturnType<typeof departingFetch>
  readonly sealing: Sealing
  readonly allow: readonly string[]
  readonly onUnreachable: (name: UnreachableName) => void
  readonly system: Pick<System, 'now'>
}

export function openConnections({ database, http, httpOf, sealing, allow, onUnreachable, system }: OpenConnectionsDeps): OpenConnections {
  const secretsBox = createConnectionSecrets(sealing)
  const pauses = createConnectionPauses({ now: system.now, workflowsWithConnection })
  const tokens = createTokenSource({ database, secrets: secretsBox, http, now: system.now, onRevoked: pauses.pause })
  const access = createConnectionAccess({ database, secrets: secretsBox, tokens })
  return {
    secretsBox,
    tokens,
    access,
    pauses,
    use: createUseConnection({ access, httpOf }),
    address: createGuardedAddress({ allow, onUnreachable }),
  }
}

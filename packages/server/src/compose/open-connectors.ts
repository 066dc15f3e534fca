import manifest from '#manifest' with { type: 'json' }
import {
  type AdmitTexts,
  builtInConnectors,
  type ConnectorSource,
  createCodeConnectors,
  createConnectorFunctions,
  createConnectorSource,
  createMcpCall,
  type Piece,
} from '#modules/connectors/index.ts'
import { createUseConnection } from '#modules/connections/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import type { departingFetch } from './departures.ts'
import { httpEnvironment } from './engine.ts'
import type { OpenConnections } from './open-connections.ts'
import type { System } from './system.ts'

/** The connectors that executions call by name. */
export interface OpenConnectors {
  readonly source: ConnectorSource
  readonly functions: ReturnType<typeof createConnectorFunctions>
  /** Requests to MCP servers outside of executions. */
  readonly readMcp: ReturnType<typeof createMcpCall>
}

export interface OpenConnectorsDeps {
  readonly database: Pick<Database, 'system'>
  readonly connections: Pick<OpenConnections, 'use' | 'access' | 'address'>
  readonly http: GuardedFetch
  /** The requests of one execution. */
  readonly httpOf: ReturnType<typeof departingFetch>
  readonly admitTexts: AdmitTexts
  readonly pieces: readonly Piece[]
  readonly system: Pick<System, 'now' | 'randomBytes'>
}

export function openConnectors({ database, connections, http, httpOf, admitTexts, pieces, system }: OpenConnectorsDeps): OpenConnectors {
  const code = createCodeConnectors({ use: connections.use, address: connections.address, admitTexts, httpOf, pieces })
  const source = createConnectorSource({ db: database.system, builtIn: builtInConnectors, code })
  const effects = { ...httpEnvironment(system), version: manifest.version }
  // Reading the tools of a server sends no data of an execution.
  const read = createUseConnection({ access: connections.access, httpOf: () => http })
  return {
    source,
    functions: createConnectorFunctions({ source, use: connections.use, httpOf, effects }),
    readMcp: createMcpCall({ use: read, httpOf: () => http, effects }),
  }
}

import manifest from '#manifest' with { type: 'json' }
import {
  type AdmitTexts,
  builtInConnectors,
  type ConnectorSource,
  createCodeConnectors,
  createConnectorFunctions,
  createConnectorSource,
  createMcpCall,
  type Einvoices,
  type Piece,
} from '#modules/connectors/index.ts'
import { createUseConnection } from '#modules/connections/index.ts'
import type { AccountFiles } from '#modules/files/index.ts'
import type { Tables } from '#modules/tables/index.ts'
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
  /** The functions for files wait for this; executions of a process begin a moment before. */
  readonly provideFiles: (files: AccountFiles) => void
  /** As for files. */
  readonly provideTables: (tables: Tables) => void
  /** As for files. */
  readonly provideEinvoices: (einvoices: Einvoices) => void
}

export interface OpenConnectorsDeps {
  readonly database: Database
  readonly connections: Pick<OpenConnections, 'use' | 'access' | 'address'>
  readonly http: GuardedFetch
  /** The requests of one execution. */
  readonly httpOf: ReturnType<typeof departingFetch>
  readonly admitTexts: AdmitTexts
  readonly pieces: readonly Piece[]
  readonly system: Pick<System, 'now' | 'randomBytes'>
}

export function openConnectors({ database, connections, http, httpOf, admitTexts, pieces, system }: OpenConnectorsDeps): OpenConnectors {
  const { promise: accountFiles, resolve: provideFiles } = Promise.withResolvers<AccountFiles>()
  const { promise: tables, resolve: provideTables } = Promise.withResolvers<Tables>()
  const { promise: einvoices, resolve: provideEinvoices } = Promise.withResolvers<Einvoices>()
  const { use, address } = connections
  const effects = { ...httpEnvironment(system), version: manifest.version }
  const code = createCodeConnectors({ use, address, admitTexts, httpOf, effects, pieces, database, accountFiles, tables, einvoices })
  const source = createConnectorSource({ db: database.system, builtIn: builtInConnectors, code })
  // Reading the tools of a server sends no data of an execution.
  const read = createUseConnection({ access: connections.access, httpOf: () => http })
  return {
    source,
    functions: createConnectorFunctions({ source, use, httpOf, effects }),
    readMcp: createMcpCall({ use: read, httpOf: () => http, effects }),
    provideFiles,
    provideTables,
    provideEinvoices,
  }
}

import { tables as operations } from '@millrace/contract'
import { createTables, purgeTables, tableHandlers } from '#modules/tables/index.ts'
import type { Usage } from '#modules/usage/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

/** The tables of accounts, for people and for executions. */
export function composeTables({ database, connectors, system }: FeatureParts, usage: Pick<Usage, 'storageOf'>): Feature {
  const service = createTables({ database, storageOf: usage.storageOf, now: system.now })
  connectors.provideTables(service)
  return {
    groups: { tables: served(operations, tableHandlers(service)) },
    maintenance: [{ name: 'tables', run: () => service.sweep() }],
    purge: purgeTables,
  }
}

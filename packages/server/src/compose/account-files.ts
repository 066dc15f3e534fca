import { type AccountFiles, createAccountFiles } from '#modules/files/index.ts'
import type { Usage } from '#modules/usage/index.ts'
import { createFiles } from '#platform/files/files.ts'
import type { FeatureParts } from './feature.ts'

/** The files of accounts, for people and for executions. */
export function composeAccountFiles({ database, connectors, system }: FeatureParts, usage: Pick<Usage, 'storageOf'>): AccountFiles {
  const { now, newId } = system
  const files = createFiles({ ...system, db: database.system })
  const service = createAccountFiles({ database, files, storageOf: usage.storageOf, now, newId })
  connectors.provideFiles(service)
  return service
}

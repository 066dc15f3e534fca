import { files as operations } from '@millrace/contract'
import { type AccountFiles, createAccountFiles, fileHandlers } from '#modules/files/index.ts'
import type { Usage } from '#modules/usage/index.ts'
import { createFiles } from '#platform/files/files.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

/** The files of accounts, for people and for executions. */
export function composeAccountFiles(
  { database, connectors, system }: FeatureParts,
  usage: Pick<Usage, 'storageOf'>,
): { readonly feature: Feature; readonly accountFiles: AccountFiles } {
  const { now, newId } = system
  const files = createFiles({ ...system, db: database.system })
  const accountFiles = createAccountFiles({ database, files, storageOf: usage.storageOf, now, newId })
  connectors.provideFiles(accountFiles)
  return { feature: { groups: { files: served(operations, fileHandlers(accountFiles)) } }, accountFiles }
}

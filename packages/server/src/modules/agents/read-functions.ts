import type { FunctionManifest } from '@millrace/engine'
import type { ConnectorSource } from '#modules/connectors/index.ts'

/** What functions of connectors take, by their full names; those that the account does not have are left out. */
export type ConnectorFunctions = ReadonlyMap<string, Pick<FunctionManifest, 'input'>>

/** Reads the functions of all tools of a run at once; call it before a transaction of the account, since it needs a connection of its own. */
export async function readFunctions(
  source: Pick<ConnectorSource, 'manifests'>,
  accountId: string,
  names: readonly string[],
): Promise<ConnectorFunctions> {
  const manifests = names.length === 0 ? [] : await source.manifests(accountId, names)
  return new Map(manifests.map((manifest) => [manifest.name, manifest]))
}

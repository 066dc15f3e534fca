import type { FunctionManifest } from '@millrace/engine'
import { catalog } from './catalog.ts'
import { connectorFunctions } from './connector-functions.ts'

/** Every function that comes with Millrace: those of the default catalog and of its connectors. */
export function builtInFunctions(): readonly FunctionManifest[] {
  return [...catalog, ...connectorFunctions()]
}

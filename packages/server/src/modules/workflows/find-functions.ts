import type { FunctionManifest } from '@millrace/engine'

/** The functions of connectors that an account can call, of those with the given names. */
export type FindFunctions = (accountId: string, names: readonly string[]) => Promise<readonly FunctionManifest[]>

/** Where the manifest of a function is pinned among the resources of a version. */
export const manifestKey = (name: string): string => `function:${name}`

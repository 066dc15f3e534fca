import { groups, isAlias, type OperationGroup } from '@millrace/contract'
import type { Plugin } from 'vite'

const name = 'virtual:operations'

/**
 * The module `virtual:operations`: the few facts of each operation that a client needs at run time. It is made from the contract in every build, so it
 * cannot be outdated, and it keeps the schemas and their library out of the bundle.
 */
export function operationsPlugin(): Plugin {
  return {
    name: 'millrace:operations',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export const operations = ${JSON.stringify(thinGroups(groups))}` : undefined),
  }
}

/** The operations without schemas and descriptions. */
export function thinGroups(all: Readonly<Record<string, OperationGroup>>): Readonly<Record<string, Readonly<Record<string, object>>>> {
  return Object.fromEntries(Object.entries(all).map(([group, operations]) => [group, thinGroup(operations)]))
}

function thinGroup(operations: OperationGroup): Readonly<Record<string, object>> {
  const own = Object.entries(operations).filter(([, operation]) => !isAlias(operation))
  return Object.fromEntries(own.map(([key, { id, method, path, auth, media }]) => [key, { id, method, path, auth, media }]))
}

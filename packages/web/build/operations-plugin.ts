import { errorCodes, groups, isAlias, type OperationGroup } from '@millrace/contract'
import type { Plugin } from 'vite'

/** What each module makes known: pages without a session load the operations of sign-in alone. */
const modules: Readonly<Record<string, Readonly<Record<string, OperationGroup>>>> = {
  '\0virtual:operations': groups,
  '\0virtual:operations/session': { auth: groups.auth, invitations: groups.invitations },
}

/** Of the catalogue of errors the browser needs the codes: the texts are those of the replies. */
const catalogue = /\/contract\/src\/errors\.ts$/

/**
 * The modules `virtual:operations…`: the few facts of each operation that a client needs at run time. They are made from the contract in every build, so they
 * cannot be outdated, and they keep the schemas and their library out of the bundle; the catalogue of errors becomes a list of codes.
 */
export function operationsPlugin(): Plugin {
  return {
    name: 'millrace:operations',
    resolveId: (id) => (`\0${id}` in modules ? `\0${id}` : undefined),
    load(id) {
      const served = modules[id]
      if (served !== undefined) return `export const operations = ${JSON.stringify(thinGroups(served))}`
      return catalogue.test(id) ? thinCatalogue : undefined
    },
  }
}

const thinCatalogue = `export const errorCodes = ${JSON.stringify(errorCodes.join(' '))}.split(' ')
export const errorCatalogue = {}
export const isErrorCode = (text) => errorCodes.includes(text)
`

/** The operations without schemas and descriptions. */
export function thinGroups(all: Readonly<Record<string, OperationGroup>>): Readonly<Record<string, Readonly<Record<string, object>>>> {
  return Object.fromEntries(Object.entries(all).map(([group, operations]) => [group, thinGroup(operations)]))
}

function thinGroup(operations: OperationGroup): Readonly<Record<string, object>> {
  const own = Object.entries(operations).filter(([, operation]) => !isAlias(operation))
  return Object.fromEntries(
    own.map(([key, { id, method, path, auth, optionalCredential, media }]) => [key, { id, method, path, auth, optionalCredential, media }]),
  )
}

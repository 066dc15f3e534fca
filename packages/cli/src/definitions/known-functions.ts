import { calledFunction, type Definition, eachTask, knownNames } from '@millrace/dsl'
import { connectorCalls, type FunctionManifest } from '@millrace/engine/definition'
import { catalog } from '@millrace/server/catalog'
import { connectorFunctions } from '@millrace/server/connector-functions'

/** The functions that a definition can call, as far as this program knows. */
export interface KnownFunctions {
  readonly functions: readonly FunctionManifest[]
  /** Called functions of connectors that do not come with Millrace: an account may have them, which its server alone knows. */
  readonly elsewhere: ReadonlySet<string>
}

/** The connector in the name of a function of one. */
export const connectorOf = (name: string): string => name.slice(0, name.indexOf('.'))

/** @param text a definition; the functions of connectors are read only where it calls one. */
export function knownFunctions(text: string): KnownFunctions {
  const called = connectorCalls(text)
  if (called.length === 0) return { functions: catalog, elsewhere: new Set() }
  const installed = connectorFunctions()
  const connectors = new Set(installed.map(({ name }) => connectorOf(name)))
  const elsewhere = called.filter((name) => !connectors.has(connectorOf(name)))
  return { functions: [...catalog, ...installed, ...elsewhere.map(assumed)], elsewhere: new Set(elsewhere) }
}

/** A function of which the name alone is known: it takes everything. */
function assumed(name: string): FunctionManifest {
  return { name, version: '1.0.0', summary: '', performs: 'effect', input: {}, output: {} }
}

/** The calls of functions that only a server knows: their names and places. */
export function callsElsewhere(definition: Definition, { elsewhere }: KnownFunctions) {
  if (elsewhere.size === 0) return []
  const names = knownNames(definition.use)
  return [...eachTask(definition)].flatMap(({ kind, task, pointer }) => {
    const called = kind === 'call' ? calledFunction(task.call, names) : undefined
    return called?.kind === 'default' && elsewhere.has(called.name) ? [{ name: called.name, pointer: `${pointer}/call` }] : []
  })
}

import { callShapes } from '#src/shape/task-shapes.ts'
import { functionReference } from './function-reference.ts'

/** What a call calls: the DSL's own, a function of `use.functions`, of a catalog of `use.catalogs`, of the default catalog, or one at a URL. */
export type CalledFunction =
  | { readonly kind: 'built-in'; readonly name: string }
  | { readonly kind: 'inline'; readonly name: string }
  | { readonly kind: 'cataloged'; readonly name: string; readonly version: string; readonly catalog: string }
  | { readonly kind: 'default'; readonly name: string; readonly version: string | undefined }
  | { readonly kind: 'url'; readonly url: string }

/** The names that a document gives to functions and catalogs. */
export interface KnownNames {
  readonly functions: ReadonlySet<string>
  readonly catalogs: ReadonlySet<string>
}

/**
 * Decides what the value of `call` means where a document gives these names (docs/dsl.md, Functions).
 *
 * The DSL's own calls come first, then the functions of the document, so that what a document defines itself cannot be changed by the installation. A
 * catalog that the document calls `default` takes the place of the installation's. Whether the function exists is not asked.
 */
export function calledFunction(call: string, { functions, catalogs }: KnownNames): CalledFunction {
  if (callShapes.has(call)) return { kind: 'built-in', name: call }
  if (functions.has(call)) return { kind: 'inline', name: call }
  const reference = functionReference(call)
  if (reference.kind === 'url') return reference
  if (reference.kind === 'name') {
    const [, name = reference.name, version] = /^([^:@]+):([^:@]+)$/.exec(reference.name) ?? []
    return { kind: 'default', name, version }
  }
  const isDefault = reference.catalog === 'default' && !catalogs.has('default')
  return isDefault ? { kind: 'default', name: reference.name, version: reference.version } : reference
}

interface NamesInUse {
  readonly functions?: unknown
  readonly catalogs?: unknown
}

/** Of each `use`: its names are asked for at every call, and are as many as it has functions. */
const known = new WeakMap<NamesInUse, KnownNames>()

/** The names of a document's `use`, or none of a function on its own. */
export function knownNames(use: NamesInUse = {}): KnownNames {
  const found = known.get(use)
  if (found !== undefined) return found
  const names = { functions: keysOf(use.functions), catalogs: keysOf(use.catalogs) }
  known.set(use, names)
  return names
}

function keysOf(value: unknown): ReadonlySet<string> {
  return new Set(typeof value === 'object' && value !== null ? Object.keys(value) : [])
}

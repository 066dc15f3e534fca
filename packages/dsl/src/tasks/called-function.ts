import { callShapes } from '#src/shape/task-shapes.ts'
import { functionReference } from './function-reference.ts'

/** The target of a call: a built-in call, a function of `use.functions`, of a catalog of `use.catalogs`, of the default catalog, or one at a URL. */
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
 * Resolves the value of `call` with the names of a document (docs/dsl.md, Functions).
 *
 * Built-in calls come first, then the functions of the document, so that the installation cannot change what a document defines. A catalog named
 * `default` in the document replaces that of the installation. Whether the function exists is not checked.
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

/** By `use`: the names are needed for every call, and there may be many. */
const known = new WeakMap<NamesInUse, KnownNames>()

/** The names in a document's `use`; none for a function on its own. */
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

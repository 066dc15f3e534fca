import type { Definition, Node } from '#src/syntax/ast.ts'
import type { Routine } from './ir.ts'

/** The binding of a name; depths count the links of the environment from the outermost binding. */
export type Entry =
  | { readonly kind: 'variable'; readonly name: string; readonly depth: number }
  | { readonly kind: 'label'; readonly name: string; readonly depth: number }
  /** A closure handed over at run time. */
  | { readonly kind: 'parameter'; readonly name: string; readonly depth: number; readonly single: boolean }
  /** An argument copied into a copied definition: its text, and the names that it was written under. */
  | { readonly kind: 'argument'; readonly name: string; readonly node: Node; readonly scope: Scope | undefined }
  | {
      readonly kind: 'definition'
      readonly name: string
      readonly definition: Definition
      /** Depth of the environment that the definition was written in. */
      readonly depth: number
      /** Made at the first real call whose arguments have one output at most, or any number, and shared by all such calls. */
      readonly routines: { single?: Routine; general?: Routine }
    }

/** Names from the innermost out; an entry hides those of the same kind and name outside of it. */
export interface Scope {
  readonly entry: Entry
  readonly outer: Scope | undefined
}

export function extend(scope: Scope | undefined, entry: Entry): Scope {
  return { entry, outer: scope }
}

/** The value that `$name` stands for. */
export function findVariable(scope: Scope | undefined, name: string): Extract<Entry, { kind: 'variable' }> | undefined {
  for (let at = scope; at !== undefined; at = at.outer) {
    if (at.entry.kind === 'variable' && at.entry.name === name) return at.entry
  }
  return undefined
}

export function findLabel(scope: Scope | undefined, name: string): Extract<Entry, { kind: 'label' }> | undefined {
  for (let at = scope; at !== undefined; at = at.outer) {
    if (at.entry.kind === 'label' && at.entry.name === name) return at.entry
  }
  return undefined
}

type Callable = Extract<Entry, { kind: 'parameter' | 'argument' | 'definition' }>

/** The definition that `name` with `arity` arguments calls, with the scope of that definition. */
export function findCallable(scope: Scope | undefined, name: string, arity: number): { entry: Callable; scope: Scope } | undefined {
  for (let at = scope; at !== undefined; at = at.outer) {
    const { entry } = at
    if (entry.name !== name || entry.kind === 'variable' || entry.kind === 'label') continue
    if (arity === (entry.kind === 'definition' ? entry.definition.parameters.length : 0)) return { entry, scope: at }
  }
  return undefined
}

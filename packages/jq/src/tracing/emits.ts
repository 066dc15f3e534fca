import { isPlainNative } from '#src/builtins/natives.ts'
import type { Ir, NativeName } from '#src/lower/ir.ts'
import { parts } from '#src/lower/visit.ts'

/** How many outputs a node has that raises no error: one or more, one or more for each element of a list, or that is unknown. */
export type Emits = 'some' | 'each' | 'any'

/** The fewer of two. */
export function both(one: Emits, other: Emits): Emits {
  if (one === 'any' || other === 'any') return 'any'
  return one === 'each' || other === 'each' ? 'each' : 'some'
}

export function allOf(nodes: readonly Ir[]): Emits {
  return nodes.map(emitsOf).reduce(both, 'some')
}

const known = new WeakMap<Ir, Emits>()

export function emitsOf(ir: Ir): Emits {
  const found = known.get(ir) ?? computed(ir)
  known.set(ir, found)
  return found
}

const always: ReadonlySet<NativeName> = new Set(['any/2', 'all/2', 'add/1'])

function computed(ir: Ir): Emits {
  switch (ir.kind) {
    case 'index':
    case 'slice':
      return ir.optional ? 'any' : allOf(parts(ir))
    case 'iterate':
      return ir.optional ? 'any' : both(emitsOf(ir.target), 'each')
    case 'alternative':
      return emitsOf(ir.right)
    case 'comma':
      return ir.items.some((item) => emitsOf(item) === 'some') ? 'some' : 'any'
    case 'bind':
      return both(emitsOf(ir.source), emitsOf(ir.body))
    case 'reduce':
      return emitsOf(ir.initial)
    case 'array':
      return 'some'
    case 'native':
      if (ir.name === 'empty/0' || ir.name === 'error/0') return 'any'
      if (always.has(ir.name)) return 'some'
      return isPlainNative(ir.name) ? allOf(ir.args) : 'any'
    case 'assign':
      return emitsOf(ir.value)
    case 'modify':
      return emitsOf(ir.update)
    case 'identity':
    case 'constant':
    case 'global':
    case 'variable':
    case 'pipe':
    case 'if':
    case 'object':
    case 'binary':
    case 'logic':
    case 'string':
    case 'negate':
      return allOf(parts(ir))
    case 'try':
    case 'label':
    case 'foreach':
    case 'break':
    case 'parameter':
    case 'call':
      return 'any'
  }
}

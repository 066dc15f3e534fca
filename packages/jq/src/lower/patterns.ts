import type { Node, Pattern } from '#src/syntax/ast.ts'
import type { Ir, IrPattern } from './ir.ts'
import { extend, type Scope } from './scope.ts'

export interface LoweredPatterns {
  readonly patterns: readonly IrPattern[]
  readonly variables: number
  readonly inside: { readonly scope: Scope | undefined; readonly depth: number }
}

/**
 * Numbers the variables of all alternatives together: each alternative binds every one of them, with null where it says
 * nothing. Keys are lowered outside, so they do not see the variables of their own pattern.
 */
export function lowerPatterns(
  patterns: readonly Pattern[],
  at: { readonly scope: Scope | undefined; readonly depth: number },
  lowerKey: (key: Node) => Ir,
): LoweredPatterns {
  const slots = new Map<string, number>()
  const slotOf = (name: string): number => {
    const slot = slots.get(name) ?? slots.size
    slots.set(name, slot)
    return slot
  }
  const lowerPattern = (pattern: Pattern): IrPattern => {
    if (pattern.kind === 'variable') return { kind: 'variable', slot: slotOf(pattern.name) }
    if (pattern.kind === 'array') return { kind: 'array', items: pattern.items.map(lowerPattern) }
    return {
      kind: 'object',
      fields: pattern.fields.map((field) => ({
        key: lowerKey(field.key),
        slot: field.variable === undefined ? undefined : slotOf(field.variable),
        value: field.value === undefined ? undefined : lowerPattern(field.value),
      })),
    }
  }
  const lowered = patterns.map(lowerPattern)
  let { scope, depth } = at
  for (const name of slots.keys()) scope = extend(scope, { kind: 'variable', name, depth: depth++ })
  return { patterns: lowered, variables: slots.size, inside: { scope, depth } }
}

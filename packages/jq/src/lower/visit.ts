import type { Ir, IrPattern, IrShape, Routine } from './ir.ts'

function patternParts(pattern: IrPattern): Ir[] {
  if (pattern.kind === 'variable') return []
  if (pattern.kind === 'array') return pattern.items.flatMap(patternParts)
  return pattern.fields.flatMap((field) => [field.key, ...(field.value === undefined ? [] : patternParts(field.value))])
}

/** Every node directly inside a node; the body of a called routine is not inside the call. */
export function parts(ir: IrShape): readonly Ir[] {
  switch (ir.kind) {
    case 'identity':
    case 'constant':
    case 'variable':
    case 'global':
    case 'parameter':
    case 'break':
      return []
    case 'string':
      return ir.parts.filter((part) => typeof part !== 'string')
    case 'index':
      return [ir.target, ir.key]
    case 'slice':
      return [ir.target, ir.from, ir.to]
    case 'iterate':
      return [ir.target]
    case 'try':
      return ir.handler === undefined ? [ir.body] : [ir.body, ir.handler]
    case 'negate':
      return [ir.operand]
    case 'pipe':
    case 'binary':
    case 'logic':
    case 'alternative':
      return [ir.left, ir.right]
    case 'comma':
      return ir.items
    case 'assign':
      return [ir.target, ir.value]
    case 'modify':
      return [ir.target, ir.update]
    case 'if':
      return [ir.condition, ir.yes, ir.no]
    case 'reduce':
      return [ir.source, ir.initial, ir.update, ...ir.patterns.flatMap(patternParts)]
    case 'foreach':
      return [ir.source, ir.initial, ir.update, ...(ir.extract === undefined ? [] : [ir.extract]), ...ir.patterns.flatMap(patternParts)]
    case 'bind':
      return [ir.source, ir.body, ...ir.patterns.flatMap(patternParts)]
    case 'label':
    case 'array':
      return [ir.body]
    case 'call':
    case 'native':
      return ir.args
    case 'object':
      return ir.entries.flatMap((entry) => (entry.value === undefined ? [entry.key] : [entry.key, entry.value]))
  }
}

/** Visits every node of a program once, bodies of routines included. */
export function visit(root: Ir, see: (ir: Ir) => void): void {
  const pending: Ir[] = [root]
  const seen = new Set<Routine>()
  for (let ir = pending.pop(); ir !== undefined; ir = pending.pop()) {
    see(ir)
    pending.push(...parts(ir))
    if (ir.kind === 'call' && !seen.has(ir.routine)) {
      seen.add(ir.routine)
      pending.push(ir.routine.body)
    }
  }
}

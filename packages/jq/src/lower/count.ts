import type { Count, Ir, IrPattern, IrShape, NativeName } from './ir.ts'

/** `many` as soon as one part is. */
export function most(...parts: readonly (Ir | undefined)[]): Count {
  return parts.some((part) => part?.count === 'many') ? 'many' : 'maybe'
}

/** Natives that give any number of outputs whatever their arguments do. */
const streams: ReadonlySet<NativeName> = new Set([
  'range/1',
  'range/2',
  'range/3',
  'recurse/0',
  'recurse/1',
  'path/1',
  'while/2',
  'repeat/1',
  'tostream/0',
  'fromstream/1',
])

/** Natives that take the first output, or fold all of them into one. */
const folds: ReadonlySet<NativeName> = new Set(['first/1', 'last/1', 'isempty/1', 'any/2', 'all/2', 'add/1', 'INDEX/2'])

/** The number of outputs of a node, from those of its parts. */
export function countOf(shape: IrShape): Count {
  switch (shape.kind) {
    case 'identity':
    case 'constant':
    case 'variable':
    case 'global':
    case 'array':
    case 'break':
      return 'maybe'
    case 'parameter':
      return shape.single ? 'maybe' : 'many'
    case 'label':
    case 'iterate':
      return 'many'
    case 'string':
      return most(...shape.parts.filter((part) => typeof part !== 'string'))
    case 'index':
      return most(shape.target, shape.key)
    case 'slice':
      return most(shape.target, shape.from, shape.to)
    case 'try':
      return most(shape.body, shape.handler)
    case 'negate':
      return most(shape.operand)
    case 'pipe':
    case 'binary':
    case 'logic':
    case 'alternative':
      return most(shape.left, shape.right)
    case 'comma':
      return 'many'
    case 'assign':
      return most(shape.value)
    case 'modify':
      return 'maybe'
    case 'if':
      return most(shape.condition, shape.yes, shape.no)
    case 'reduce':
      return most(shape.initial)
    case 'foreach':
      return 'many'
    case 'bind':
      return shape.patterns.length === 1 && shape.patterns.every(bindsOnce) ? most(shape.source, shape.body) : 'many'
    case 'call':
      return shape.routine.count
    case 'native':
      if (streams.has(shape.name)) return 'many'
      return folds.has(shape.name) ? 'maybe' : most(...shape.args)
    case 'object':
      return most(...shape.entries.flatMap((entry) => [entry.key, entry.value]))
  }
}

/** Whether a pattern matches in exactly one way: its keys have one output each. */
export function bindsOnce(pattern: IrPattern): boolean {
  if (pattern.kind === 'variable') return true
  if (pattern.kind === 'array') return pattern.items.every(bindsOnce)
  return pattern.fields.every((field) => field.key.count === 'maybe' && (field.value === undefined || bindsOnce(field.value)))
}

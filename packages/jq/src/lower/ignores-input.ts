import type { Ir, NativeName } from './ir.ts'

/** Built-ins that look at their arguments alone. */
const inputless: ReadonlySet<NativeName> = new Set([
  'empty/0',
  'infinite/0',
  'nan/0',
  'now/0',
  'range/1',
  'range/2',
  'range/3',
  'first/1',
  'last/1',
  'limit/2',
  'skip/2',
  'isempty/1',
  'add/1',
])

/** Whether nothing of a node's input can be seen in its outputs. Where that is hard to say the answer is no. */
export function ignoresInput(ir: Ir): boolean {
  switch (ir.kind) {
    case 'constant':
    case 'variable':
    case 'global':
    case 'break':
      return true
    case 'pipe':
      return ignoresInput(ir.left)
    case 'bind':
      return ignoresInput(ir.source) && ignoresInput(ir.body)
    case 'reduce':
    case 'foreach':
      return ignoresInput(ir.source) && ignoresInput(ir.initial)
    case 'try':
      // The handler is given the error, not the input.
      return ignoresInput(ir.body)
    case 'native':
      return inputless.has(ir.name) && ir.args.every(ignoresInput)
    case 'object':
      return ir.entries.every(({ key, value }) => value !== undefined && ignoresInput(key) && ignoresInput(value))
    default:
      return partsIgnore(ir)
  }
}

/** The nodes that hand their input to every part. */
function partsIgnore(ir: Ir): boolean {
  switch (ir.kind) {
    case 'string':
      return ir.parts.every((part) => typeof part === 'string' || ignoresInput(part))
    case 'index':
      return ignoresInput(ir.target) && ignoresInput(ir.key)
    case 'slice':
      return ignoresInput(ir.target) && ignoresInput(ir.from) && ignoresInput(ir.to)
    case 'iterate':
      return ignoresInput(ir.target)
    case 'negate':
      return ignoresInput(ir.operand)
    case 'comma':
      return ir.items.every(ignoresInput)
    case 'binary':
    case 'logic':
    case 'alternative':
      return ignoresInput(ir.left) && ignoresInput(ir.right)
    case 'if':
      return ignoresInput(ir.condition) && ignoresInput(ir.yes) && ignoresInput(ir.no)
    case 'array':
    case 'label':
      return ignoresInput(ir.body)
    default:
      return false
  }
}

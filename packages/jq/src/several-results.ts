import type { Span } from './errors.ts'
import type { Node } from './syntax/ast.ts'
import { parse } from './syntax/parser.ts'

/** Functions that drop results, so that one may remain. */
const dropping =
  /(?<![.$\w"])(?:select|empty|error|first|last|limit|skip|nth|until|label|foreach|getpath|strings|numbers|objects|arrays|booleans|nulls|values|scalars|iterables)\b/
const depthMax = 100

/**
 * The part of a program by which it has a result for each of several items, such as `.[]`, unless something may drop the others. An answer
 * is not certain: the list may have one item.
 *
 * @throws JqSyntaxError
 */
export function severalResults(source: string): Span | undefined {
  if ((!source.includes('[]') && !source.includes(',')) || dropping.test(source)) return undefined
  return severalOf(parse(source), depthMax)
}

function severalOf(node: Node | undefined, depth: number): Span | undefined {
  if (node === undefined || depth === 0) return undefined
  for (const part of partsOf(node)) {
    if (part === 'itself') return { start: node.start, end: node.end }
    const found = severalOf(part, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** The parts whose results all become results of a node. */
function partsOf(node: Node): readonly (Node | undefined | 'itself')[] {
  switch (node.kind) {
    case 'iterate':
    case 'comma':
      return ['itself']
    case 'pipe':
    case 'binary':
    case 'logic':
      return [node.left, node.right]
    case 'alternative':
      return [node.left]
    case 'index':
      return [node.target, node.key]
    case 'slice':
      return [node.target]
    case 'negate':
      return [node.operand]
    case 'try':
    case 'define':
      return [node.body]
    case 'bind':
      return [node.source, node.body]
    case 'if':
      return [node.yes, node.no]
    case 'string':
      return node.parts.filter((part) => typeof part !== 'string')
    case 'object':
      return node.entries.flatMap(({ key, value }) => [key, value])
    default:
      return []
  }
}

import type { Span } from './errors.ts'
import type { Node } from './syntax/ast.ts'
import { parse } from './syntax/parser.ts'

/** An update such as `.a = 1` that decides the result of a program; the span is that of the update. */
export interface FinalUpdate extends Span {
  readonly operator: string
}

/**
 * The update whose result is the result of the whole program: a condition with one is always true, and `==` was probably meant.
 *
 * @throws JqSyntaxError
 */
export function finalUpdate(source: string): FinalUpdate | undefined {
  return updateOf(parse(source))
}

function updateOf(node: Node): FinalUpdate | undefined {
  switch (node.kind) {
    case 'update':
      return { operator: node.operator, start: node.start, end: node.end }
    case 'pipe':
      return updateOf(node.right)
    case 'logic':
      return updateOf(node.left) ?? updateOf(node.right)
    case 'define':
    case 'bind':
    case 'label':
      return updateOf(node.body)
    default:
      return undefined
  }
}

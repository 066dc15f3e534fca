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

/**
 * The updates that decide conditions inside of a program, of `if` and of `select`; each is always true.
 *
 * @throws JqSyntaxError
 */
export function updatesInConditions(source: string): readonly FinalUpdate[] {
  const found: FinalUpdate[] = []
  const open: unknown[] = [parse(source)]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const condition = conditionOf(value)
    const update = condition === undefined ? undefined : updateOf(condition)
    if (update !== undefined) found.push(update)
    open.push(...Object.values(value))
  }
  return found.toSorted((one, other) => one.start - other.start)
}

function conditionOf(value: object): Node | undefined {
  if (!isNode(value)) return undefined
  if (value.kind === 'if') return value.condition
  return value.kind === 'call' && value.name === 'select' ? value.args[0] : undefined
}

/** Parts of the syntax that are no nodes have other kinds, or none. */
function isNode(value: object): value is Node {
  return 'kind' in value && (value.kind === 'if' || value.kind === 'call')
}

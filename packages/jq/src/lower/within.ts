import { ignoresInput } from './ignores-input.ts'
import type { Ir } from './ir.ts'
import { weigh } from './weight.ts'

const here: Ir = { kind: 'identity', count: 'maybe', steps: 0, unpaid: 1 }

/**
 * A node rewritten to take as its input what `place` leads to: `.a + 1` within `.a` is `. + 1`. `undefined` when the node looks at
 * anything else of its input. Neither place nor node may cross a binding, so that references keep their meaning.
 */
export function within(node: Ir, place: Ir): Ir | undefined {
  if (same(node, place)) return here
  if (ignoresInput(node)) return node
  switch (node.kind) {
    case 'binary':
    case 'logic':
    case 'alternative': {
      const left = within(node.left, place)
      const right = within(node.right, place)
      return left === undefined || right === undefined ? undefined : weighed({ ...node, left, right })
    }
    case 'pipe': {
      const left = within(node.left, place)
      return left === undefined ? undefined : weighed({ ...node, left })
    }
    case 'index': {
      const target = within(node.target, place)
      return target === undefined || !ignoresInput(node.key) ? undefined : weighed({ ...node, target })
    }
    case 'iterate': {
      const target = within(node.target, place)
      return target === undefined ? undefined : weighed({ ...node, target })
    }
    case 'if': {
      const condition = within(node.condition, place)
      const yes = within(node.yes, place)
      const no = within(node.no, place)
      return condition === undefined || yes === undefined || no === undefined ? undefined : weighed({ ...node, condition, yes, no })
    }
    case 'array': {
      const body = within(node.body, place)
      return body === undefined ? undefined : weighed({ ...node, body })
    }
    case 'comma': {
      const items = node.items.map((item) => within(item, place))
      return items.every((item) => item !== undefined) ? weighed({ ...node, items }) : undefined
    }
    default:
      return undefined
  }
}

function weighed(ir: Ir): Ir {
  return { ...ir, ...weigh(ir) }
}

/** Whether two nodes are written alike; routines are alike when they are the same one. */
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if ('body' in a && 'name' in a) return false
  const entries = Object.entries(a)
  const others = new Map<string, unknown>(Object.entries(b))
  return entries.length === others.size && entries.every(([key, value]) => others.has(key) && same(value, others.get(key)))
}

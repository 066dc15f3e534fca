import { ignoresInput } from './ignores-input.ts'
import type { Ir } from './ir.ts'
import { weigh } from './weight.ts'

const here: Ir = { kind: 'identity', count: 'maybe', steps: 0, unpaid: 1 }

/**
 * Rewrites a node to take the value at `place` as its input: `.a + 1` at `.a` becomes `. + 1`. `undefined` when the node reads anything
 * else of its input. Neither place nor node may cross a binding, so that references keep their meaning.
 */
export function rebase(node: Ir, place: Ir): Ir | undefined {
  if (same(node, place)) return here
  if (ignoresInput(node)) return node
  switch (node.kind) {
    case 'binary':
    case 'logic':
    case 'alternative': {
      const left = rebase(node.left, place)
      const right = rebase(node.right, place)
      return left === undefined || right === undefined ? undefined : weighed({ ...node, left, right })
    }
    case 'pipe': {
      const left = rebase(node.left, place)
      return left === undefined ? undefined : weighed({ ...node, left })
    }
    case 'index': {
      const target = rebase(node.target, place)
      return target === undefined || !ignoresInput(node.key) ? undefined : weighed({ ...node, target })
    }
    case 'iterate': {
      const target = rebase(node.target, place)
      return target === undefined ? undefined : weighed({ ...node, target })
    }
    case 'if': {
      const condition = rebase(node.condition, place)
      const yes = rebase(node.yes, place)
      const no = rebase(node.no, place)
      return condition === undefined || yes === undefined || no === undefined ? undefined : weighed({ ...node, condition, yes, no })
    }
    case 'array': {
      const body = rebase(node.body, place)
      return body === undefined ? undefined : weighed({ ...node, body })
    }
    case 'comma': {
      const items = node.items.map((item) => rebase(item, place))
      return items.every((item) => item !== undefined) ? weighed({ ...node, items }) : undefined
    }
    default:
      return undefined
  }
}

function weighed(ir: Ir): Ir {
  return { ...ir, ...weigh(ir) }
}

/** Whether two nodes are structurally equal; routines are equal when they are identical. */
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if ('body' in a && 'name' in a) return false
  const entries = Object.entries(a)
  const others = new Map<string, unknown>(Object.entries(b))
  return entries.length === others.size && entries.every(([key, value]) => others.has(key) && same(value, others.get(key)))
}

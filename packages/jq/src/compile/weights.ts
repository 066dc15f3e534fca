import type { Ir, IrPatterns } from '#src/lower/ir.ts'
import { parts } from '#src/lower/visit.ts'

/** Running so many nodes takes about as long as a step. */
const nodesPerStep = 16
/** Following so many links of the environment takes about as long as a node. */
const linksPerNode = 8

/**
 * How many steps a node costs each time that it runs, beyond what its parts charge for themselves. Most nodes cost nothing; where
 * enough of them come together that no loop or call counts, the node above them all pays, so that a long program is not cheaper than a
 * long loop.
 */
export type StepsOf = (ir: Ir) => number

interface Weighed {
  readonly steps: number
  /** Nodes that nobody has paid for yet. */
  readonly left: number
}

export function createWeights(): StepsOf {
  const known = new Map<Ir, Weighed>()
  return (root) => {
    // Parts come before the node that they are in, without recursion: programs may be long.
    const pending = [root]
    for (let ir = pending.at(-1); ir !== undefined; ir = pending.at(-1)) {
      if (known.has(ir)) {
        pending.pop()
        continue
      }
      const inside = parts(ir)
      const missing = inside.filter((part) => !known.has(part))
      if (missing.length === 0) known.set(ir, weigh(ir, inside, known))
      else pending.push(...missing)
    }
    return known.get(root)?.steps ?? 0
  }
}

function weigh(ir: Ir, inside: readonly Ir[], known: ReadonlyMap<Ir, Weighed>): Weighed {
  const nodes = inside.reduce((sum, part) => sum + (known.get(part)?.left ?? 0), ownNodes(ir))
  return nodes < nodesPerStep ? { steps: 0, left: nodes } : { steps: Math.floor(nodes / nodesPerStep), left: 0 }
}

function ownNodes(ir: Ir): number {
  switch (ir.kind) {
    case 'variable':
    case 'break':
    case 'parameter':
    case 'call':
      return 1 + Math.floor(ir.up / linksPerNode)
    case 'bind':
    case 'reduce':
    case 'foreach':
      return 1 + patternNodes(ir)
    case 'object':
      return 1 + ir.entries.length
    case 'string':
      return 1 + ir.parts.length
    default:
      return 1
  }
}

/** Each pattern in turn may bind all the variables. */
function patternNodes({ patterns, variables }: IrPatterns): number {
  return patterns.length * variables
}

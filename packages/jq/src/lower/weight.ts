import type { IrPatterns, IrShape, Weight } from './ir.ts'
import { parts } from './visit.ts'

/** Running so many nodes takes about as long as a step. */
const nodesPerStep = 16
/** Following so many links of the environment takes about as long as a node. */
const linksPerNode = 8

/** The cost of a node whose parts have been weighed. */
export function weigh(shape: IrShape): Weight {
  let nodes = ownNodes(shape)
  for (const part of parts(shape)) nodes += part.unpaid
  return nodes < nodesPerStep ? { steps: 0, unpaid: nodes } : { steps: Math.floor(nodes / nodesPerStep), unpaid: 0 }
}

function ownNodes(ir: IrShape): number {
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

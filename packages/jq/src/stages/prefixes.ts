import type { Node } from '#src/syntax/ast.ts'

/** A program up to the end of one of its stages. */
export interface Prefix {
  readonly program: Node
  /** The stage itself. */
  readonly node: Node
  /** Whether the stage is an array around the stages before it. */
  readonly collects: boolean
}

/** The program up to the end of each of its stages, in the order of the text; the last one is the program itself. */
export function prefixesOf(node: Node): readonly Prefix[] {
  switch (node.kind) {
    case 'pipe': {
      const { left } = node
      const right = prefixesOf(node.right)
      return [...prefixesOf(left), ...around(right, (program) => ({ ...node, left, right: program }))]
    }
    case 'bind':
      // An error in the body makes jq try the next pattern, so several patterns are one stage.
      if (node.patterns.length > 1) return [stageOf(node)]
      return [{ program: node.source, node: node.source, collects: false }, ...around(prefixesOf(node.body), (body) => ({ ...node, body }))]
    case 'define':
      return around(prefixesOf(node.body), (body) => ({ ...node, body }))
    case 'label':
      return around(prefixesOf(node.body), (body) => ({ ...node, body }))
    case 'array': {
      const inside = node.body === undefined ? [] : prefixesOf(node.body)
      return inside.length > 1 ? [...inside, { ...stageOf(node), collects: true }] : [stageOf(node)]
    }
    default:
      return [stageOf(node)]
  }
}

function stageOf(node: Node): Prefix {
  return { program: node, node, collects: false }
}

function around(prefixes: readonly Prefix[], wrap: (program: Node) => Node): readonly Prefix[] {
  return prefixes.map((prefix) => ({ ...prefix, program: wrap(prefix.program) }))
}

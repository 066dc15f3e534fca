import type { Node } from '#src/syntax/ast.ts'

/** What a stage inside of another one is shown for: the first element of a loop, the branch of a condition that is taken, or one value of an object. */
export type Inside = 'element' | 'branch' | 'value'

/** A program up to the end of one of its stages. */
export interface Prefix {
  readonly program: Node
  /** The stage itself. */
  readonly node: Node
  /** Whether the stage is an array around the stages before it. */
  readonly collects: boolean
  /** Set for a stage that is inside of a later one. */
  readonly inside?: Inside
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
      return around(withoutShadowed(prefixesOf(node.body), node.definition.name), (body) => ({ ...node, body }))
    case 'label':
      return around(prefixesOf(node.body), (body) => ({ ...node, body }))
    case 'array': {
      const inside = node.body === undefined ? [] : prefixesOf(node.body)
      return inside.length > 1 ? [...inside, { ...stageOf(node), collects: true }] : [stageOf(node)]
    }
    default:
      return [...insideOf(node), stageOf(node)]
  }
}

/** The stages of the parts of a stage, as programs over its input: those of a pipe that runs for elements run for the first one. */
function insideOf(node: Node): readonly Prefix[] {
  const { start, end } = node
  switch (node.kind) {
    case 'call': {
      const [body] = node.args
      if (node.name !== 'map' || body === undefined || node.args.length > 1) return []
      const elements: Node = { kind: 'iterate', target: { kind: 'identity', start, end }, optional: false, start, end }
      return part(body, 'element', (right) => ({ kind: 'pipe', left: firstOf(elements), right, start, end }))
    }
    case 'if': {
      const none: Node = { kind: 'call', name: 'empty', args: [], start, end }
      return [
        ...part(node.yes, 'branch', (yes) => ({ ...node, yes, no: none })),
        ...part(node.no, 'branch', (no) => ({ ...node, yes: none, no })),
      ]
    }
    case 'reduce':
    case 'foreach': {
      const { source, patterns, initial } = node
      return part(node.update, 'element', (right) => {
        const body: Node = { kind: 'pipe', left: initial, right, start, end }
        return { kind: 'bind', source: firstOf(source), patterns, body, start, end }
      })
    }
    case 'object':
      return node.entries.flatMap(({ value }) => (value === undefined ? [] : part(value, 'value', (program) => program)))
    default:
      return []
  }
}

/** The stages of a part that is a pipe; a part of one stage shows nothing that the whole does not. */
function part(node: Node, inside: Inside, wrap: (program: Node) => Node): readonly Prefix[] {
  const prefixes = prefixesOf(node)
  return prefixes.length > 1 ? around(prefixes, wrap).map((prefix) => ({ ...prefix, inside })) : []
}

function firstOf(source: Node): Node {
  return { kind: 'call', name: 'first', args: [source], start: source.start, end: source.end }
}

/** The programs of inner stages call builtins, which a definition of the same name hides. */
function withoutShadowed(prefixes: readonly Prefix[], name: string): readonly Prefix[] {
  return ['map', 'first', 'empty'].includes(name) ? prefixes.filter(({ inside }) => inside === undefined) : prefixes
}

function stageOf(node: Node): Prefix {
  return { program: node, node, collects: false }
}

function around(prefixes: readonly Prefix[], wrap: (program: Node) => Node): readonly Prefix[] {
  return prefixes.map((prefix) => ({ ...prefix, program: wrap(prefix.program) }))
}

import { type GraphEdge, type GraphNode, graphOf } from '#src/graph/graph-of.ts'
import type { Definition } from '#src/shape/definition-shape.ts'
import { eachTask, type PlacedTask } from '#src/tasks/each-task.ts'

const linesMax = 400
const columnsMax = 120

/**
 * Draws a definition as text: one line for each task, what it contains indented below it, and an arrow for each transition that is not to the next task.
 * At most 400 lines of 120 characters.
 */
export function drawText(definition: Definition): string {
  const { nodes, edges } = graphOf(definition)
  const drawing: Drawing = {
    lists: groupBy(nodes, ({ list }) => list),
    children: groupBy(nodes, ({ parent }) => parent ?? ''),
    edges: groupBy(edges, ({ from }) => from),
    names: new Map(nodes.map(({ reference, name }) => [reference, name])),
    tasks: new Map([...eachTask(definition)].map((placed) => [placed.pointer, placed])),
    lines: [],
  }
  drawing.lines.push('start')
  drawList(drawing, '/do', '')
  const { lines } = drawing
  const shown = lines.length > linesMax ? [...lines.slice(0, linesMax), `… ${lines.length - linesMax} more lines`] : lines
  return [...shown, 'end', ''].map((line) => (line.length > columnsMax ? `${line.slice(0, columnsMax - 1)}…` : line)).join('\n')
}

interface Drawing {
  readonly lists: ReadonlyMap<string, readonly GraphNode[]>
  readonly children: ReadonlyMap<string, readonly GraphNode[]>
  readonly edges: ReadonlyMap<string, readonly GraphEdge[]>
  readonly names: ReadonlyMap<string, string>
  readonly tasks: ReadonlyMap<string, PlacedTask>
  readonly lines: string[]
}

function drawList(drawing: Drawing, list: string, indent: string): void {
  const nodes = drawing.lists.get(list) ?? []
  for (const [position, node] of nodes.entries()) {
    const isLast = position === nodes.length - 1
    drawing.lines.push(`${indent}${isLast ? '└─' : '├─'} ${node.name}  ${describe(drawing.tasks.get(node.reference), node)}`)
    const inner = `${indent}${isLast ? '   ' : '│  '}`
    drawTransitions(drawing, node, inner)
    const lists = new Set((drawing.children.get(node.reference) ?? []).map((child) => child.list))
    for (const child of lists) {
      const name = child.slice(node.reference.length + 1).replaceAll('/', ' ')
      if (lists.size > 1 || name.startsWith('catch')) drawing.lines.push(`${inner}${name}:`)
      drawList(drawing, child, inner)
    }
  }
}

function drawTransitions({ edges, names, lines }: Drawing, node: GraphNode, indent: string): void {
  for (const { kind, to, label } of edges.get(node.reference) ?? []) {
    if (kind === 'next' || kind === 'enter') continue
    const target = to.startsWith('exit:') ? 'the end of this list' : (names.get(to) ?? to)
    lines.push(`${indent}${label ?? (kind === 'catch' ? 'after an error' : 'then')} ─▶ ${target}`)
  }
}

/** What a task does, in a few words. */
function describe(placed: PlacedTask | undefined, { kind }: GraphNode): string {
  if (placed?.kind === 'call') return `call ${placed.task.call}`
  if (placed?.kind === 'for') return `for each ${placed.task.for.each ?? 'item'}`
  if (placed?.kind === 'fork') return placed.task.fork.compete === true ? 'fork, the first one wins' : 'fork, all in parallel'
  if (placed?.kind !== 'run') return kind
  const { workflow } = placed.task.run
  return workflow === undefined ? `run ${Object.keys(placed.task.run)[0] ?? ''}` : `run ${workflow.namespace}/${workflow.name}`
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}

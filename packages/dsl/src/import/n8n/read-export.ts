import { ImportError } from '#src/import/report.ts'
import { at, type Data, isRecord, numberOf, textOf } from '#src/import/value.ts'
import { isTimeZone } from '#src/schedule/time-zone.ts'

/** A step of an export. */
export interface N8nNode {
  readonly index: number
  readonly name: string
  readonly type: string
  readonly version: number
  readonly position: readonly [number, number]
  readonly parameters: Data
  readonly credentials: readonly { readonly kind: string; readonly name: string }[]
  readonly disabled: boolean
  readonly onError: 'stop' | 'continue' | 'output'
  readonly retries: { readonly tries: number; readonly waitMs: number } | undefined
  readonly executeOnce: boolean
  readonly alwaysOutputData: boolean
}

export interface N8nEdge {
  readonly from: number
  readonly output: number
  readonly to: number
  readonly input: number
  readonly kind: string
}

export interface N8nExport {
  readonly name: string
  readonly description: string
  /** The IANA time zone of its schedules. Undefined if the export names none that is known: n8n then takes that of its server. */
  readonly timeZone: string | undefined
  /** The id of the workflow that n8n starts when a run of this one fails; empty without one. */
  readonly errorWorkflow: string
  readonly nodes: readonly N8nNode[]
  readonly edges: readonly N8nEdge[]
  /** Connections whose source or target is missing, as `from → to`. */
  readonly dangling: readonly { readonly pointer: string; readonly from: string; readonly to: string }[]
}

const nodesMax = 2000
const edgesMax = 20_000

/** Whether a document looks like an export of n8n. */
export function isN8nExport(value: unknown): value is Data {
  return isRecord(value) && Array.isArray(value['nodes']) && isRecord(value['connections'])
}

/** Reads an export and refuses what cannot be one, with its place. */
export function readN8nExport(value: Data): N8nExport {
  const list = value['nodes']
  if (!Array.isArray(list)) throw new ImportError('`nodes` must be a list.', '/nodes')
  if (list.length === 0) throw new ImportError('The export has no nodes.', '/nodes')
  if (list.length > nodesMax) throw new ImportError(`The export has ${list.length} nodes; an import takes at most ${nodesMax}.`, '/nodes')
  const nodes = list.map(readNode)
  const { edges, dangling } = readEdges(nodes, list, value['connections'])
  return {
    name: textOf(value['name']).slice(0, 200) || 'Imported workflow',
    description: textOf(value['description']).slice(0, 2000),
    timeZone: timeZoneOf(at(value, 'settings', 'timezone')),
    errorWorkflow: textOf(at(value, 'settings', 'errorWorkflow')).slice(0, 200),
    nodes,
    edges,
    dangling,
  }
}

function timeZoneOf(value: unknown): string | undefined {
  return typeof value === 'string' && isTimeZone(value) ? value : undefined
}

function readNode(value: unknown, index: number): N8nNode {
  if (!isRecord(value)) throw new ImportError('A node must be an object.', `/nodes/${index}`)
  const { type, name } = value
  if (typeof type !== 'string' || type === '') throw new ImportError('A node needs a `type`.', `/nodes/${index}/type`)
  const version = numberOf(value['typeVersion'])
  const [x, y] = Array.isArray(value['position']) ? value['position'] : []
  const credentials = isRecord(value['credentials']) ? Object.entries(value['credentials']) : []
  return {
    index,
    name: textOf(name).slice(0, 200) || `Node ${index + 1}`,
    type: type.slice(0, 200),
    version: Number.isFinite(version) && version > 0 ? version : 1,
    position: [finite(x), finite(y)],
    parameters: isRecord(value['parameters']) ? value['parameters'] : {},
    credentials: credentials
      .slice(0, 20)
      .map(([kind, one]) => ({ kind, name: isRecord(one) ? textOf(one['name']) || kind : textOf(one) || kind })),
    disabled: value['disabled'] === true,
    onError: onErrorOf(value),
    retries:
      value['retryOnFail'] === true
        ? { tries: bounded(value['maxTries'], 3, 10), waitMs: bounded(value['waitBetweenTries'], 1000, 300_000) }
        : undefined,
    executeOnce: value['executeOnce'] === true,
    alwaysOutputData: value['alwaysOutputData'] === true,
  }
}

function onErrorOf(value: Data): N8nNode['onError'] {
  if (value['onError'] === 'continueErrorOutput') return 'output'
  return value['onError'] === 'continueRegularOutput' || value['continueOnFail'] === true ? 'continue' : 'stop'
}

function readEdges(nodes: readonly N8nNode[], list: readonly unknown[], connections: unknown) {
  const byName = new Map<string, number>()
  for (const [index, one] of list.entries())
    if (isRecord(one)) for (const key of [one['id'], one['name']]) if (typeof key === 'string') byName.set(key, index)
  for (const { name, index } of nodes) byName.set(name, index)
  const edges: N8nEdge[] = []
  const dangling: { pointer: string; from: string; to: string }[] = []
  for (const { source, kind, output, target } of targets(connections)) {
    const [from, to] = [byName.get(source), isRecord(target) ? byName.get(textOf(target['node'])) : undefined]
    const input = isRecord(target) ? bounded(target['index'], 0, 100) : 0
    if (from === undefined || to === undefined)
      dangling.push({
        pointer: `/connections/${escaped(source)}/${escaped(kind)}/${output}`,
        from: source.slice(0, 200),
        to: isRecord(target) ? textOf(target['node']).slice(0, 200) : '',
      })
    else edges.push({ from, output, to, input, kind })
    if (edges.length + dangling.length > edgesMax)
      throw new ImportError(`The export has more than ${edgesMax} connections.`, '/connections')
  }
  return { edges, dangling }
}

function* targets(connections: unknown) {
  if (!isRecord(connections)) return
  for (const [source, kinds] of Object.entries(connections)) {
    if (!isRecord(kinds)) continue
    for (const [kind, outputs] of Object.entries(kinds)) {
      if (!Array.isArray(outputs)) continue
      for (const [output, ends] of outputs.slice(0, 100).entries())
        if (Array.isArray(ends)) for (const target of ends.slice(0, edgesMax + 1)) yield { source, kind, output, target: target as unknown }
    }
  }
}

function finite(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}

function bounded(value: unknown, fallback: number, max: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? Math.min(value, max) : fallback
}

function escaped(key: string): string {
  return key.slice(0, 200).replaceAll('~', '~0').replaceAll('/', '~1')
}

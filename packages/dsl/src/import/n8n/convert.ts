import type { Imported, ImportFinding, TriggerProposal } from '#src/import/report.ts'
import { type Data, numberOf, own, textOf } from '#src/import/value.ts'
import type { Converted } from './converted.ts'
import { datesReason } from './dates.ts'
import { errorReasons } from './error-start.ts'
import type { ExpressionNames } from './expression/to-jq.ts'
import { type NodeFields, nodeFields } from './fields.ts'
import { TooDeep } from './flow-writer.ts'
import { flowGraph, start } from './graph.ts'
import { appNode, shortType } from './nodes/apps.ts'
import { converters } from './nodes/converters.ts'
import { slug, unused } from './nodes/flow.ts'
import { type Attachment, isModelNode, modelNode } from './nodes/models.ts'
import { type N8nEdge, type N8nExport, type N8nNode, readN8nExport } from './read-export.ts'
import type { TaskList } from './task-of.ts'
import { type FlowStep, isLoop, tasksOfFlow } from './tasks-of-flow.ts'
import { isTrigger, type N8nStart, startsOf } from './triggers.ts'

/** Converts an export of n8n. Every node is in the report or in the definition. */
export function convertN8n(value: Data): Imported {
  const source = readN8nExport(value)
  try {
    return new Conversion(source, true).result()
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    return new Conversion(source, false).result()
  }
}

class Conversion {
  private readonly findings: ImportFinding[] = []
  private readonly secrets = new Map<string, { kind: string; usedBy: Set<string> }>()
  private readonly variables = new Set<string>()
  private readonly names = new Map<number, string>()
  private readonly byName = new Map<string, N8nNode>()
  private readonly source: N8nExport
  /** Whether single items are handed on as such. */
  private readonly hasSingles: boolean

  constructor(source: N8nExport, hasSingles: boolean) {
    this.source = source
    this.hasSingles = hasSingles
    const used = new Set(['start', 'continue', 'exit', 'end'])
    for (const node of source.nodes) {
      const base = slug(node.name) || `node-${node.index + 1}`
      const name = unused(Object.hasOwn(Object.prototype, base) ? `${base}-step` : base, used)
      this.names.set(node.index, name)
      if (!this.byName.has(node.name)) this.byName.set(node.name, node)
    }
  }

  result(): Imported {
    const { nodes, dangling } = this.source
    const notes = nodes.filter(({ type }) => shortType(type) === 'stickyNote')
    const attached = new Set(this.source.edges.filter(({ kind }) => kind !== 'main').map(({ from }) => from))
    const steps = nodes.filter((node) => !notes.includes(node) && !attached.has(node.index))
    const served = new Set(steps.filter(isModelNode).map(({ index }) => index))
    for (const { from, to, kind } of this.source.edges) if (kind !== 'main' && served.has(to)) attached.delete(from)
    for (const one of nodes.filter(({ index }) => attached.has(index)))
      this.find(one, 'not_converted', 'It serves another node (a model, memory or tool), which the conversion does not cover.')
    for (const { pointer, from, to } of dangling.slice(0, 200))
      this.findings.push({
        outcome: 'adapted',
        pointer,
        part: from,
        type: 'connection',
        reason: `The connection leads to "${to}", which is not in the export. It is left out.`,
      })
    if (dangling.length > 200)
      this.findings.push({
        outcome: 'adapted',
        pointer: '/connections',
        part: 'connections',
        type: 'connection',
        reason: `${dangling.length - 200} further connections lead to nodes that are not in the export.`,
      })
    const edges = this.edgesOf(steps)
    const triggers = steps.filter(isTrigger)
    const starts = this.startsOf(steps, edges, triggers)
    const begun = triggers.flatMap((node, index) => this.trigger(node, { index, only: triggers.length === 1 }))
    const { name, errorWorkflow } = this.source
    if (errorWorkflow !== '')
      this.findings.push({
        outcome: 'adapted',
        pointer: '/settings/errorWorkflow',
        part: name,
        type: 'errorWorkflow',
        reason: errorReasons.setting(errorWorkflow),
      })
    const list = this.tasks(edges, starts, triggers)
    const { schedule, timeZone } = begun.find((one) => one.schedule !== undefined) ?? {}
    const definition = {
      document: this.documentOf(notes, timeZone),
      ...(this.secrets.size === 0 ? {} : { use: { secrets: [...this.secrets.keys()] } }),
      ...(schedule === undefined ? {} : { schedule }),
      do: list,
    }
    return { definition, report: this.report(nodes, notes, begun) }
  }

  private documentOf(notes: readonly N8nNode[], timeZone: string | undefined) {
    const { name, description } = this.source
    const texts = notes.map(({ parameters }) => textOf(parameters['content']).slice(0, 4000)).filter((text) => text !== '')
    return {
      dsl: '1.0.3',
      namespace: 'imported',
      name: slug(name) || 'workflow',
      version: '1.0.0',
      title: name,
      ...(description === '' ? {} : { summary: description }),
      metadata: {
        importedFrom: 'n8n',
        ...(timeZone === undefined ? {} : { timeZone }),
        ...(texts.length === 0 ? {} : { notes: texts.slice(0, 200) }),
      },
    }
  }

  /** The connections that carry items. Where all of them are broken, the order on the canvas stands in. */
  private edgesOf(steps: readonly N8nNode[]): N8nEdge[] {
    const present = new Set(steps.map(({ index }) => index))
    const edges = this.source.edges.filter(({ kind, from, to }) => kind === 'main' && present.has(from) && present.has(to))
    const actions = steps.filter((node) => !isTrigger(node))
    if (edges.length > 0 || actions.length === 0 || (this.source.dangling.length === 0 && steps.length < 2)) return edges
    // A step that stops the workflow would end a chain, although it stood at the end of a branch or of an error output.
    const chained = actions.filter(({ type }) => shortType(type) !== 'stopAndError')
    if (chained.length === 0) return edges
    const order = chained.toSorted((a, b) => a.position[0] - b.position[0] || a.position[1] - b.position[1])
    this.findings.push({
      outcome: 'adapted',
      pointer: '/connections',
      part: this.source.name,
      type: 'connections',
      reason:
        'No connection of the export leads to a node that exists. The steps follow each other from left to right as on the canvas: check the order and the branches before you publish.',
    })
    const chain = order
      .slice(1)
      .map((node, index) => ({ from: order[index]?.index ?? 0, output: 0, to: node.index, input: 0, kind: 'main' }))
    const [first] = order
    return [
      ...(first === undefined
        ? []
        : steps.filter(isTrigger).map(({ index }) => ({ from: index, output: 0, to: first.index, input: 0, kind: 'main' }))),
      ...chain,
    ]
  }

  private startsOf(steps: readonly N8nNode[], edges: readonly N8nEdge[], triggers: readonly N8nNode[]): number[] {
    const starts = triggers.map(({ index }) => index)
    const targets = new Set(edges.map(({ to }) => to))
    const roots = steps.filter((node) => !isTrigger(node) && !targets.has(node.index))
    if (starts.length === 0 && roots[0] !== undefined) {
      starts.push(roots[0].index)
      this.find(roots[0], 'adapted', 'The export has no trigger. The workflow begins here.')
    }
    for (let guard = steps.length; guard > 0; guard--) {
      const { unreachable } = flowGraph(this.source.nodes, edges, starts)
      const left = steps.filter(({ index }) => unreachable.includes(index))
      const next = left.find((node) => roots.includes(node)) ?? left[0]
      if (next === undefined) break
      if (starts.length > 0) this.find(next, 'adapted', 'No trigger leads here, so it never runs, as in n8n.')
      starts.push(next.index)
    }
    return starts
  }

  private trigger(node: N8nNode, { index, only }: { readonly index: number; readonly only: boolean }): readonly N8nStart[] {
    const begun = startsOf(node, { timeZone: this.source.timeZone, only: only && !node.disabled })
    if (node.disabled) {
      const kind = begun[0]?.proposal.kind ?? 'schedule'
      this.find(node, 'note', `It is disabled in n8n and starts nothing. If it should, create a trigger of kind ${kind}.`)
      return []
    }
    for (const { proposal, reason, isNote = reason === undefined } of begun) {
      const why = reason ?? `Becomes a trigger of kind ${proposal.kind}: create it after you publish.`
      this.find(node, isNote ? 'note' : 'adapted', index === 0 ? why : `${why} ${laneText(proposal)}`)
    }
    return begun
  }

  private tasks(edges: readonly N8nEdge[], starts: readonly number[], triggers: readonly N8nNode[]): TaskList {
    const graph = flowGraph(this.source.nodes, edges, starts)
    for (const edge of graph.backEdges)
      if (!isLoop(this.node(edge.to)))
        this.find(
          this.node(edge.to),
          'not_converted',
          `A connection from "${this.node(edge.from).name}" leads back here. The workflow runs this part once; repeat it with \`for\` or a \`then\`.`,
        )
    const steps = new Map(graph.order.flatMap((node) => (node === start ? [] : [[node, this.convert(this.node(node))] as const])))
    return tasksOfFlow({
      graph,
      steps,
      names: this.names,
      starts: starts.map((index) => this.node(index)),
      triggers,
      hasSingles: this.hasSingles,
      scriptInput: (source, items) => this.scriptInput(source, items),
    })
  }

  private convert(node: N8nNode): FlowStep {
    const fields = this.fieldsOf(node)
    const converted = this.converted(node, fields)
    if (isLoop(node) && typeof node.parameters['batchSize'] === 'string' && Number.isNaN(numberOf(node.parameters['batchSize'])))
      this.find(node, 'adapted', 'The size of a batch is computed in n8n: 1 is used.', '/parameters/batchSize')
    const dates = isLoop(node) ? undefined : datesReason(sourcesOf(converted, fields), this.source.timeZone)
    if (dates !== undefined) this.find(node, 'adapted', dates)
    return { node, converted, fields }
  }

  private fieldsOf(node: N8nNode): NodeFields {
    return nodeFields(node, {
      names: this.namesFor(),
      report: (outcome, reason, path = '') => this.find(node, outcome, reason, path),
      secret: (kind) => this.secret(kind, node),
    })
  }

  /** The models, memories, tools and parsers of a node. */
  private attachedTo(node: N8nNode): Attachment[] {
    return this.source.edges
      .filter(({ kind, to }) => kind !== 'main' && to === node.index)
      .map(({ kind, from }) => ({ kind, node: this.node(from), fields: this.fieldsOf(this.node(from)) }))
  }

  private converted(node: N8nNode, fields: NodeFields): Converted {
    const short = shortType(node.type)
    if (node.disabled) {
      if (!isTrigger(node)) this.find(node, 'note', 'It was disabled: its items pass through.')
      return { as: 'pass' }
    }
    if (short === 'noOp' || short === 'splitInBatches' || isTrigger(node)) {
      if (short === 'noOp' && Object.keys(node.parameters).length > 0)
        this.find(node, 'adapted', 'A step without operation has parameters: the export has lost what it did. Its items pass through.')
      // The reads of the definition show that its items are requests.
      return short === 'webhook' ? { as: 'pass', metadata: { type: node.type } } : { as: 'pass' }
    }
    const converter = (/^(n8n-nodes-base\.)/.test(node.type) ? own(converters, short) : undefined) ?? appNode
    const converted = (isModelNode(node) ? modelNode(fields, this.attachedTo(node)) : undefined) ?? converter(fields)
    if (converted !== undefined) return converted
    this.find(
      node,
      'not_converted',
      `The node ${short}${operationOf(node)} has no counterpart. The step fails with the error not-converted until you replace it; its parameters are in its metadata.`,
    )
    const error = {
      type: 'https://millrace.dev/errors/import/not-converted',
      status: 501,
      title: 'Not converted',
      detail: `Replace the step of type ${node.type}.`,
    }
    const metadata = { type: node.type, parameters: JSON.stringify(node.parameters).slice(0, 20_000) }
    return { as: 'each', task: { raise: { error }, metadata } }
  }

  private namesFor(): ExpressionNames {
    return {
      keyOf: (name) => {
        const node = this.byName.get(name)
        return node === undefined ? undefined : this.names.get(node.index)
      },
      variable: (name) => this.variable(name),
      workflowName: this.source.name,
    }
  }

  private variable(name: string): string | undefined {
    if (!/^[A-Za-z_]\w{0,99}$/.test(name)) return undefined
    this.variables.add(name)
    return `$variables.${name}`
  }

  private secret(kind: string, node: N8nNode): string {
    const name =
      kind
        .replace(/[^A-Za-z0-9]+/g, '_')
        .replace(/^(\d)/, '_$1')
        .slice(0, 60) || 'credential'
    const known = this.secrets.get(name) ?? { kind, usedBy: new Set<string>() }
    known.usedBy.add(node.name)
    this.secrets.set(name, known)
    return name
  }

  /** jq of what a script reads: the items, and those of the nodes that its code names. */
  private scriptInput(source: string, items: string): string {
    const nodes = [...this.byName.values()].filter(
      ({ name }) => ['"', "'", '`'].some((mark) => source.includes(`${mark}${name}${mark}`)) || source.includes(`$node.${name}`),
    )
    const names = Object.fromEntries(nodes.map(({ name, index }) => [name, this.names.get(index) ?? '']))
    const data = nodes.map(
      (node) => `${JSON.stringify(this.names.get(node.index) ?? '')}: $list[${JSON.stringify(this.names.get(node.index) ?? '')}]`,
    )
    const vars = [...source.matchAll(/\$(?:vars|env)\.([A-Za-z_]\w*)/g)].flatMap(([, name]) =>
      name === undefined ? [] : [`${JSON.stringify(name)}: ${this.variable(name) ?? 'null'}`],
    )
    const workflow = JSON.stringify({ id: slug(this.source.name), name: this.source.name, active: true })
    return `{items: ${items}, nodes: {${data.join(', ')}}, names: ${JSON.stringify(names)}, vars: {${vars.join(', ')}}, workflow: ${workflow}, execution: $workflow.id}`
  }

  private node(index: number): N8nNode {
    const node = this.source.nodes[index]
    if (node === undefined) throw new Error(`no node ${index}`)
    return node
  }

  private find({ index, name, type }: N8nNode, outcome: ImportFinding['outcome'], reason: string, path = ''): void {
    this.findings.push({ outcome, pointer: `/nodes/${index}${path}`, part: name, type, reason })
  }

  private report(nodes: readonly N8nNode[], notes: readonly N8nNode[], begun: readonly N8nStart[]) {
    const worst = new Map<string, string>()
    for (const { pointer, outcome } of this.findings) {
      const node = pointer.split('/').slice(0, 3).join('/')
      if (outcome === 'not_converted' || (outcome === 'adapted' && worst.get(node) !== 'not_converted')) worst.set(node, outcome)
    }
    const count = (outcome: string) => nodes.filter(({ index }) => worst.get(`/nodes/${index}`) === outcome).length
    const [adapted, notConverted] = [count('adapted'), count('not_converted')]
    const parts = {
      total: nodes.length,
      converted: nodes.length - notes.length - adapted - notConverted,
      adapted,
      notConverted,
      notes: notes.length,
    }
    const secrets = [...this.secrets].map(([secret, { kind, usedBy }]) => ({ secret, kind, usedBy: [...usedBy] }))
    const of = (isByItself: boolean) => begun.filter(({ byItself = false }) => byItself === isByItself).map(({ proposal }) => proposal)
    const [starts, triggers] = [of(true), of(false)]
    return {
      format: 'n8n',
      name: this.source.name,
      parts,
      findings: this.findings,
      starts,
      triggers,
      secrets,
      variables: [...this.variables],
    }
  }
}

/** How an execution says that it began at another trigger than the first. */
function laneText({ name, kind }: TriggerProposal): string {
  const trigger = JSON.stringify(name)
  return ['webhook', 'event'].includes(kind)
    ? `So that its own steps run, give it the mapping \`. + {trigger: ${trigger}}\`.`
    : `So that its own steps run, the input has to be \`{"trigger": ${trigger}}\`.`
}

/** What scripts of a node compute. */
function sourcesOf(converted: Converted, { computed }: NodeFields): readonly string[] {
  return [...computed.values(), ...(converted.as === 'script' ? [converted.code] : [])]
}

function operationOf({ parameters }: N8nNode): string {
  const parts = [textOf(parameters['resource']), textOf(parameters['operation'])].filter((part) => part !== '')
  return parts.length === 0 ? '' : ` (${parts.join(', ').slice(0, 80)})`
}

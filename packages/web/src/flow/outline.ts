/** A task of a definition as the flow shows it. */
export interface OutlineEntry {
  readonly name: string
  /** JSON Pointer of the task. */
  readonly reference: string
  /** Glyph of the sprite. */
  readonly kind: string
  /** One line: what it does. */
  readonly summary: string
  /** The condition without which it is skipped. */
  readonly condition: string | undefined
  readonly blocks: readonly OutlineBlock[]
}

/** A list of tasks inside a task. */
export interface OutlineBlock {
  readonly kind: 'body' | 'loop' | 'lane' | 'catch'
  readonly label: string
  readonly list: readonly OutlineEntry[]
}

type Node = Readonly<Record<string, unknown>>

const nodeOf = (value: unknown): Node => (typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** The tasks of a definition, in the order of the document. Tolerant: what it does not know becomes a plain entry. */
export function outlineOf(definition: unknown): readonly OutlineEntry[] {
  return entriesOf(nodeOf(definition)['do'], '/do')
}

function entriesOf(list: unknown, pointer: string): readonly OutlineEntry[] {
  return listOf(list).flatMap((item, index) => {
    const [found] = Object.entries(nodeOf(item))
    return found === undefined ? [] : [entryOf(found[0], nodeOf(found[1]), `${pointer}/${index}/${escaped(found[0])}`)]
  })
}

function entryOf(name: string, task: Node, reference: string): OutlineEntry {
  const condition = textOf(task['if'])
  const common = { name, reference, condition: condition === '' ? undefined : expressionOf(condition) }
  if ('call' in task) return { ...common, ...callOf(task), blocks: [] }
  if ('for' in task)
    return { ...common, kind: 'for', summary: loopSummary(task), blocks: [block('loop', '', task['do'], `${reference}/do`)] }
  if ('fork' in task) return { ...common, ...forkOf(nodeOf(task['fork']), reference) }
  if ('try' in task) return { ...common, ...tryOf(task, reference) }
  if ('switch' in task) return { ...common, kind: 'switch', summary: listOf(task['switch']).map(wayOf).join(' · '), blocks: [] }
  if ('do' in task) return { ...common, kind: 'do', summary: '', blocks: [block('body', '', task['do'], `${reference}/do`)] }
  return { ...common, ...plainOf(task), blocks: [] }
}

function block(kind: OutlineBlock['kind'], label: string, list: unknown, pointer: string): OutlineBlock {
  return { kind, label, list: entriesOf(list, pointer) }
}

function callOf(task: Node): { kind: string; summary: string } {
  const call = textOf(task['call'])
  const args = nodeOf(task['with'])
  if (call === 'http') {
    const endpoint = args['endpoint']
    const target = textOf(endpoint) === '' ? textOf(nodeOf(endpoint)['uri']) : textOf(endpoint)
    return { kind: 'http', summary: `${textOf(args['method']).toUpperCase()} ${expressionOf(target).replace(/^https?:\/\//, '')}` }
  }
  if (call === 'approve') return { kind: 'approve', summary: expressionOf(textOf(args['title'])) }
  if (call === 'email') return { kind: 'email', summary: textOf(args['to']) }
  return { kind: 'connector', summary: call }
}

function plainOf(task: Node): { kind: string; summary: string } {
  if ('set' in task)
    return {
      kind: 'set',
      summary: typeof task['set'] === 'string' ? expressionOf(task['set']) : Object.keys(nodeOf(task['set'])).join(', '),
    }
  if ('run' in task) {
    const run = nodeOf(task['run'])
    return 'workflow' in run
      ? { kind: 'workflow', summary: textOf(nodeOf(run['workflow'])['name']) }
      : { kind: 'script', summary: Object.keys(run).join(', ') }
  }
  if ('emit' in task) return { kind: 'emit', summary: textOf(nodeOf(nodeOf(nodeOf(task['emit'])['event'])['with'])['type']) }
  if ('listen' in task) return { kind: 'listen', summary: Object.keys(nodeOf(nodeOf(task['listen'])['to'])).join(', ') }
  if ('wait' in task) return { kind: 'wait', summary: durationOf(task['wait']) }
  if ('raise' in task) return { kind: 'raise', summary: textOf(nodeOf(nodeOf(task['raise'])['error'])['title']) }
  return { kind: 'set', summary: '' }
}

function forkOf(fork: Node, reference: string): Pick<OutlineEntry, 'kind' | 'summary' | 'blocks'> {
  const lanes = entriesOf(fork['branches'], `${reference}/fork/branches`)
  const blocks = lanes.map((lane): OutlineBlock => ({ kind: 'lane', label: '', list: [lane] }))
  return { kind: 'fork', summary: fork['compete'] === true ? `1 / ${lanes.length}` : `${lanes.length}`, blocks }
}

function tryOf(task: Node, reference: string): Pick<OutlineEntry, 'kind' | 'summary' | 'blocks'> {
  const caught = nodeOf(task['catch'])
  const status = textOf(nodeOf(nodeOf(caught['errors'])['with'])['status'])
  const retries = textOf(nodeOf(nodeOf(nodeOf(caught['retry'])['limit'])['attempt'])['count'])
  const body = block('body', '', task['try'], `${reference}/try`)
  const blocks = 'do' in caught ? [body, block('catch', status, caught['do'], `${reference}/catch/do`)] : [body]
  return {
    kind: 'try',
    summary: [retries === '' ? textOf(caught['retry']) : `↻ ${retries}`, status].filter((part) => part !== '').join(' · '),
    blocks,
  }
}

function loopSummary(task: Node): string {
  const loop = nodeOf(task['for'])
  return `${textOf(loop['each']) || 'item'} ← ${expressionOf(textOf(loop['in']))}`
}

function wayOf(item: unknown): string {
  const [found] = Object.entries(nodeOf(item))
  if (found === undefined) return ''
  const { when, then } = nodeOf(found[1])
  return `${found[0]}${when === undefined ? '' : ` ${expressionOf(textOf(when))}`} → ${textOf(then) || '…'}`
}

function durationOf(value: unknown): string {
  if (typeof value === 'string') return expressionOf(value)
  return Object.entries(nodeOf(value))
    .map(([unit, count]) => `${textOf(count)} ${unit}`)
    .join(' ')
}

/** An expression without its braces. */
function expressionOf(text: string): string {
  return text.replace(/^\$\{\s*|\s*\}$/g, '')
}

function escaped(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}

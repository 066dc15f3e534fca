import { durationText } from '#src/flow/duration-text.ts'
import { plainDuration } from '#src/flow/plain-duration.ts'
import { readable } from '#src/flow/readable.ts'
import { m } from '#src/messages/messages.ts'

type Node = Readonly<Record<string, unknown>>

/** A value as an object; empty for everything else. */
export const nodeOf = (value: unknown): Node => (typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {})
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** The glyph of a task and one line that says what it does. */
export interface Summary {
  readonly kind: string
  readonly summary: string
}

/** Of a task of any kind, as far as it can be read. */
export function summaryOf(kind: string, data: unknown): Summary {
  const task = nodeOf(data)
  switch (kind) {
    case 'call':
      return callOf(task)
    case 'run':
      return runOf(nodeOf(task['run']))
    case 'for':
      return { kind, summary: loopOf(task) }
    case 'fork':
      return { kind, summary: nodeOf(task['fork'])['compete'] === true ? '1' : '' }
    case 'try':
      return { kind, summary: caughtOf(nodeOf(task['catch'])) }
    case 'unknown':
      return { kind: 'set', summary: '' }
    default:
      return { kind, summary: plainOf(kind, task[kind]) }
  }
}

function callOf(task: Node): Summary {
  const call = textOf(task['call'])
  const args = nodeOf(task['with'])
  if (call === 'http') {
    const endpoint = args['endpoint']
    const target = textOf(endpoint) === '' ? textOf(nodeOf(endpoint)['uri']) : textOf(endpoint)
    return { kind: 'http', summary: `${textOf(args['method']).toUpperCase()} ${readable(target).replace(/^https?:\/\//, '')}`.trim() }
  }
  if (call === 'approve') return { kind: 'approve', summary: [readable(textOf(args['title'])), limitOf(args)].filter(Boolean).join(' · ') }
  if (call === 'email')
    return { kind: 'email', summary: [readable(textOf(args['to'])), readable(textOf(args['subject']))].filter(Boolean).join(' · ') }
  if (call === 'model') return { kind: 'agent', summary: readable(textOf(args['prompt'])) }
  if (call === 'agent') return { kind: 'agent', summary: readable(textOf(args['goal'])) }
  return { kind: 'connector', summary: call }
}

/** How long a question waits, and what happens then. */
function limitOf({ deadline, onDeadline }: Node): string {
  const { units, unit1, limits } = m.approvalStep
  const plain = plainDuration(textOf(deadline))
  const time = plain === undefined ? durationText(deadline) : `${plain.count} ${(plain.count === 1 ? unit1 : units)[plain.unit]}`
  if (time === '') return ''
  return onDeadline === 'approve' || onDeadline === 'fail' ? limits[onDeadline](time) : limits.reject(time)
}

function runOf(run: Node): Summary {
  if ('workflow' in run) return { kind: 'workflow', summary: textOf(nodeOf(run['workflow'])['name']) }
  const script = nodeOf(run['script'])
  return { kind: 'script', summary: textOf(script['language']) || Object.keys(run).join(', ') }
}

function plainOf(kind: string, value: unknown): string {
  switch (kind) {
    case 'set':
      return typeof value === 'string' ? readable(value) : Object.keys(nodeOf(value)).join(', ')
    case 'emit':
      return textOf(nodeOf(nodeOf(nodeOf(value)['event'])['with'])['type'])
    case 'listen':
      return listenedTypes(nodeOf(nodeOf(value)['to'])).join(', ')
    case 'wait':
      return durationText(value)
    case 'raise':
      return raisedOf(nodeOf(value)['error'])
    case 'switch':
      return listOf(value).map(wayOf).join(' · ')
    default:
      return ''
  }
}

function raisedOf(error: unknown): string {
  const { status, title } = nodeOf(error)
  return textOf(error) === '' ? `${textOf(status)} ${textOf(title)}`.trim() : readable(textOf(error))
}

function listenedTypes(to: Node): readonly string[] {
  const filters = [...listOf(to['all']), ...listOf(to['any']), ...('one' in to ? [to['one']] : [])]
  return filters.map((filter) => textOf(nodeOf(nodeOf(filter)['with'])['type'])).filter((type) => type !== '')
}

function loopOf(task: Node): string {
  const loop = nodeOf(task['for'])
  return `${textOf(loop['each']) || 'item'} ← ${readable(textOf(loop['in']))}`
}

function caughtOf(caught: Node): string {
  const { status } = nodeOf(nodeOf(caught['errors'])['with'])
  const retries = textOf(nodeOf(nodeOf(nodeOf(caught['retry'])['limit'])['attempt'])['count'])
  return [retries === '' ? textOf(caught['retry']) : `↻ ${retries}`, textOf(status)].filter((part) => part !== '').join(' · ')
}

/** One case of a switch, as a card names it. */
function wayOf(item: unknown): string {
  const [found] = Object.entries(nodeOf(item))
  if (found === undefined) return ''
  const { when, then } = nodeOf(found[1])
  return `${found[0]}${when === undefined ? '' : ` ${readable(textOf(when))}`} → ${textOf(then) || '…'}`
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

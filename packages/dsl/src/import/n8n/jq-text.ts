import { type Node, parsed } from '#src/expression/parsed.ts'
import { replacePieces } from '#src/expression/replace-pieces.ts'

/** jq as an operand: in parentheses unless it is a term. */
export function term(jq: string): string {
  const node = parsed(jq)
  const isTry = node?.kind === 'try' && node.start === 1 && jq.startsWith('(') && jq.endsWith(')')
  if (isTry) return jq
  if (node === undefined || !isTerm(node)) return `(${jq})`
  return jq.startsWith('(') && node.start === 1 && node.end === jq.length - 1 ? jq.slice(1, -1) : jq
}

function isTerm(node: Node): boolean {
  if (node.kind === 'index' || node.kind === 'slice' || node.kind === 'iterate') return isTerm(node.target)
  if (node.kind === 'literal') return typeof node.value !== 'number' || node.value >= 0
  return ['identity', 'string', 'variable', 'array', 'object', 'if'].includes(node.kind)
}

/** The text that jq always gives, if that is plain. */
export function constantText(jq: string): string | undefined {
  const node = parsed(jq)
  if (node?.kind === 'string' && node.format === undefined && node.parts.every((part) => typeof part === 'string'))
    return node.parts.join('')
  return node?.kind === 'literal' && typeof node.value === 'string' ? node.value : undefined
}

/** jq as a part of a condition that others follow with `and` or `or`. */
export function clause(jq: string): string {
  const kind = parsed(jq)?.kind
  return kind === 'binary' || kind === 'call' || kind === 'literal' || jq.startsWith('(') ? jq : `(${jq})`
}

/** jq over `$item` as jq over `.`: `$item.total` becomes `.total` wherever `.` still is the item there. */
export function ofItem(jq: string): string {
  const reads = jq.match(/\$item\b/g)?.length ?? 0
  if (reads === 0) return jq
  const node = parsed(jq)
  const spans = node === undefined ? [] : itemsIn(node)
  if (spans.length !== reads) return `. as $item | ${jq}`
  // Before the name of a member its own dot is enough.
  const pieces = spans.map(({ start, end }) => ({ start, end, insert: /^\.[A-Za-z_"]/.test(jq.slice(end)) ? '' : '.' }))
  return replacePieces(jq, pieces)
}

/** The reads of `$item` for which `.` is the same. */
function itemsIn(node: Node): Node[] {
  switch (node.kind) {
    case 'variable':
      return node.name.replace(/^\$/, '') === 'item' ? [node] : []
    case 'index':
      return [...itemsIn(node.target), ...itemsIn(node.key)]
    case 'slice':
      return [node.target, node.from, node.to].flatMap(itemsIn)
    case 'iterate':
      return itemsIn(node.target)
    case 'try':
      return itemsIn(node.body)
    case 'negate':
      return itemsIn(node.operand)
    case 'pipe':
      return itemsIn(node.left)
    case 'comma':
      return node.items.flatMap(itemsIn)
    case 'binary':
    case 'logic':
    case 'alternative':
      return [node.left, node.right].flatMap(itemsIn)
    case 'if':
      return [node.condition, node.yes, node.no].flatMap((one) => (one === undefined ? [] : itemsIn(one)))
    case 'bind':
      return [node.source, node.body].flatMap(itemsIn)
    case 'string':
      return node.parts.flatMap((part) => (typeof part === 'string' ? [] : itemsIn(part)))
    case 'array':
      return node.body === undefined ? [] : itemsIn(node.body)
    case 'object':
      return node.entries.flatMap(({ key, value }) => [...itemsIn(key), ...(value === undefined ? [] : itemsIn(value))])
    case 'call':
      return sameInput.has(node.name) ? node.args.flatMap(itemsIn) : []
    default:
      return []
  }
}

/** Functions whose arguments read the input of the function. */
const sameInput: ReadonlySet<string> = new Set([
  'select',
  'setpath',
  'getpath',
  'test',
  'contains',
  'startswith',
  'endswith',
  'has',
  'split',
  'join',
])

/** A read of a variable in jq, with the constant key that it is read with. */
export interface VariableRead {
  readonly name: string
  readonly key: string | undefined
  readonly start: number
  readonly end: number
}

/** jq with reads of variables replaced; a read for which there is no replacement stays. */
export function withReads(jq: string, replaced: (read: VariableRead) => string | undefined): string {
  const node = jq.includes('$') ? parsed(jq) : undefined
  if (node === undefined) return jq
  const pieces = [...readsIn(node)].flatMap((read) => {
    const insert = replaced(read)
    return insert === undefined ? [] : [{ ...read, insert }]
  })
  return replacePieces(jq, pieces)
}

function* readsIn(node: unknown): Generator<VariableRead> {
  if (typeof node !== 'object' || node === null) return
  const { kind, name, target, key, start, end } = Object(node)
  if (kind === 'variable') yield { name: String(name).replace(/^\$/, ''), key: undefined, start, end }
  else if (kind === 'index' && target.kind === 'variable' && constantKey(key) !== undefined)
    yield { name: String(target.name).replace(/^\$/, ''), key: constantKey(key), start, end }
  else for (const [member, inner] of Object.entries(node)) if (member !== 'patterns') yield* readsIn(inner)
}

function constantKey(key: Node): string | undefined {
  if (key.kind === 'literal') return typeof key.value === 'string' ? key.value : undefined
  return key.kind === 'string' && key.parts.length === 1 && typeof key.parts[0] === 'string' ? key.parts[0] : undefined
}

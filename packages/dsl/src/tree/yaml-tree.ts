import { type Document, type Node, type Pair, isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Json } from '#src/json.ts'
import { endOf, type SourceItem, type SourceMember, type SourceNode } from './source-node.ts'
import { skipBlanks } from './text-lines.ts'

const depthMax = 200

/** The values of a YAML document in their text; what the library could not make sense of is an absent value. */
export function yamlTree(text: string, document: Document): SourceNode {
  return treeOf({ text, anchors: new Map() }, document.contents, 0, 0)
}

interface Reading {
  readonly text: string
  readonly anchors: Map<string, SourceNode>
}

/** `at` is where an absent value would be. */
function treeOf(reading: Reading, node: Node | null, at: number, depth: number): SourceNode {
  const start = node?.range?.[0] ?? at
  if (node === null || depth > depthMax) return { kind: 'scalar', value: null, start: at, end: at }
  if (isAlias(node)) return { kind: 'alias', start, end: node.range?.[1] ?? start, value: reading.anchors.get(node.source) }
  const made = collectionOrScalar(reading, node, start, depth)
  if (node.anchor !== undefined) reading.anchors.set(node.anchor, made)
  return made
}

function collectionOrScalar(reading: Reading, node: Node, start: number, depth: number): SourceNode {
  const end = node.range?.[1] ?? start
  if (isMap(node)) {
    const style = node.flow === true ? 'flow' : 'block'
    const members = membersOf(reading, node.items, start, style === 'flow', depth)
    const last = members.at(-1)
    return { kind: 'map', style, members, start, end: style === 'flow' || last === undefined ? end : endOf(last) }
  }
  if (isSeq(node)) {
    const style = node.flow === true ? 'flow' : 'block'
    const items = itemsOf(reading, node.items, start, style === 'flow', depth)
    const last = items.at(-1)
    return { kind: 'list', style, items, start, end: style === 'flow' || last === undefined ? end : endOf(last) }
  }
  const value = isScalar(node) ? node.value : null
  const source = isScalar(node) ? node.type : undefined
  const isBlock = source === 'BLOCK_LITERAL' || source === 'BLOCK_FOLDED'
  return { kind: 'scalar', value: scalarOf(value), start, end: isBlock ? blockEnd(reading.text, start, end) : end }
}

function scalarOf(value: unknown): Json {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value
  return null
}

/** Blank lines behind a block of text belong to it only when its header keeps them. */
function blockEnd(text: string, start: number, end: number): number {
  const header = /^[|>][\d+-]*/.exec(text.slice(start, start + 8))?.[0] ?? ''
  if (header.includes('+')) return end
  let last = end
  while (last > start && /\s/.test(text.charAt(last - 1))) last--
  return Math.max(last, start + header.length)
}

function membersOf(reading: Reading, pairs: readonly Pair[], start: number, flow: boolean, depth: number): SourceMember[] {
  const members: SourceMember[] = []
  let from = start
  for (const pair of pairs) {
    const key = pair.key
    if (!isScalar(key)) continue
    const keyStart = key.range?.[0] ?? from
    const keyEnd = key.range?.[1] ?? keyStart
    const member = {
      key: String(key.value),
      start: flow ? keyStart : Math.min(skipBlanks(reading.text, from), keyStart),
      keyStart,
      keyEnd,
      value: treeOf(reading, toNode(pair.value), keyEnd, depth + 1),
    }
    members.push(member)
    from = endOf(member)
  }
  return members
}

function itemsOf(reading: Reading, nodes: readonly unknown[], start: number, flow: boolean, depth: number): SourceItem[] {
  const items: SourceItem[] = []
  let from = start
  for (const content of nodes) {
    const node = toNode(content)
    const dash = flow ? from : skipBlanks(reading.text, from)
    const value = treeOf(reading, node, dash + 1, depth + 1)
    const item = { start: flow ? value.start : dash, value }
    items.push(item)
    from = endOf(item)
  }
  return items
}

/** The library types the items of collections as unknown; an item that is not a node is an absent value. */
function toNode(item: unknown): Node | null {
  return isAlias(item) || isScalar(item) || isMap(item) || isSeq(item) ? item : null
}

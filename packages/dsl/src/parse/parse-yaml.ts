import { type Document, type Node, type Pair, isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Json } from '#src/json.ts'
import { composeYaml } from './compose-yaml.ts'
import { type ParseLimits, problemsMax } from './limits.ts'
import { childPointer } from './pointer.ts'
import type { PositionNode } from './positions.ts'
import {
  type Problem,
  type ReadResult,
  duplicateKeyProblem,
  forbiddenKeyProblem,
  forbiddenKeys,
  tooDeep,
  tooManyMembers,
  tooManyValues,
} from './read-result.ts'
import type { ScalarStyle } from './scalar-offset.ts'
import { type SourceText, createSourceText } from './source-text.ts'
import { keyProblem, valueProblem } from './text-problems.ts'

/**
 * Reads YAML 1.2 (core schema) into plain data with the position of every key and value.
 *
 * Keys are compared and aliases resolved here in linear time: the library needs quadratic time for keys and walks the whole document for each
 * alias.
 */
export function parseYaml(text: string, limits: ParseLimits): ReadResult {
  const composed = composeYaml(text, limits)
  const unread = { start: 0, end: text.length }
  if ('problems' in composed) return { root: unread, problems: composed.problems }
  const { document } = composed
  const version = versionProblem(document)
  if (version !== undefined) return { root: unread, problems: [version] }
  const reader: Reader = { source: createSourceText(text), limits, problems: [], anchors: new Map(), values: 0, length: 0 }
  const root = readNode(reader, document.contents, '', {}, 0)
  return { value: root.value, root: root.node, problems: reader.problems }
}

interface Reader {
  readonly source: SourceText
  readonly limits: ParseLimits
  readonly problems: Problem[]
  /** The value of each anchor; undefined while the anchored node itself is being read. */
  readonly anchors: Map<string, Entry | undefined>
  values: number
  /** Characters that aliases stand for. */
  length: number
}

interface Entry {
  readonly value: Json
  readonly node: PositionNode
  /** Values in it, aliases expanded, and levels below it: what a repetition of it costs. */
  readonly size: number
  readonly height: number
  /** Characters of it when it is written out. */
  readonly length: number
}

const single = { size: 1, height: 0, length: 1 }

type KeySpan = Pick<PositionNode, 'keyStart' | 'keyEnd'>

function versionProblem(document: Document): Problem | undefined {
  const directive = document.directives?.yaml
  if (directive?.explicit !== true || directive.version === '1.2') return undefined
  const message = `The document asks for YAML ${directive.version}, in which words such as "yes" and "on" mean true.`
  return { code: 'unsupported_yaml', pointer: '', start: 0, end: 5, message, hint: 'Remove the %YAML directive: definitions are YAML 1.2.' }
}

function readNode(reader: Reader, node: Node | null, pointer: string, key: KeySpan, depth: number): Entry {
  const [start, end] = [node?.range?.[0] ?? key.keyEnd ?? 0, node?.range?.[1] ?? key.keyEnd ?? 0]
  if (isAlias(node)) return readAlias(reader, node.source, pointer, { start, end, ...key }, depth)
  const anchor = node?.anchor
  if (anchor !== undefined) reader.anchors.set(anchor, undefined)
  reader.values++
  const entry = withinLimits(reader, pointer, depth, start, end)
    ? readContent(reader, node, pointer, { start, end, ...key }, depth)
    : { value: null, node: { start, end, ...key }, ...single }
  if (anchor !== undefined) reader.anchors.set(anchor, entry)
  return entry
}

function readContent(reader: Reader, node: Node | null, pointer: string, place: PositionNode, depth: number): Entry {
  if (isMap(node)) return readMap(reader, node.items, pointer, place, depth)
  if (isSeq(node)) return readSequence(reader, node.items, pointer, place, depth)
  const value = scalarValue(reader, isScalar(node) ? node.value : null, pointer, place)
  if (typeof value !== 'string') return { value, node: place, ...single }
  report(reader, valueProblem({ text: value, pointer, start: place.start, end: place.end }, reader.limits))
  const style = isScalar(node) ? scalarStyle(node.type) : undefined
  return { value, node: style === undefined ? place : { ...place, style }, ...single, length: value.length + 1 }
}

/** False when the value may not be read further; each limit is reported once. */
function withinLimits(reader: Reader, pointer: string, depth: number, start: number, end: number): boolean {
  const { limits } = reader
  if (depth > limits.depthMax) reportOnce(reader, tooDeep(limits, pointer, start, end))
  else if (reader.values > limits.valuesMax) reportOnce(reader, tooManyValues(limits, pointer, start, end))
  else return true
  return false
}

function report(reader: Reader, problem: Problem | undefined): void {
  if (problem !== undefined && reader.problems.length < problemsMax) reader.problems.push(problem)
}

function reportOnce(reader: Reader, problem: Problem): void {
  if (!reader.problems.some((earlier) => earlier.code === problem.code)) report(reader, problem)
}

function readAlias(reader: Reader, source: string, pointer: string, place: PositionNode, depth: number): Entry {
  const target = reader.anchors.get(source)
  const empty = { value: null, node: place, ...single }
  if (target === undefined) {
    const name = source.slice(0, 40)
    const message = reader.anchors.has(source)
      ? `The alias *${name} stands inside the value that it stands for.`
      : `There is no anchor &${name} in front of the alias *${name}.`
    const hint = reader.anchors.has(source) ? 'Write the value out.' : `Put &${name} in front of the value that is meant.`
    const code = reader.anchors.has(source) ? 'alias_limit' : 'syntax_error'
    report(reader, { code, pointer, start: place.start, end: place.end, message, hint })
    return empty
  }
  reader.values += target.size
  reader.length += target.length
  const { valuesMax, depthMax, lengthMax } = reader.limits
  if (reader.values > valuesMax || depth + target.height > depthMax || reader.length > lengthMax) {
    const message = `The aliases of the document expand to more than ${valuesMax} values, ${depthMax} levels or ${lengthMax} characters.`
    const { start, end } = place
    reportOnce(reader, { code: 'alias_limit', pointer, start, end, message, hint: 'Write fewer aliases of aliases.' })
    return empty
  }
  // Values under an alias have the position of the anchored text, the alias itself its own position.
  const children = target.node.children
  return { ...target, node: children === undefined ? place : { ...place, children } }
}

function readMap(reader: Reader, items: readonly Pair[], pointer: string, place: PositionNode, depth: number): Entry {
  const object: Record<string, Json> = {}
  const children = new Map<string, PositionNode>()
  const sizes = { ...single }
  for (const pair of membersOf(reader, items, pointer, place)) {
    const keyNode = pair.key
    // With stringKeys the library has already refused every key that is not a string.
    if (!isScalar(keyNode)) continue
    const key = String(keyNode.value)
    const [keyStart, keyEnd] = [keyNode.range?.[0] ?? 0, keyNode.range?.[1] ?? 0]
    const child = childPointer(pointer, key)
    const unusable = keyProblem({ text: key, pointer: child, start: keyStart, end: keyEnd }, reader.limits)
    if (unusable !== undefined) {
      report(reader, unusable)
      continue
    }
    const entry = readNode(reader, toNode(pair.value), child, { keyStart, keyEnd }, depth + 1)
    grow(sizes, entry, key.length)
    const earlier = children.get(key)
    if (forbiddenKeys.has(key)) report(reader, forbiddenKeyProblem(key, child, keyStart, keyEnd))
    else if (earlier === undefined) {
      object[key] = entry.value
      children.set(key, entry.node)
    } else {
      const line = reader.source.at(earlier.keyStart ?? earlier.start).line
      report(reader, duplicateKeyProblem(key, child, keyStart, keyEnd, line))
    }
  }
  return { value: object, node: { ...place, children }, ...sizes }
}

function readSequence(reader: Reader, items: readonly unknown[], pointer: string, place: PositionNode, depth: number): Entry {
  const list: Json[] = []
  const children = new Map<string, PositionNode>()
  const sizes = { ...single }
  for (const [index, item] of membersOf(reader, items, pointer, place).entries()) {
    const entry = readNode(reader, toNode(item), childPointer(pointer, index), {}, depth + 1)
    grow(sizes, entry, 0)
    list.push(entry.value)
    children.set(String(index), entry.node)
  }
  return { value: list, node: { ...place, children }, ...sizes }
}

/** The entries of a collection; empty, with a problem, when there are too many. */
function membersOf<Item>(reader: Reader, items: readonly Item[], pointer: string, { start, end }: PositionNode): readonly Item[] {
  if (items.length <= reader.limits.membersMax) return items
  report(reader, tooManyMembers(reader.limits, pointer, start, end))
  return []
}

function grow(sizes: { size: number; height: number; length: number }, entry: Entry, keyLength: number): void {
  sizes.size += entry.size
  sizes.length += entry.length + keyLength
  sizes.height = Math.max(sizes.height, entry.height + 1)
}

/** The library types the items of collections as unknown; an item that is not a node is an absent value. */
function toNode(item: unknown): Node | null {
  return isAlias(item) || isScalar(item) || isMap(item) || isSeq(item) ? item : null
}

function scalarValue(reader: Reader, value: unknown, pointer: string, place: PositionNode): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  // Minus zero is not preserved when it is written and read again.
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value
  const written = reader.source.text.slice(place.start, Math.min(place.end, place.start + 40))
  const message = `The value ${written} has no counterpart in JSON.`
  report(reader, { code: 'unsupported_yaml', pointer, start: place.start, end: place.end, message, hint: 'Write a string.' })
  return null
}

function scalarStyle(type: string | null | undefined): ScalarStyle {
  if (type === 'QUOTE_DOUBLE') return 'double'
  if (type === 'QUOTE_SINGLE') return 'single'
  return type === 'BLOCK_FOLDED' || type === 'BLOCK_LITERAL' ? 'block' : 'plain'
}

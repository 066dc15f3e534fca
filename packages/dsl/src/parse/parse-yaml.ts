import { type Document, type Node, type Pair, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import type { Json } from '#src/types/json.ts'
import type { ParseLimits } from './limits.ts'
import { childPointer } from './pointer.ts'
import type { PositionNode } from './positions.ts'
import { type Problem, type ReadResult, duplicateKeyProblem, forbiddenKeyProblem, forbiddenKeys } from './read-result.ts'
import type { ScalarStyle } from './scalar-offset.ts'
import { type SourceText, createSourceText } from './source-text.ts'
import { yamlSyntaxProblem } from './yaml-problems.ts'

/**
 * Reads YAML 1.2 (core schema) into plain data with the position of every key and value.
 *
 * Keys are compared here and aliases are resolved here, each in linear time: the library's own ways are quadratic in the number of keys
 * and walk the whole document for each alias.
 */
export function parseYaml(text: string, limits: ParseLimits): ReadResult {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    merge: false,
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    // Silent would also keep quiet about further documents in the text.
    logLevel: 'error',
  })
  const syntax = withoutCascade([...document.errors, ...document.warnings].map((error) => yamlSyntaxProblem(text, error)))
  const version = versionProblem(document)
  if (version !== undefined) syntax.push(version)
  if (syntax.length > 0) return { root: { start: 0, end: text.length }, problems: syntax }
  const reader: Reader = { source: createSourceText(text), limits, problems: [], anchors: new Map(), values: 0 }
  const root = readNode(reader, document.contents, '', {}, 0)
  return { value: root.value, root: root.node, problems: reader.problems }
}

interface Reader {
  readonly source: SourceText
  readonly limits: ParseLimits
  readonly problems: Problem[]
  /** What each anchor stands for; undefined while the anchored node itself is being read. */
  readonly anchors: Map<string, Entry | undefined>
  values: number
}

interface Entry {
  readonly value: Json
  readonly node: PositionNode
  /** Values in it, aliases expanded, and levels below it: what a repetition of it costs. */
  readonly size: number
  readonly height: number
}

type KeySpan = Pick<PositionNode, 'keyStart' | 'keyEnd'>

/** What the library reports behind the first syntax error follows from it more often than not. */
function withoutCascade(problems: readonly Problem[]): Problem[] {
  const first = problems.find((problem) => problem.code === 'syntax_error')
  return problems.filter((problem) => problem.code !== 'syntax_error' || problem === first)
}

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
    : { value: null, node: { start, end, ...key }, size: 1, height: 0 }
  if (anchor !== undefined) reader.anchors.set(anchor, entry)
  return entry
}

function readContent(reader: Reader, node: Node | null, pointer: string, place: PositionNode, depth: number): Entry {
  if (isMap(node)) return readMap(reader, node.items, pointer, place, depth)
  if (isSeq(node)) return readSequence(reader, node.items, pointer, place, depth)
  const value = scalarValue(reader, isScalar(node) ? node.value : null, pointer, place)
  const style = typeof value === 'string' && isScalar(node) ? scalarStyle(node.type) : undefined
  return { value, node: style === undefined ? place : { ...place, style }, size: 1, height: 0 }
}

/** False when the value may not be read further; each limit is reported once. */
function withinLimits(reader: Reader, pointer: string, depth: number, start: number, end: number): boolean {
  const { depthMax, valuesMax } = reader.limits
  if (depth > depthMax) {
    const message = `Values are nested deeper than ${depthMax}.`
    reportOnce(reader, { code: 'document_too_deep', pointer, start, end, message, hint: 'Flatten the document.' })
    return false
  }
  if (reader.values <= valuesMax) return true
  const message = `The document has more than ${valuesMax} values.`
  reportOnce(reader, { code: 'document_too_large', pointer, start, end, message, hint: 'Split the workflow.' })
  return false
}

function reportOnce(reader: Reader, problem: Problem): void {
  if (!reader.problems.some((earlier) => earlier.code === problem.code)) reader.problems.push(problem)
}

function readAlias(reader: Reader, name: string, pointer: string, place: PositionNode, depth: number): Entry {
  const target = reader.anchors.get(name)
  const empty = { value: null, node: place, size: 1, height: 0 }
  if (target === undefined) {
    const message = reader.anchors.has(name)
      ? `The alias *${name} stands inside the value that it stands for.`
      : `There is no anchor &${name} in front of the alias *${name}.`
    const hint = reader.anchors.has(name) ? 'Write the value out.' : `Put &${name} in front of the value that is meant.`
    const code = reader.anchors.has(name) ? 'alias_limit' : 'syntax_error'
    reader.problems.push({ code, pointer, start: place.start, end: place.end, message, hint })
    return empty
  }
  reader.values += target.size
  if (reader.values > reader.limits.valuesMax || depth + target.height > reader.limits.depthMax) {
    const message = `The aliases of the document expand to more than ${reader.limits.valuesMax} values or ${reader.limits.depthMax} levels.`
    const { start, end } = place
    reportOnce(reader, { code: 'alias_limit', pointer, start, end, message, hint: 'Write fewer aliases of aliases.' })
    return empty
  }
  // Values under an alias are found where they are written, the alias itself where it stands.
  const children = target.node.children
  return { ...target, node: children === undefined ? place : { ...place, children } }
}

function readMap(reader: Reader, items: readonly Pair[], pointer: string, place: PositionNode, depth: number): Entry {
  const object: Record<string, Json> = {}
  const children = new Map<string, PositionNode>()
  const sizes = { size: 1, height: 0 }
  for (const pair of items) {
    const keyNode = pair.key
    // With stringKeys the library has already refused every key that is not a string.
    if (!isScalar(keyNode)) continue
    const key = String(keyNode.value)
    const [keyStart, keyEnd] = [keyNode.range?.[0] ?? 0, keyNode.range?.[1] ?? 0]
    const child = childPointer(pointer, key)
    const entry = readNode(reader, toNode(pair.value), child, { keyStart, keyEnd }, depth + 1)
    grow(sizes, entry)
    const earlier = children.get(key)
    if (forbiddenKeys.has(key)) reader.problems.push(forbiddenKeyProblem(key, child, keyStart, keyEnd))
    else if (earlier === undefined) {
      object[key] = entry.value
      children.set(key, entry.node)
    } else {
      const line = reader.source.at(earlier.keyStart ?? earlier.start).line
      reader.problems.push(duplicateKeyProblem(key, child, keyStart, keyEnd, line))
    }
  }
  return { value: object, node: { ...place, children }, ...sizes }
}

function readSequence(reader: Reader, items: readonly unknown[], pointer: string, place: PositionNode, depth: number): Entry {
  const list: Json[] = []
  const children = new Map<string, PositionNode>()
  const sizes = { size: 1, height: 0 }
  for (const [index, item] of items.entries()) {
    const entry = readNode(reader, toNode(item), childPointer(pointer, index), {}, depth + 1)
    grow(sizes, entry)
    list.push(entry.value)
    children.set(String(index), entry.node)
  }
  return { value: list, node: { ...place, children }, ...sizes }
}

function grow(sizes: { size: number; height: number }, entry: Entry): void {
  sizes.size += entry.size
  sizes.height = Math.max(sizes.height, entry.height + 1)
}

/** The library types the items of collections as unknown; what is not a node is an absent value. */
function toNode(item: unknown): Node | null {
  return isAlias(item) || isScalar(item) || isMap(item) || isSeq(item) ? item : null
}

function scalarValue(reader: Reader, value: unknown, pointer: string, place: PositionNode): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  // Minus zero would not survive being written and read again.
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value
  const message = `The value ${reader.source.text.slice(place.start, place.end)} has no counterpart in JSON.`
  reader.problems.push({ code: 'unsupported_yaml', pointer, start: place.start, end: place.end, message, hint: 'Write a string.' })
  return null
}

function scalarStyle(type: string | null | undefined): ScalarStyle {
  if (type === 'QUOTE_DOUBLE') return 'double'
  if (type === 'QUOTE_SINGLE') return 'single'
  return type === 'BLOCK_FOLDED' || type === 'BLOCK_LITERAL' ? 'block' : 'plain'
}

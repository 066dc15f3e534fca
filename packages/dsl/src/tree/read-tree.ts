import type { Json } from '#src/json.ts'
import { composeTolerantly } from '#src/parse/compose-yaml.ts'
import { type ParseLimits, defaultParseLimits } from '#src/parse/limits.ts'
import type { DefinitionFormat } from '#src/parse/parse-definition.ts'
import { parseJson } from '#src/parse/parse-json.ts'
import type { PositionNode } from '#src/parse/positions.ts'
import type { Problem } from '#src/parse/read-result.ts'
import { isObject } from '#src/shape/variables.ts'
import type { SourceNode } from './source-node.ts'
import { yamlTree } from './yaml-tree.ts'

/** The values of a text with their offsets, as far as the text can be read. */
export interface SourceTree {
  /** Undefined when nothing can be read. */
  readonly root: SourceNode | undefined
  readonly problems: readonly Problem[]
}

/** Reads a text into a tree of its values; mistakes of the syntax leave out what they affect. */
export function readTree(written: string, syntax: DefinitionFormat, limits: ParseLimits = defaultParseLimits): SourceTree {
  const text = withoutMark(written)
  if (text.length > limits.lengthMax) return { root: undefined, problems: [tooLong(text, limits)] }
  if (syntax === 'json') {
    const { root, value, problems } = parseJson(text, limits)
    if (value !== undefined && problems.length === 0) return { root: jsonTree(root, value), problems }
    // JSON is YAML, whose reader continues after a mistake.
    return { root: tolerantTree(text, limits).root, problems }
  }
  return tolerantTree(text, limits)
}

function tooLong(text: string, limits: ParseLimits): Problem {
  const message = `The document has ${text.length} characters, more than the ${limits.lengthMax} that are allowed.`
  return { code: 'document_too_large', pointer: '', start: 0, end: 0, message }
}

function tolerantTree(text: string, limits: ParseLimits): SourceTree {
  const { document, problems } = composeTolerantly(text, limits)
  return { root: document === undefined || document.contents === null ? undefined : yamlTree(text, document), problems }
}

function jsonTree(node: PositionNode, value: Json): SourceNode {
  const { start, end } = node
  const children = node.children ?? new Map<string, PositionNode>()
  if (Array.isArray(value)) {
    const items = value.map((item: Json, index) => {
      const child = children.get(String(index)) ?? node
      return { start: child.start, value: jsonTree(child, item) }
    })
    return { kind: 'list', style: 'flow', items, start, end }
  }
  if (!isObject(value)) return { kind: 'scalar', value, start, end }
  const members = Object.entries(value).map(([key, item]) => {
    const child = children.get(key) ?? node
    const keyStart = child.keyStart ?? start
    return { key, start: keyStart, keyStart, keyEnd: child.keyEnd ?? start, value: jsonTree(child, item) }
  })
  return { kind: 'map', style: 'flow', members: members.toSorted((one, other) => one.start - other.start), start, end }
}

/** A text of the same length in which a byte order mark is a line break, which both languages allow at the beginning. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? `\n${text.slice(1)}` : text
}

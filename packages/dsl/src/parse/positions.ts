import { pointerKeys } from './pointer.ts'
import { alignScalar, type ScalarStyle } from './scalar-offset.ts'
import type { Position, SourceText } from './source-text.ts'

/** The position of one value in the text: offsets, ends exclusive. */
export interface PositionNode {
  readonly start: number
  readonly end: number
  /** Of the key of the value; undefined for the root and for entries of lists. */
  readonly keyStart?: number
  readonly keyEnd?: number
  /** The style of a string, to find its characters in the text; undefined for other values. */
  readonly style?: ScalarStyle
  /** By key, or by index written as a decimal. */
  readonly children?: ReadonlyMap<string, PositionNode>
}

export interface Span {
  readonly start: Position
  readonly end: Position
}

/** Finds values of a document in its text by JSON Pointer. */
export interface Positions {
  /** The value at the pointer, undefined when the document has no such value. */
  value(pointer: string): Span | undefined
  /** The key of the value at the pointer; undefined for the root, for entries of lists and for a value that does not exist. */
  key(pointer: string): Span | undefined
  /** The key or else the value of the pointer or else of the nearest ancestor that exists. */
  nearest(pointer: string): Span
  /** The piece of the text that the characters `start` to `end` of the string value at the pointer come from. */
  within(pointer: string, value: string, start: number, end: number): Span
}

export function createPositions(source: SourceText, root: PositionNode): Positions {
  const span = (start: number, end: number): Span => ({ start: source.at(start), end: source.at(end) })
  return {
    value(pointer) {
      const node = find(root, pointer)
      return node && span(node.start, node.end)
    },
    key(pointer) {
      const node = find(root, pointer)
      return node?.keyStart === undefined ? undefined : span(node.keyStart, node.keyEnd ?? node.keyStart)
    },
    nearest(pointer) {
      const node = deepest(root, pointer)
      return span(node.keyStart ?? node.start, node.keyEnd ?? node.end)
    },
    within(pointer, value, start, end) {
      const node = find(root, pointer)
      if (node === undefined) return this.nearest(pointer)
      if (node.style === undefined) return span(node.start, node.end)
      const written = source.text.slice(node.start, node.end)
      const offsets = alignScalar(written, node.style, value, [start, end])
      return span(node.start + (offsets[0] ?? 0), node.start + (offsets[1] ?? written.length))
    },
  }
}

function find(root: PositionNode, pointer: string): PositionNode | undefined {
  let node: PositionNode | undefined = root
  for (const key of pointerKeys(pointer)) {
    node = node.children?.get(key)
    if (node === undefined) return undefined
  }
  return node
}

function deepest(root: PositionNode, pointer: string): PositionNode {
  let node = root
  for (const key of pointerKeys(pointer)) {
    const child = node.children?.get(key)
    if (child === undefined) return node
    node = child
  }
  return node
}

import { pointerKeys } from '#src/parse/pointer.ts'
import type { Json } from '#src/json.ts'

/** `flow` is written in brackets, as all of JSON is; `block` by indentation. */
export type SourceStyle = 'block' | 'flow'

/** A value in its text: offsets, ends exclusive, comments behind it not included. */
export type SourceNode = SourceScalar | SourceMap | SourceList | SourceAlias

interface Placed {
  readonly start: number
  readonly end: number
}

/** A string, number, boolean or null; an absent value has no length. */
export interface SourceScalar extends Placed {
  readonly kind: 'scalar'
  readonly value: Json
}

export interface SourceMap extends Placed {
  readonly kind: 'map'
  readonly style: SourceStyle
  readonly members: readonly SourceMember[]
}

export interface SourceList extends Placed {
  readonly kind: 'list'
  readonly style: SourceStyle
  readonly items: readonly SourceItem[]
}

/** A repetition of an anchored value of YAML; it is not entered. */
export interface SourceAlias extends Placed {
  readonly kind: 'alias'
  readonly value: SourceNode | undefined
}

/** A value of a map; `start` is that of its key or of what stands in front of the key. */
export interface SourceMember {
  readonly key: string
  readonly start: number
  readonly keyStart: number
  readonly keyEnd: number
  readonly value: SourceNode
}

/** A value of a list; `start` is that of the dash, or of the value in flow style. */
export interface SourceItem {
  readonly start: number
  readonly value: SourceNode
}

/** The end of a member or an item; an absent value ends where its key or dash does. */
export function endOf(part: SourceMember | SourceItem): number {
  return Math.max(part.value.end, 'key' in part ? part.keyEnd + 1 : part.start + 1)
}

/** The value at a pointer; undefined when the document has no such value, or has it only behind an alias. */
export function nodeAt(root: SourceNode | undefined, pointer: string): SourceNode | undefined {
  let node = root
  for (const key of pointerKeys(pointer)) {
    if (node?.kind === 'map') node = memberOf(node, key)?.value
    else if (node?.kind === 'list') node = node.items[Number(key)]?.value
    else return undefined
  }
  return node
}

export function memberOf(map: SourceMap, key: string): SourceMember | undefined {
  return map.members.find((member) => member.key === key)
}

/** The value of a node; of keys that are there twice the first counts. */
export function valueOf(node: SourceNode | undefined): Json {
  switch (node?.kind) {
    case 'scalar':
      return node.value
    case 'list':
      return node.items.map((item) => valueOf(item.value))
    case 'map': {
      const object: Record<string, Json> = {}
      for (const { key, value } of node.members) if (key !== '__proto__' && !Object.hasOwn(object, key)) object[key] = valueOf(value)
      return object
    }
    default:
      // An alias is not expanded: a hostile text could make it any size.
      return null
  }
}

import { replacePieces } from '#src/expression/replace-pieces.ts'
import type { Json, JsonObject } from '#src/json.ts'
import { childPointer, pointerKeys } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Operation, Piece } from './operation.ts'

/** The document after operations; their pointers are those of the document before. */
export function operateOnJson(document: Json, operations: readonly Operation[]): Json {
  return changed({ document, operations }, document, '')
}

interface Change {
  readonly document: Json
  readonly operations: readonly Operation[]
}

function changed(change: Change, value: Json, pointer: string): Json {
  const below = change.operations.filter((operation) => targetOf(operation) === pointer || targetOf(operation).startsWith(`${pointer}/`))
  if (below.length === 0) return value
  const inner = { ...change, operations: below }
  const set = below.find((operation) => operation.kind === 'set' && operation.pointer === pointer)
  if (set?.kind === 'set') return valueOfPiece(change.document, set.value)
  const within = below.find((operation) => operation.kind === 'within' && operation.pointer === pointer)
  if (within?.kind === 'within' && typeof value === 'string') return replacePieces(value, within.pieces)
  if (Array.isArray(value)) return changedList(inner, value, pointer)
  return isObject(value) ? changedMap(inner, value, pointer) : value
}

function targetOf(operation: Operation): string {
  return operation.kind === 'items' ? operation.list : operation.pointer
}

function changedList(change: Change, list: readonly Json[], pointer: string): Json {
  const items = list.map((item, index) => [changed(change, item, childPointer(pointer, index))])
  const after: Json[] = []
  for (const operation of change.operations) {
    if (operation.kind !== 'items' || operation.list !== pointer) continue
    const made = operation.items.map((piece) => valueOfPiece(change.document, piece))
    for (let index = operation.from; index < operation.from + operation.count; index++) items[index] = []
    const at = items[operation.from]
    if (at === undefined) after.push(...made)
    else items[operation.from] = [...made, ...at]
  }
  return [...items.flat(), ...after]
}

function changedMap(change: Change, map: JsonObject, pointer: string): Json {
  const object: Record<string, Json> = {}
  const entries = Object.entries(map)
  for (const operation of change.operations) {
    if (operation.kind !== 'swap' || operation.pointer !== pointer) continue
    const at = entries.findIndex(([key]) => key === operation.first)
    entries.splice(at, 2, ...entries.slice(at, at + 2).toReversed())
  }
  for (const [key, item] of entries) {
    const at = childPointer(pointer, key)
    if (change.operations.some((operation) => operation.kind === 'unset' && operation.pointer === at)) continue
    const renamed = change.operations.find((operation) => operation.kind === 'key' && operation.pointer === at)
    object[renamed?.kind === 'key' ? renamed.name : key] = changed(change, item, at)
  }
  for (const operation of change.operations) {
    if (operation.kind !== 'set') continue
    const key = pointerKeys(operation.pointer).at(-1) ?? ''
    const isNew = childPointer(pointer, key) === operation.pointer && !Object.hasOwn(map, key)
    if (isNew) object[key] = valueOfPiece(change.document, operation.value)
  }
  return object
}

/** The value that a piece stands for in the document before. */
export function valueOfPiece(document: Json, piece: Piece): Json {
  switch (piece.kind) {
    case 'json':
      return piece.value
    case 'list':
      return piece.items.map((item) => valueOfPiece(document, item))
    case 'map':
      return Object.fromEntries(piece.members.map(([key, value]) => [key, valueOfPiece(document, value)]))
    case 'taken': {
      const item = jsonAt(document, `${piece.list}/${piece.index}`) ?? null
      if (piece.name === undefined || !isObject(item)) return item
      const [first] = Object.keys(item)
      const { name } = piece
      return Object.fromEntries(Object.entries(item).map(([key, value]) => [key === first ? name : key, value]))
    }
  }
}

export function jsonAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document
  for (const key of pointerKeys(pointer)) {
    if (Array.isArray(value)) value = value[Number(key)]
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key]
    else return undefined
  }
  return value
}

import type { ObjectShape, Property, ReferenceKind, Shape, ShapeOf, StringShape } from './shape.ts'
import type { TextFormat } from './text-format.ts'

export const any: Shape = { kind: 'any' }
export const opaque: Shape = { kind: 'opaque' }
export const opaqueObject: Shape = { kind: 'opaque', type: 'object' }
export const boolean: Shape = { kind: 'boolean' }
export const text: StringShape = { kind: 'string', reading: 'text' }
export const literal: StringShape = { kind: 'string', reading: 'literal' }
export const code: StringShape = { kind: 'string', reading: 'code' }
export const expression: StringShape = { kind: 'string', reading: 'expression' }
export const enclosed: StringShape = { kind: 'string', reading: 'enclosed' }
export const tasks: Shape = { kind: 'tasks', branches: false }
export const branches: Shape = { kind: 'tasks', branches: true }
export const task: Shape = { kind: 'task' }

export function integer(range: Omit<ShapeOf<'integer'>, 'kind'> = {}): Shape {
  return { kind: 'integer', ...range }
}

export function oneOf(...values: readonly string[]): StringShape {
  return { kind: 'string', reading: 'literal', values }
}

export function formatted(format: TextFormat, reading: StringShape['reading'] = 'text'): StringShape {
  return { kind: 'string', reading, format }
}

export function reference(kind: ReferenceKind): StringShape {
  return { kind: 'string', reading: 'literal', reference: kind }
}

export function list(what: string, items: Shape, extras: Pick<ShapeOf<'list'>, 'unique'> = {}): Shape {
  return { kind: 'list', what, items, ...extras }
}

export function map(what: string, values: Shape): ShapeOf<'map'> {
  return { kind: 'map', what, values }
}

export function named(what: string, items: Shape, extras: Pick<ShapeOf<'named'>, 'entriesMin'> = {}): ShapeOf<'named'> {
  return { kind: 'named', what, items, ...extras }
}

export function union(what: string, shapes: Omit<ShapeOf<'union'>, 'kind' | 'what'>): Shape {
  return { kind: 'union', what, ...shapes }
}

export function keyed(cases: Readonly<Record<string, Shape>>, otherwise: Shape): ShapeOf<'keyed'> {
  return { kind: 'keyed', cases: new Map(Object.entries(cases)), otherwise }
}

interface Declared extends Property {
  readonly required: boolean
}

/** A property that has to be there. */
export function must(shape: Shape, extras: Omit<Property, 'shape'> = {}): Declared {
  return { shape, required: true, ...extras }
}

/** A property that may be missing; needed only to say more about it than its shape. */
export function may(shape: Shape, extras: Omit<Property, 'shape'>): Declared {
  return { shape, required: false, ...extras }
}

/** Properties in the order of the specification, which is also the order of the canonical form; a bare shape is optional. */
export type Properties = Readonly<Record<string, Shape | Declared>>

export function object(
  what: string,
  properties: Properties,
  extras: Partial<Pick<ObjectShape, 'rest' | 'exactlyOne' | 'atLeastOne' | 'entriesMin' | 'rule'>> = {},
): ObjectShape {
  const declared = Object.entries(properties).map(([key, entry]): [string, Declared] => [key, 'shape' in entry ? entry : must(entry, {})])
  const required = Object.entries(properties).flatMap(([key, entry]) => ('shape' in entry && entry.required ? [key] : []))
  return { kind: 'object', what, properties: new Map(declared), required, exactlyOne: [], ...extras }
}

/** The property `then`. It is spread into tables, since an object literal with `then` looks like a promise to JavaScript and to the linter. */
export function directive(declare: (shape: Shape) => Shape | Declared = (shape) => shape): Properties {
  return Object.fromEntries([['then', declare(reference('then'))]])
}

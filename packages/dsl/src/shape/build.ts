import type { Json, JsonObject } from '#src/json.ts'
import type {
  Describes,
  IntegerShape,
  KeyedShape,
  ListShape,
  MapShape,
  NamedListShape,
  ObjectShape,
  PlainShape,
  Property,
  ReferenceKind,
  Shape,
  StringShape,
  TypeOf,
  UnionShape,
} from './shape.ts'
import type { TextFormat } from './text-format.ts'

/*
 * The builders of shapes. Each returns its shape with the type of the described values, from which the types of definitions are derived.
 */

type Text = StringShape & Describes<string>

export const any: PlainShape & Describes<Json> = { kind: 'any' }
export const opaque: PlainShape & Describes<Json> = { kind: 'opaque' }
export const opaqueObject: PlainShape & Describes<JsonObject> = { kind: 'opaque', type: 'object' }
/** A JSON Schema, which is not evaluated. */
export const jsonSchema: PlainShape & Describes<Json> = { kind: 'opaque', schema: true }
export const boolean: PlainShape & Describes<boolean> = { kind: 'boolean' }
export const text: Text = { kind: 'string', reading: 'text' }
export const literal: Text = { kind: 'string', reading: 'literal' }
export const code: Text = { kind: 'string', reading: 'code' }
export const expression: Text = { kind: 'string', reading: 'expression' }
/** An expression that gives true or false. */
export const condition: Text = { ...expression, condition: true }
export const enclosed: Text = { kind: 'string', reading: 'enclosed' }

export function integer(range: Omit<IntegerShape, 'kind'> = {}): IntegerShape & Describes<number> {
  return { kind: 'integer', ...range }
}

export function oneOf<const Value extends string>(...values: readonly Value[]): StringShape & Describes<Value> {
  return { kind: 'string', reading: 'literal', values }
}

export function formatted(format: TextFormat, reading: StringShape['reading'] = 'text'): Text {
  return { kind: 'string', reading, format }
}

/** The name of something that is defined elsewhere. */
export function reference(kind: ReferenceKind): Text {
  return { kind: 'string', reading: 'literal', reference: kind }
}

export function list<Items extends Shape>(
  what: string,
  items: Items,
  extras: Pick<ListShape, 'unique'> = {},
): ListShape & Describes<readonly TypeOf<Items>[]> {
  return { kind: 'list', what, items, ...extras }
}

export function map<Values extends Shape>(what: string, values: Values): MapShape & Describes<Readonly<Record<string, TypeOf<Values>>>> {
  return { kind: 'map', what, values }
}

export function named<Items extends Shape>(
  what: string,
  items: Items,
  extras: Pick<NamedListShape, 'entriesMin'> = {},
): NamedListShape & Describes<readonly Readonly<Record<string, TypeOf<Items>>>[]> {
  return { kind: 'named', what, items, ...extras }
}

type Alternatives = Pick<UnionShape, 'string' | 'object' | 'list'>

export function union<Shapes extends Alternatives>(
  what: string,
  shapes: Shapes,
  extras: Pick<UnionShape, 'example'> = {},
): UnionShape & Describes<TypeOf<Shapes[keyof Shapes & keyof Alternatives]>> {
  return { kind: 'union', what, ...extras, ...shapes }
}

export function keyed<Case extends Shape, Otherwise extends Shape>(
  cases: Readonly<Record<string, Case>>,
  otherwise: Otherwise,
): KeyedShape & Describes<TypeOf<Case> | TypeOf<Otherwise>> {
  return { kind: 'keyed', cases: new Map(Object.entries(cases)), otherwise }
}

export interface Declared<Described extends Shape, Required extends boolean> extends Property {
  readonly shape: Described
  readonly required: Required
}

/** A required property. */
export function must<Described extends Shape>(shape: Described, extras: Omit<Property, 'shape'> = {}): Declared<Described, true> {
  return { shape, required: true, ...extras }
}

/** An optional property; needed only to say more about it than its shape. */
export function may<Described extends Shape>(shape: Described, extras: Omit<Property, 'shape'>): Declared<Described, false> {
  return { shape, required: false, ...extras }
}

/** Properties in the order of the specification, which is also the order of the canonical form; a bare shape is optional. */
export type Properties = Readonly<Record<string, Shape | Declared<Shape, boolean>>>

type RequiredKey<Of> = { [Key in keyof Of]: Of[Key] extends Declared<Shape, true> ? Key : never }[keyof Of]

type Flat<Value> = { readonly [Key in keyof Value]: Value[Key] }

/** The objects with these properties. */
export type ObjectOf<Of> = Flat<
  { readonly [Key in RequiredKey<Of>]: TypeOf<Of[Key]> } & { readonly [Key in Exclude<keyof Of, RequiredKey<Of>>]?: TypeOf<Of[Key]> }
>

type ObjectExtras = Partial<Pick<ObjectShape, 'exactlyOne' | 'atLeastOne' | 'entriesMin' | 'rule'>>

export function object<Of extends Properties>(
  what: string,
  properties: Of,
  extras: ObjectExtras = {},
): ObjectShape & Describes<ObjectOf<Of>> {
  return objectShape(what, properties, extras)
}

/** An object that may have further keys, whose values have the shape `rest`. */
export function openObject<Of extends Properties, Rest extends Shape>(
  what: string,
  properties: Of,
  rest: Rest,
  extras: ObjectExtras = {},
): ObjectShape & Describes<ObjectOf<Of> & Readonly<Record<string, TypeOf<Rest>>>> {
  return objectShape(what, properties, { ...extras, rest })
}

/** An object that has exactly one of some properties, and a type for each of them. */
export function variants<Of extends Properties, Key extends keyof Of & string>(
  what: string,
  properties: Of,
  keys: readonly Key[],
  extras: Pick<ObjectExtras, 'rule'> = {},
): ObjectShape & Describes<VariantOf<Of, Key>> {
  return objectShape(what, properties, { ...extras, exactlyOne: [keys] })
}

type VariantOf<Of, Keys extends keyof Of> = {
  [Key in Keys]: Flat<ObjectOf<Omit<Of, Keys>> & { readonly [One in Key]: TypeOf<Of[One]> }>
}[Keys]

function objectShape(what: string, properties: Properties, extras: ObjectExtras & Pick<ObjectShape, 'rest'>): ObjectShape {
  const declared = Object.entries(properties).map(([key, entry]): [string, Property] => [key, 'shape' in entry ? entry : { shape: entry }])
  const required = Object.entries(properties).flatMap(([key, entry]) => ('shape' in entry && entry.required ? [key] : []))
  return { kind: 'object', what, properties: new Map(declared), required, exactlyOne: [], ...extras }
}

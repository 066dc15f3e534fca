import type { JsonObject } from '#src/json.ts'
import type { Stage } from './stage.ts'
import type { TextFormat } from './text-format.ts'

/**
 * The description of the values at one place of a definition; the tables of this folder consist of shapes.
 *
 * A shape is chosen by the JSON type of the value or by the keys that it has, never by trying alternatives, so that a mistake is explained
 * by the one intended shape.
 */
export type Shape =
  | PlainShape
  | IntegerShape
  | StringShape
  | ObjectShape
  | MapShape
  | ListShape
  | NamedListShape
  | UnionShape
  | KeyedShape
  | TasksShape

declare const described: unique symbol

/** Marks a shape with the type of the values that it describes. Only the compiler knows the mark: there is no such property. */
export interface Describes<Value> {
  readonly [described]?: Value
}

/** The type of the values that a shape describes, or that a property of it may have. */
export type TypeOf<Described> = Described extends { readonly shape: infer Inner }
  ? TypeOf<Inner>
  : Described extends Describes<infer Value>
    ? Value
    : never

/** The shape of one kind. */
export type ShapeOf<Kind extends Shape['kind']> = Extract<Shape, { readonly kind: Kind }>

/**
 * Shapes without parameters: `any` is the author's own data, in which every string that is wholly `${ … }` is an expression; `opaque` is data that
 * is never evaluated, such as schemas and metadata.
 */
export type PlainShape =
  | { readonly kind: 'any' | 'boolean' | 'task' }
  | { readonly kind: 'opaque'; readonly type?: 'object' /** Whether it is a JSON Schema. */; readonly schema?: boolean }

export interface IntegerShape {
  readonly kind: 'integer'
  readonly min?: number
  readonly max?: number
}

/**
 * How a string is read: `text` is evaluated when it is wholly `${ … }`; an `expression` always, with or without `${ … }`; an `enclosed`
 * only with; a `literal` never; `code` is text in which `${` belongs to another language.
 */
export type StringReading = 'text' | 'expression' | 'enclosed' | 'literal' | 'code'

/** The kind of the target of a string that is a reference. */
export type ReferenceKind = 'authentication' | 'error' | 'retry' | 'timeout' | 'secret' | 'listedSecret' | 'function' | 'then'

export interface StringShape {
  readonly kind: 'string'
  readonly reading: StringReading
  readonly values?: readonly string[]
  readonly format?: TextFormat
  readonly reference?: ReferenceKind
  readonly lengthMin?: number
  /** An expression that decides: it must give true or false. */
  readonly condition?: boolean
  /** A credential, which should be a secret. */
  readonly credential?: boolean
}

export interface ObjectShape {
  readonly kind: 'object'
  /** The object in words, to name it in messages. */
  readonly what: string
  readonly properties: ReadonlyMap<string, Property>
  readonly required: readonly string[]
  /** The shape of further keys; without it they are refused. */
  readonly rest?: Shape
  /** Exactly one property of each group must be present. */
  readonly exactlyOne: readonly (readonly string[])[]
  /** At least one of these properties must be present. */
  readonly atLeastOne?: readonly string[]
  readonly entriesMin?: number
  /** A condition that the table cannot express. */
  readonly rule?: ObjectRule
}

export interface RuleViolation {
  readonly code: 'missing_property' | 'conflicting_properties' | 'unknown_property' | 'multiple_defaults' | 'invalid_value'
  readonly key?: string
  readonly message: string
  readonly hint: string
}

export type ObjectRule = (value: JsonObject) => RuleViolation | undefined

export interface Property {
  readonly shape: Shape
  /** The moment at which expressions below are evaluated, when it differs from that of the object. */
  readonly stage?: Stage
  /** Variables that exist below this property, by name, from the object that has it. */
  readonly variables?: (owner: JsonObject) => readonly string[]
}

export interface MapShape {
  readonly kind: 'map'
  readonly what: string
  readonly values: Shape
}

export interface ListShape {
  readonly kind: 'list'
  readonly what: string
  readonly items: Shape
  /** Whether entries must differ. */
  readonly unique?: boolean
}

/** A list of objects with one key each: the name of the entry. */
export interface NamedListShape {
  readonly kind: 'named'
  /** One entry in words, with its article. */
  readonly what: string
  readonly items: Shape
  readonly entriesMin?: number
}

/** Decided by the JSON type of the value. */
export interface UnionShape {
  readonly kind: 'union'
  readonly what: string
  /** An example for the hint; `what` unless given. */
  readonly example?: string
  readonly string?: Shape
  readonly object?: Shape
  readonly list?: Shape
}

/** Decided by which key an object has; `otherwise` when it has none of them. */
export interface KeyedShape {
  readonly kind: 'keyed'
  readonly cases: ReadonlyMap<string, Shape>
  readonly otherwise: Shape
}

/** A list of tasks; `branches` run side by side and cannot lead to each other. */
export interface TasksShape {
  readonly kind: 'tasks'
  readonly branches: boolean
}

import type { JsonObject } from '#core/json.ts'

/** An operation in the terms of a call, whatever version of OpenAPI describes it. */
export interface Operation {
  /** Upper case. */
  readonly method: string
  /** The path's template. */
  readonly path: string
  readonly server: Server
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | undefined
  /** Media types of the replies that it promises. */
  readonly produces: readonly string[]
}

export interface Server {
  /** A template, absolute or relative to the document. */
  readonly url: string
  readonly variables: ReadonlyMap<string, ServerVariable>
}

export interface ServerVariable {
  readonly value: string
  readonly allowed: readonly string[] | undefined
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

export interface Parameter {
  readonly name: string
  readonly in: ParameterPlace
  readonly required: boolean
  readonly serialization: Serialization
}

export type Serialization =
  | { readonly kind: 'style'; readonly style: Style; readonly explode: boolean; readonly allowReserved: boolean }
  | { readonly kind: 'content'; readonly mediaType: string }

export type Style =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  /** The `tsv` of Swagger 2.0, which OpenAPI 3 has not. */
  | 'tabDelimited'
  | 'deepObject'

export interface RequestBody {
  /** Another name of the whole body besides `body`: that of a Swagger 2.0 body parameter. */
  readonly name: string | undefined
  readonly required: boolean
  readonly contents: readonly BodyContent[]
}

/** One of the media types that a body may have. */
export interface BodyContent {
  /** As the document writes it; may be a range such as `image/*`. */
  readonly mediaType: string
  readonly properties: BodyProperties
  /** Properties that must be given. Of Swagger 2.0 forms only: what a schema requires is for the receiver to check. */
  readonly required: readonly string[]
  /** How a form writes a property, where the document says it. */
  readonly encodings: ReadonlyMap<string, PropertyEncoding>
}

export interface PropertyEncoding {
  readonly contentType: string | undefined
  readonly serialization: Serialization | undefined
}

/** The properties of a body's schema, as far as they identify parameters. */
export interface BodyProperties {
  /** False for a body that is no object. */
  readonly object: boolean
  readonly names: ReadonlySet<string>
  /** Whether it takes properties that it does not name. */
  readonly open: boolean
  /** Those that are files. */
  readonly files: ReadonlySet<string>
}

/** The input of a reader for one version of OpenAPI. */
export interface OperationSource {
  readonly root: JsonObject
  readonly method: string
  readonly path: string
  readonly item: JsonObject
  readonly operation: JsonObject
}

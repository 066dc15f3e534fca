import type { Json, JsonObject } from './json.ts'
import type { ExternalResource } from './resource.ts'

/** `format` defaults to `json`; `json:2020-12` names a version. */
export interface InlineSchema {
  readonly format?: string
  readonly document: Json
}

export interface ExternalSchema {
  readonly format?: string
  readonly resource: ExternalResource
}

/** A schema of data, inline or somewhere else (dsl-reference, Schema). */
export type Schema = InlineSchema | ExternalSchema

/** A runtime expression, or an object whose `${ … }` leaves are. */
export type Transformation = string | JsonObject

export interface Input {
  readonly schema?: Schema
  readonly from?: Transformation
}

export interface Output {
  readonly schema?: Schema
  readonly as?: Transformation
}

export interface Export {
  readonly schema?: Schema
  readonly as?: Transformation
}

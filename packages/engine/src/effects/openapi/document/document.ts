import type { JsonObject } from '#core/json.ts'

/** An OpenAPI document that has been read, and where its operations are. */
export interface OpenApiDocument {
  /** Swagger 2.0 is OpenAPI 2. */
  readonly version: 2 | 3
  readonly root: JsonObject
  /** Where it came from after redirects: what its relative addresses are relative to. */
  readonly url: string
  /** By operationId; more than one entry only in documents that are not valid. */
  readonly operations: ReadonlyMap<string, readonly OperationPlace[]>
  /** Paths that were passed over because they stand in other documents, or nowhere. */
  readonly unresolvedPaths: readonly string[]
}

export interface OperationPlace {
  /** Upper case. */
  readonly method: string
  readonly path: string
  readonly item: JsonObject
  readonly operation: JsonObject
}

import type { Definition, DefinitionFormat, Diagnostic } from '@millrace/dsl'
import type { FunctionManifest } from '#compile/manifest.ts'
import type { SchemaFault } from '#compile/schema.ts'
import type { Computation, ComputationOutcome } from '#core/computation.ts'
import type { ErrorData } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import type { OpenApiDocument } from '#effects/openapi/document/document.ts'

/** Work that may take long, as data for another thread. */
export type ThreadJob = Computation | DefinitionJob | RangesJob | TextJob | RenamingJob | FaultsJob | ResourceJob | OpenApiJob

/** The result of each kind of job. */
export interface ThreadResults {
  readonly expression: ComputationOutcome
  readonly template: ComputationOutcome
  readonly schema: ComputationOutcome
  readonly definition: Analysis
  readonly places: readonly SourceRange[]
  readonly text: string
  readonly renaming: string
  readonly faults: readonly SchemaFault[]
  readonly resource: ResourceReading
  readonly openapi: OpenApiReading
}

/** Reads a definition and reports all errors in it. */
export interface DefinitionJob {
  readonly kind: 'definition'
  /** The text, or an object that is first written as canonical YAML. */
  readonly given: string | object
  readonly functions: readonly FunctionManifest[]
}

export interface Analysis {
  readonly source: string
  readonly syntax: DefinitionFormat
  /** Present exactly when no diagnostic is an error. */
  readonly definition: Definition | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** As canonical JSON; empty without a definition. */
  readonly canonical: string
  /** Features of a valid definition that this engine cannot run. */
  readonly unsupported: readonly Finding[]
  /** The ranges of the names under `use.secrets`, in their order. */
  readonly secrets: readonly SourceRange[]
}

/** A message about a part of a definition. */
export interface Finding extends SourceRange {
  readonly message: string
}

export interface SourceRange {
  readonly pointer: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** Finds the ranges of values in a text. */
export interface RangesJob {
  readonly kind: 'places'
  readonly source: string
  readonly pointers: readonly string[]
}

/** Writes a definition in its canonical form. */
export interface TextJob {
  readonly kind: 'text'
  readonly definition: Definition
  readonly syntax: DefinitionFormat
}

/** Gives the text of a definition another document name. */
export interface RenamingJob {
  readonly kind: 'renaming'
  readonly source: string
  readonly documentName: string
  /** The name that it must have; any unless given. */
  readonly from?: string | undefined
}

/** Validates a value by a JSON Schema, given as JSON. */
export interface FaultsJob {
  readonly kind: 'faults'
  readonly source: string
  readonly value: Json
}

/** Reads a resource that a definition names by URL. */
export interface ResourceJob {
  readonly kind: 'resource'
  readonly resource: 'schema' | 'function'
  readonly text: string
  readonly functions: readonly FunctionManifest[]
}

export type ResourceReading = { readonly ok: true; readonly content: Json } | { readonly ok: false; readonly why: string }

export interface OpenApiJob {
  readonly kind: 'openapi'
  readonly bytes: Uint8Array
  readonly url: string
}

export type OpenApiReading =
  | { readonly ok: true; readonly document: OpenApiDocument }
  | { readonly ok: false; readonly error: ErrorData & { readonly detail: string } }

import type { Definition, DefinitionFormat, Diagnostic } from '@millrace/dsl'
import type { FunctionManifest } from '#compile/manifest.ts'
import type { SchemaFault } from '#compile/schema.ts'
import type { Computation, ComputationOutcome } from '#core/computation.ts'
import type { ErrorData } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import type { OpenApiDocument } from '#effects/openapi/document/document.ts'

/** Work that may take long, as data: a thread that shares nothing with this one does it. */
export type ThreadJob = Computation | DefinitionJob | RangesJob | TextJob | FaultsJob | ResourceJob | OpenApiJob

/** What came of each kind of job. */
export interface ThreadResults {
  readonly expression: ComputationOutcome
  readonly template: ComputationOutcome
  readonly schema: ComputationOutcome
  readonly definition: Analysis
  readonly places: readonly SourceRange[]
  readonly text: string
  readonly faults: readonly SchemaFault[]
  readonly resource: ResourceReading
  readonly openapi: OpenApiReading
}

/** Reads a definition and finds all that is wrong with it. */
export interface DefinitionJob {
  readonly kind: 'definition'
  /** The text, or an object that is written down as canonical YAML first. */
  readonly given: string | object
  readonly functions: readonly FunctionManifest[]
}

export interface Analysis {
  readonly source: string
  readonly syntax: DefinitionFormat
  /** There exactly when no diagnostic is an error. */
  readonly definition: Definition | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** As canonical JSON; empty without a definition. */
  readonly canonical: string
  /** What of a valid definition this engine cannot run, and what it reads and does not start by itself. */
  readonly unsupported: readonly Finding[]
  readonly notFired: readonly Finding[]
  /** Where the names under `use.secrets` stand, in their order. */
  readonly secrets: readonly SourceRange[]
}

/** Something about a place of a definition, by its JSON Pointer. */
export interface Finding extends SourceRange {
  readonly message: string
  readonly hint?: string
}

export interface SourceRange {
  readonly pointer: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** Finds where in a text values stand. */
export interface RangesJob {
  readonly kind: 'places'
  readonly source: string
  readonly pointers: readonly string[]
}

/** Writes a definition down in its canonical form. */
export interface TextJob {
  readonly kind: 'text'
  readonly definition: Definition
  readonly syntax: DefinitionFormat
}

/** Holds a value against a JSON Schema, given as JSON. */
export interface FaultsJob {
  readonly kind: 'faults'
  readonly source: string
  readonly value: Json
}

/** Reads what a definition takes from elsewhere. */
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

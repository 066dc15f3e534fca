import type { OptionalFeature } from '#src/features/optional-features.ts'
import type { Json } from '#src/json.ts'

/** A function of the default catalog, in one version. */
export interface CatalogFunction {
  readonly name: string
  /** A semantic version. */
  readonly version: string
  /** JSON Schema of its arguments; without it every argument is accepted. */
  readonly input?: Json
  /** JSON Schema of its output; without it what it gives is known only of functions that come with Millrace. */
  readonly output?: Json
  /** Not for authors: no hint names it. */
  readonly internal?: true
}

/** A part of a value that does not fit its schema: a JSON Pointer into the value, and the reason. */
export interface ValueFault {
  readonly pointer: string
  readonly detail: string
}

export interface ValidateOptions {
  /** Functions of the default catalog; none unless given. */
  readonly functions?: readonly CatalogFunction[]
  /** Secrets that exist; without it every secret that the document lists is assumed to exist. */
  readonly secrets?: readonly string[]
  /** Features that this installation lacks: a definition that needs one is refused with `unsupported_feature`. */
  readonly lacking?: readonly OptionalFeature[]
  /**
   * Checks a value against a JSON Schema; without it arguments of functions are checked for missing and unknown names only.
   *
   * It must not throw for a schema that cannot be applied, but return faults or none: authors write schemas.
   */
  readonly checkValue?: (schema: Json, value: Json) => readonly ValueFault[]
}

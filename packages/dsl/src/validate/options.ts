import type { OptionalFeature } from '#src/features/optional-features.ts'

export interface ValidateOptions {
  /** Functions of the default catalog, as `name` or `name:version`; none unless given. */
  readonly functions?: readonly string[]
  /** Secrets that exist; without it every secret that the document lists is taken to exist. */
  readonly secrets?: readonly string[]
  /** What this installation cannot run: a definition that needs it is refused with `unsupported_feature`. */
  readonly lacking?: readonly OptionalFeature[]
}

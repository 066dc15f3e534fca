/** Bounds on what a document may cost to read; a document beyond them is refused with a diagnostic. */
export interface ParseLimits {
  /** Characters (UTF-16 units) of the text. */
  readonly lengthMax: number
  /** Nested objects and lists. */
  readonly depthMax: number
  /** Values in the document, aliases expanded. */
  readonly valuesMax: number
}

export const defaultParseLimits: ParseLimits = { lengthMax: 2_000_000, depthMax: 200, valuesMax: 200_000 }

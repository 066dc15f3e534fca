/** Limits on a document; one that exceeds a limit is refused with a diagnostic at that position. */
export interface ParseLimits {
  /** Characters (UTF-16 units) of the text, and of its expanded aliases. */
  readonly lengthMax: number
  /** Nested objects and lists. */
  readonly depthMax: number
  /** Values in the document, aliases expanded. */
  readonly valuesMax: number
  /** Entries of one object or list. */
  readonly membersMax: number
  /** Characters of one string. */
  readonly stringLengthMax: number
  /** Characters of one key. */
  readonly keyLengthMax: number
  /** Characters of one JSON Pointer, which bounds the keys around a value. */
  readonly pointerLengthMax: number
  /** Tokens of YAML, white space, line breaks and comments included. */
  readonly tokensMax: number
  /** Tags, anchors and aliases of YAML, each. */
  readonly tagsMax: number
  readonly anchorsMax: number
  readonly aliasesMax: number
}

export const defaultParseLimits: ParseLimits = {
  lengthMax: 2_000_000,
  depthMax: 200,
  valuesMax: 100_000,
  membersMax: 50_000,
  stringLengthMax: 262_144,
  keyLengthMax: 1024,
  pointerLengthMax: 4096,
  tokensMax: 200_000,
  tagsMax: 1000,
  anchorsMax: 1000,
  aliasesMax: 10_000,
}

/** For documents that are data and not definitions (the input of a run, a description of an API): they are longer, and so are their texts. */
export const dataParseLimits: ParseLimits = {
  ...defaultParseLimits,
  valuesMax: 200_000,
  membersMax: 200_000,
  stringLengthMax: 2_000_000,
  tokensMax: 800_000,
}

/** Problems collected from one text: a hostile text can have one for each character. */
export const problemsMax = 1000

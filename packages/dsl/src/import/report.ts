/** How far a part of a foreign workflow was converted. */
export type ImportOutcome = 'converted' | 'adapted' | 'not_converted' | 'note'

/** One finding of a conversion, with its place in the document that was imported. */
export interface ImportFinding {
  readonly outcome: Exclude<ImportOutcome, 'converted'>
  /** JSON Pointer into the imported document. */
  readonly pointer: string
  /** The part as its author named it. */
  readonly part: string
  readonly type: string
  readonly reason: string
}

/** A start of the foreign workflow that becomes a trigger of Millrace. */
export interface TriggerProposal {
  readonly name: string
  readonly kind: 'webhook' | 'schedule' | 'event' | 'manual' | 'workflow'
  readonly settings: Readonly<Record<string, unknown>>
}

/** A credential of the foreign workflow. Its value is never part of an export. */
export interface SecretToFill {
  readonly secret: string
  readonly kind: string
  readonly usedBy: readonly string[]
}

/** What became of every part of a foreign workflow. */
export interface ImportReport {
  readonly format: string
  readonly name: string
  readonly parts: {
    readonly total: number
    readonly converted: number
    readonly adapted: number
    readonly notConverted: number
    readonly notes: number
  }
  readonly findings: readonly ImportFinding[]
  readonly triggers: readonly TriggerProposal[]
  readonly secrets: readonly SecretToFill[]
  readonly variables: readonly string[]
}

export interface Imported {
  /** A definition of the DSL, not yet validated. */
  readonly definition: Readonly<Record<string, unknown>>
  readonly report: ImportReport
}

/** The document cannot be converted at all. The message says why and where. */
export class ImportError extends Error {
  readonly pointer: string

  constructor(message: string, pointer = '') {
    super(message)
    this.name = 'ImportError'
    this.pointer = pointer
  }
}

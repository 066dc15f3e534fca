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

/** A start of the foreign workflow: it is a trigger of Millrace to create, or exists as soon as the workflow is published. */
export interface TriggerProposal {
  readonly name: string
  readonly kind: 'webhook' | 'schedule' | 'event' | 'manual' | 'workflow'
  readonly settings: Readonly<Record<string, unknown>>
}

/** What the report says of a start that needs no trigger. */
export const startsByItself = {
  schedule: 'The definition has this schedule: it starts executions as soon as the workflow is published. Create no trigger for it.',
  manual: 'A person or a program starts it at any time once it is published. Create no trigger for it.',
  workflow: 'Other workflows start it once it is published. Create no trigger for it.',
} as const

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
  /** What starts the workflow as soon as it is published: its own schedule, and who runs it. */
  readonly starts: readonly TriggerProposal[]
  /** What has to be created. */
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

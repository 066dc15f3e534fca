import { type ParsedDefinition, parseDefinition, validateDefinition } from '@millrace/dsl'

/** A finding of the validator, here or on the server. */
export interface Finding {
  readonly code?: string | undefined
  readonly line: number
  readonly column: number
  readonly endLine?: number | undefined
  readonly endColumn?: number | undefined
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** Of the value that it is about. */
  readonly pointer?: string | undefined
  readonly hint?: string | undefined
}

export interface Diagnosis {
  readonly findings: readonly Finding[]
  /** The document as data; undefined while the text cannot be read. */
  readonly document: unknown
}

/** Checks a definition while it is written, without a request. */
export function diagnose(text: string): Diagnosis {
  const parsed = parseDefinition(text)
  return { findings: findingsOf(parsed), document: parsed.document }
}

/** Findings of a definition that was read already. Which functions and secrets exist only the server knows. */
export function findingsOf(parsed: ParsedDefinition): readonly Finding[] {
  const { diagnostics } = validateDefinition(parsed)
  return diagnostics.filter(({ code }) => !code.includes('function') && !code.includes('secret'))
}

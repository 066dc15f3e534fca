import type { Ir } from './ir.ts'

/** What a program depends on besides its own text. */
export interface Reads {
  readonly variables: ReadonlySet<string>
  readonly paths: readonly string[]
  readonly deterministic: boolean
}

export function report(_ir: Ir): Reads {
  return { variables: new Set(), paths: [], deterministic: true }
}

import type { ScriptLimits } from './limits.ts'

/** A script and what it is given, all of it text. */
export interface ScriptRun {
  readonly code: string
  readonly stdin: string
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** How a run ended. A limit that was reached ends it without output: half of one is no result. */
export type ScriptOutcome =
  | { readonly kind: 'exited'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'limit'; readonly limit: 'time' | 'memory' | 'stack' | 'output' }
  /** The sandbox itself failed; what it was in is thrown away. */
  | { readonly kind: 'crashed'; readonly reason: string }

/** The data with which a worker thread starts. */
export interface WorkerSetup {
  readonly wasm: WebAssembly.Module
  readonly limits: ScriptLimits
}

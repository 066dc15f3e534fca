import type { EffectCall, EffectFunction, FunctionManifest, HttpEffectDeps, JsonObject } from '@millrace/engine'

/** A function of a connector that the installation performs itself. */
export interface CodeFunction {
  /** The part of the name after the dot. */
  readonly name: string
  readonly summary: string
  readonly input: JsonObject
  readonly output: JsonObject
  readonly perform: EffectFunction
}

/** A connector of the installation whose functions are code, not requests that a document describes. */
export interface CodeConnector {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly functions: readonly CodeFunction[]
}

/** The requests of one execution. */
export type HttpOf = (call: EffectCall) => HttpEffectDeps['http']

/** Whether texts of an execution may be sent to a host. Throws NetError `denied`. */
export type AdmitTexts = (
  call: Pick<EffectCall, 'accountId' | 'executionId'>,
  departure: { readonly host: string; readonly texts: readonly string[] },
) => Promise<void>

/** What a function of code takes and gives. */
export function codeManifest({ name, version, functions }: CodeConnector, wanted: string): FunctionManifest | undefined {
  const found = functions.find((candidate) => candidate.name === wanted)
  if (found === undefined) return undefined
  const { summary, input, output } = found
  return { name: `${name}.${wanted}`, version, summary, performs: 'effect', input, output }
}

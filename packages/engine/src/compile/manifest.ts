import type { JsonObject } from '#core/json.ts'

/**
 * The description of a function of the default catalog. `call: name`, `call: name:version` and `call: name:version@default` refer to it.
 *
 * - `effect`: performed by the `EffectFunction` that the engine is given under this name.
 * - `waiting`: opens a wait whose topic is this name, and gives the message that is sent to it (`approve`).
 * - `answer`: sends its arguments' `body` to the caller that waits for the execution; the flow continues (`respond`).
 */
export interface FunctionManifest {
  readonly name: string
  readonly version: string
  /** One sentence, for lists and completions. */
  readonly summary: string
  /** Called by definitions that the installation makes, and in no list. */
  readonly internal?: true
  readonly performs: 'effect' | 'waiting' | 'answer'
  /** JSON Schema of `with` once its expressions are evaluated; arguments that do not fit fault with a validation error. */
  readonly input: JsonObject
  /** JSON Schema of the output. */
  readonly output: JsonObject
}

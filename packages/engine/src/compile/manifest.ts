import type { JsonObject } from '#core/json.ts'

/**
 * What a function of the default catalog says of itself. `call: name`, `call: name:version` and `call: name:version@default` mean it.
 *
 * - `effect`: performed by the `EffectFunction` that the engine is given under this name.
 * - `waiting`: opens a wait under this name as topic, and goes on with the message that is sent to it (`approve`).
 * - `answer`: its arguments' `body` is the answer to whoever waits for the execution, which goes on (`respond`).
 */
export interface FunctionManifest {
  readonly name: string
  readonly version: string
  /** One sentence, for lists and completions. */
  readonly summary: string
  readonly performs: 'effect' | 'waiting' | 'answer'
  /** JSON Schema of `with` once its expressions are evaluated; arguments that do not fit fault with a validation error. */
  readonly input: JsonObject
  /** JSON Schema of what the call gives. */
  readonly output: JsonObject
}

import type { Json } from '@millrace/engine'

export {
  type ExecutionSummary as ExecutionHead,
  type StoredExecution as Execution,
  type TriggerKind,
  triggerKinds,
} from '@millrace/engine/storage'

/** The value of a `json` column, which holds nothing else. */
export function parseJson(text: string): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
  return JSON.parse(text) as Json
}

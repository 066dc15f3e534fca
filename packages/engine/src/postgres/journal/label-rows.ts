import type { Label } from '#core/label.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'

/** A label of an execution that is inserted. */
export interface LabelRow {
  readonly head: Pick<ExecutionHead, 'id' | 'accountId'>
  /** Its place in the definition. */
  readonly number: number
  readonly label: Label
}

export function labelsOf(heads: readonly Pick<ExecutionHead, 'id' | 'accountId' | 'labels'>[]): readonly LabelRow[] {
  return heads.flatMap((head) => (head.labels ?? []).map((label, number) => ({ head, number, label })))
}

import type { SchemaFault } from '#compile/schema.ts'
import type { Json } from '#core/json.ts'
import type { Meter } from '#core/meter.ts'
import { InterruptedSignal, Work } from '#core/work.ts'
import type { Processor } from '#durable/ports/processor.ts'

/** A compiled schema, and its serialized form for another thread. */
export interface CheckedSchema {
  readonly faultsOf: (value: Json, meter?: Meter) => readonly SchemaFault[]
  /** The schema as JSON. */
  readonly source: () => string
}

/** Validates a value by a schema: on this thread if that takes a moment, in another thread otherwise. */
export async function checkValue(
  processor: Processor,
  accountId: string,
  { faultsOf, source }: CheckedSchema,
  value: Json,
): Promise<readonly SchemaFault[]> {
  try {
    return faultsOf(value, new Work(processor.turn).meter())
  } catch (error) {
    if (!(error instanceof InterruptedSignal)) throw error
    return processor.perform(accountId, { kind: 'faults', source: source(), value })
  }
}

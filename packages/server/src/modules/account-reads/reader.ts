import type { JsonValue, Scope } from '@millrace/contract'
import type * as z from 'zod'

/** For whom an operation reads. */
export interface ReadContext {
  readonly accountId: string
  readonly signal: AbortSignal
}

/** An operation by which a model reads data of an account. */
export interface Reader<T extends z.ZodType = z.ZodType> {
  readonly description: string
  /** That of the operation which a person would use. */
  readonly scope: Scope
  readonly parameters: T
  readonly run: (parameters: z.output<T>, context: ReadContext) => Promise<JsonValue>
}

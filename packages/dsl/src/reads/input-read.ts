/** A part of its input that a workflow reads. */
export interface InputRead {
  /** Such as `customer.email` or `items[].price`; `["order-id"]` for a name that is not a plain word. */
  readonly path: string
  /** Whether every run reads it and has no default where it is absent. */
  readonly needed: boolean
  /** Name of the first task that reads it; undefined for the workflow itself. */
  readonly task: string | undefined
  /** JSON Pointer of that task. */
  readonly pointer: string
}

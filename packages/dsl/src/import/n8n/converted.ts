import type { Data } from '#src/import/value.ts'
import type { NodeFields } from './fields.ts'

/** What a node becomes. */
export type Converted =
  /** jq from the list of items, `$items`, to the list of items. `gives` is one if that always is one item. */
  | { readonly as: 'jq'; readonly jq: string; readonly gives?: 'one'; readonly outputs?: number }
  /** jq from `$item` to what it becomes: one item, or several values. */
  | { readonly as: 'map'; readonly jq: string; readonly gives: 'one' | 'many' }
  /** Each item leaves by the first way whose condition over `$item` it meets, or by all of them. */
  | Branch
  /** A task that runs once for each item. `result` is jq from its output to an item or a list of items; `gives` is one if that is always one item. */
  | {
      readonly as: 'each'
      readonly task: Data
      readonly gives?: 'one'
      readonly result?: string
      /** jq from the list of results to the list of outputs. */
      readonly split?: string
      readonly outputs?: number
    }
  /** A task that runs once. Without `result` the items pass through. */
  | { readonly as: 'once'; readonly task: Data; readonly result?: string }
  /** JavaScript that returns the list of items. */
  | { readonly as: 'script'; readonly code: string; readonly gives?: 'one' }
  /** The items pass through. */
  | { readonly as: 'pass'; readonly metadata?: Data }

export type Converter = (fields: NodeFields) => Converted | undefined

/** A node with an output for each way. */
export interface Branch {
  readonly as: 'branch'
  readonly ways: readonly { readonly name: string; readonly when: string }[]
  /** The output of the items that take none of the ways; it may be that of one of them, or a further one. Undefined if they end here. */
  readonly otherwise?: { readonly output: number; readonly name: string }
  /** Whether an item leaves by every way whose condition it meets. */
  readonly all?: boolean
}

/** The names of the outputs of a branch. */
export function outputNames({ ways, otherwise }: Branch): readonly string[] {
  const names = ways.map(({ name }) => name)
  return otherwise === undefined || otherwise.output < names.length ? names : [...names, otherwise.name]
}

/** jq from the output of a call to items: lists are spread, everything that is no object becomes `{ data }`. */
export const asItems = '(if type == "array" then .[] else . end) | if type == "object" then . elif . == null then {} else {data: .} end'

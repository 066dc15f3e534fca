import type { Data } from '#src/import/value.ts'
import type { NodeFields } from './fields.ts'

/** What a node becomes. */
export type Converted =
  /** jq from the list of items to the list of items, or to the list of its outputs. */
  | { readonly as: 'jq'; readonly jq: string; readonly outputs?: number }
  /** A task that runs once for each item. `result` is jq from its output to an item or a list of items. */
  | {
      readonly as: 'each'
      readonly task: Data
      readonly result?: string
      /** jq from the list of results to the list of outputs. */
      readonly split?: string
      readonly outputs?: number
    }
  /** A task that runs once. Without `result` the items pass through. */
  | { readonly as: 'once'; readonly task: Data; readonly result?: string }
  /** JavaScript that returns the list of items. */
  | { readonly as: 'script'; readonly code: string }
  /** The items pass through. */
  | { readonly as: 'pass'; readonly metadata?: Data }

export type Converter = (fields: NodeFields) => Converted | undefined

/** jq that gives a list with one result for each item. */
export function eachItem(jq: string): string {
  return `[range($items | length) as $index | $items[$index] as $item | ${jq}]`
}

/** jq of the items that meet a condition. */
export function itemsWhere(condition: string): string {
  return `[range($items | length) as $index | $items[$index] as $item | select(${condition}) | $item]`
}

/** jq from the output of a call to items: lists are spread, everything that is no object becomes `{ data }`. */
export const asItems = '(if type == "array" then .[] else . end) | if type == "object" then . elif . == null then {} else {data: .} end'

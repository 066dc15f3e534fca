/** A number, or a text that is compared by the code points of its characters, which sorts dates and times of one zone. */
export type Bound = number | string

/** What a value of a column is compared with: at least `from`, at most `to`, more than `above`, less than `below`. */
export interface ColumnRange {
  readonly column: string
  readonly from?: Bound | undefined
  readonly to?: Bound | undefined
  readonly above?: Bound | undefined
  readonly below?: Bound | undefined
}

export const boundNames = ['from', 'to', 'above', 'below'] as const

/** Whether there are bounds, and all are numbers, or all are texts. */
export function isOfOneKind(range: ColumnRange): boolean {
  const bounds = boundNames.map((name) => range[name]).filter((bound) => bound !== undefined)
  return new Set(bounds.map((bound) => typeof bound)).size === 1
}

const form = /^(?<column>[^:]+):(?<from>(?:(?!\.\.).)*)\.\.(?<to>.*)$/su
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The range in a text such as `total:100..500`, with both bounds; one of them may be empty. Undefined for another text. */
export function rangeIn(text: string): ColumnRange | undefined {
  const { column, from = '', to = '' } = form.exec(text)?.groups ?? {}
  if (column === undefined) return undefined
  const range = { column, from: boundIn(from), to: boundIn(to) }
  return isOfOneKind(range) ? range : undefined
}

/** In quotation marks, a number is a text. */
function boundIn(text: string): Bound | undefined {
  if (text === '') return undefined
  if (number.test(text)) return Number(text)
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text
}

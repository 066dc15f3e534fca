import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { costText } from '#src/models/cost-text.ts'
import { number } from '#src/values/format.ts'

export type ModelLimits = Reply<(typeof groups)['modelLimits']['get']>

/** A limit that is set, with what is used of it. */
export interface LimitRow {
  readonly label: string
  readonly used: number
  readonly limit: number
  /** At the end of the period if it continues as it was. */
  readonly forecast: number | undefined
  readonly resetsAt: string
  readonly text: (amount: number) => string
}

/** The limits that are set, those of the month first. */
export function rowsOf({ month, day, currency }: ModelLimits): readonly LimitRow[] {
  const l = m.modelLimits
  const cost = (amount: number) => costText(amount, currency ?? undefined)
  const { used, resetsAt, forecast } = month
  const all = [
    { label: l.monthCost, used: used.cost, limit: month.cost, forecast: forecast?.cost, resetsAt, text: cost },
    { label: l.monthTokens, used: used.tokens, limit: month.tokens, forecast: forecast?.tokens, resetsAt, text: number },
    { label: l.dayCost, used: day.used.cost, limit: day.cost, forecast: undefined, resetsAt: day.resetsAt, text: cost },
    { label: l.dayTokens, used: day.used.tokens, limit: day.tokens, forecast: undefined, resetsAt: day.resetsAt, text: number },
  ]
  return all.flatMap(({ limit, ...row }) => (limit === null ? [] : [{ ...row, limit }]))
}

import type { PeriodName } from '#src/patterns/period.ts'

/** The filter by a period. */
export const period = {
  label: 'Period',
  any: 'any time',
  names: {
    hour: 'last hour',
    today: 'today',
    yesterday: 'yesterday',
    week: 'last 7 days',
    days30: 'last 30 days',
    month: 'this month',
    lastMonth: 'last month',
    lastQuarter: 'last quarter',
  } satisfies Record<PeriodName, string>,
  custom: 'from … to …',
  from: 'From',
  to: 'To, with that day',
  toShort: 'To',
  zone: (zone: string) => `Days in ${zone}`,
  backwards: 'The first day is after the last one.',
}

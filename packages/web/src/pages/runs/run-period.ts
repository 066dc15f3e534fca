export const periods = ['today', 'yesterday', 'week'] as const

/** The first and the last day of a period, counted from today. */
const days: Readonly<Record<string, readonly [number, number]>> = { today: [0, 0], yesterday: [-1, -1], week: [-6, 0] }

/** The search of the address in the words of the operation: a period as times, by the days of the browser. */
export function runQuery({ period = '', ...query }: Readonly<Record<string, string>>, now = new Date()): Readonly<Record<string, string>> {
  const found = days[period]
  if (found === undefined) return query
  const [first, last] = found
  return { ...query, from: midnight(now, first), to: midnight(now, last + 1) }
}

const midnight = (now: Date, by: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + by).toISOString()

import { day as dayText, number } from '#src/values/format.ts'

const dayMs = 86_400_000
const width = 300
const height = 48

interface DayBarsProps {
  readonly title: string
  /** Days until today. */
  readonly days: number
  /** Dates with their amounts; days without one have 0. */
  readonly rows: readonly (readonly [string, number])[]
}

/** Amounts by day as bars; the same numbers stand in a table for screen readers. */
export function DayBars({ title, days, rows }: DayBarsProps) {
  const amounts = new Map(rows)
  const dates = Array.from({ length: days }, (_, index) => new Date(Date.now() - (days - 1 - index) * dayMs).toISOString().slice(0, 10))
  const most = Math.max(1, ...amounts.values())
  const step = width / days
  return (
    <figure className="day-bars">
      <figcaption className="t12 i3">{title}</figcaption>
      <svg className="chart" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="grid" d={`M0 ${height - 0.5}H${width}`} />
        {dates.map((date, index) => {
          const size = ((amounts.get(date) ?? 0) / most) * (height - 4)
          return <rect key={date} className="bar-completed" x={index * step} y={height - size} width={step * 0.7} height={size} />
        })}
      </svg>
      <div className="row between t12 i3" dir="ltr" aria-hidden="true">
        <bdi>{dayText(dates[0] ?? '')}</bdi>
        <bdi>{dayText(dates.at(-1) ?? '')}</bdi>
      </div>
      {/* A table is as wide as its cells, also where it is not seen. */}
      <div className="vh">
        <table>
          <caption>{title}</caption>
          <tbody>
            {rows.map(([date, amount]) => (
              <tr key={date}>
                <th scope="row">{dayText(date)}</th>
                <td>{number(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

import { scaleBand, scaleLinear } from 'd3-scale'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { m } from '#src/messages/messages.ts'
import { bucketLabel, number } from '#src/values/format.ts'

interface Bucket {
  readonly at: string
  readonly completed: number
  readonly faulted: number
  readonly cancelled: number
}

const height = 200
const foot = 22
/** A date below the bars, with the room beside it. */
const labelWidth = 56
const digitWidth = 7
const series = ['completed', 'faulted', 'cancelled'] as const

/** Ended runs over time, stacked by result; the same numbers stand in a table for screen readers. */
export function RunBars({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const chart = useRef<SVGSVGElement>(null)
  const width = useWidth(chart)
  const most = Math.max(1, ...buckets.map((bucket) => bucket.completed + bucket.faulted + bucket.cancelled))
  const y = scaleLinear([0, most], [height - foot, 20]).nice(4)
  const ticks = y.ticks(4).filter(Number.isInteger)
  const side = 12 + digitWidth * Math.max(...ticks.map((tick) => number(tick).length))
  const x = scaleBand<string>(
    buckets.map(({ at }) => at),
    [side, width],
  ).paddingInner(0.3)
  const bar = Math.min(28, x.bandwidth())
  // Time runs as the text does.
  const rtl = document.documentElement.dir === 'rtl'
  const place = (from: number, extent = 0) => (rtl ? width - from - extent : from)
  const every = Math.ceil(buckets.length / Math.min(8, Math.max(1, Math.floor((width - side) / labelWidth))))
  return (
    <>
      <svg ref={chart} className="chart" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <path d={`M${place(side)} ${y(tick)}H${place(width)}`} className="grid" />
            <text x={place(side - 8)} y={y(tick) + 4} textAnchor={rtl ? 'start' : 'end'}>
              {number(tick)}
            </text>
          </g>
        ))}
        {buckets.map((bucket, index) => {
          const left = x(bucket.at) ?? 0
          let base = 0
          return (
            <g key={bucket.at}>
              {series.map((name) => {
                const from = y(base)
                base += bucket[name]
                return bucket[name] === 0 ? null : (
                  <rect key={name} className={`bar-${name}`} x={place(left, bar)} width={bar} y={y(base)} height={from - y(base)} />
                )
              })}
              {index % every === 0 && (
                <text x={place(Math.min(left, width - labelWidth + 12))} y={height - 6} textAnchor={rtl ? 'end' : 'start'}>
                  {bucketLabel(bucket.at)}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <p className="legend">
        {series.map((name) => (
          <span key={name}>
            <i className={`key bar-${name}`} />
            {m.states[name]}
          </span>
        ))}
      </p>
      {/* A table is as wide as its cells, also where it is not seen. */}
      <div className="vh">
        <table>
          <caption>{m.insights.perTime}</caption>
          <tbody>
            {buckets.map((bucket) => (
              <tr key={bucket.at}>
                <th scope="row">{bucketLabel(bucket.at)}</th>
                {series.map((name) => (
                  <td key={name}>{`${m.states[name]}: ${bucket[name]}`}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** The width of a drawing, so that its texts are as large as others on the page. */
function useWidth(drawing: RefObject<Element | null>): number {
  const [width, setWidth] = useState(1000)
  useEffect(() => {
    const { current } = drawing
    if (current === null) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(160, entry?.contentRect.width ?? 0)))
    observer.observe(current)
    return () => observer.disconnect()
  }, [drawing])
  return width
}

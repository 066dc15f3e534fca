import { memo, type ReactNode } from 'react'
import { useKeys } from '#src/app/keys.ts'
import { m } from '#src/messages/messages.ts'
import { drawable } from '#src/run/bars.ts'
import type { TimelineDrawing, TimelineRow } from '#src/run/timeline-rows.ts'
import { duration } from '#src/values/format.ts'

/** What is to be said of a row. */
export interface TimelineNote {
  readonly text: string
  readonly look: 'c-bad' | 'c-wait' | 'i2'
}

interface TimelineProps {
  readonly drawing: TimelineDrawing
  /** By the reference of the row. */
  readonly notes?: ReadonlyMap<string, TimelineNote>
  readonly selected: string | undefined
  readonly onSelect: (reference: string) => void
  /** The time that the page shows, of a run that is looked at as it was. */
  readonly atMs: number | undefined
  readonly children?: ReactNode
}

const rowsMax = 500
const ticks = [0, 0.25, 0.5, 0.75]

/** When each task worked: a row for each, a bar for each attempt or round, long waits folded. J and K walk through the rows, F goes to the next failure. */
export function Timeline({ drawing, notes, selected, onSelect, atMs, children }: TimelineProps) {
  const { rows, scale, wholeMs, fromMs, entries } = drawing
  const chosen = rows.findIndex(({ reference }) => reference === selected)
  const select = (row: TimelineRow | undefined) => {
    if (row !== undefined) onSelect(row.reference)
  }
  const fails = (row: TimelineRow) => row.failed
  useKeys({
    j: () => select(rows[chosen + 1]),
    k: () => select(rows[chosen - 1]),
    f: () => select(rows.slice(chosen + 1).find(fails) ?? rows.find(fails)),
  })
  const isClear = (tick: number) => scale.folds.every(({ at, width }) => tick + 0.12 < at || tick > at + width)
  return (
    <section className="tl" aria-label={m.run.timeline} data-entries={entries}>
      <div className="tlhead">
        <b className="b">{m.run.timeline}</b>
        <span className="num">{m.run.busy(duration(scale.busyMs), duration(wholeMs))}</span>
        {rows.some(({ critical }) => critical) && <span className="t12 i3 crit">{m.runView.longestPath}</span>}
      </div>
      {children}
      <div className="tlgrid">
        <b />
        <div className="axis" aria-hidden="true">
          {wholeMs > 0 &&
            ticks.filter(isClear).map((tick) => (
              <span key={tick} ref={placed(tick, 0)}>
                {tick === 0 ? '0' : duration(scale.timeAt(tick) - fromMs, '+')}
              </span>
            ))}
        </div>
        {rows.slice(0, rowsMax).map((row) => (
          <Row key={row.reference} row={row} note={notes?.get(row.reference)} on={row.reference === selected} onSelect={onSelect} />
        ))}
        <div className="over">
          {scale.folds.map((fold) => (
            <div key={fold.at} className="fold" ref={placed(fold.at, fold.width)}>
              <span>{duration(fold.ms)}</span>
            </div>
          ))}
          {atMs !== undefined && <div className="playhead" ref={placed(scale.at(atMs), 0)} />}
        </div>
      </div>
      {rows.length > rowsMax && <p className="t12 i3 tlmore">{m.runView.moreTasks(rows.length - rowsMax)}</p>}
    </section>
  )
}

const Row = memo(function Row({
  row: { reference, name, depth, failed, critical, rounds, bars },
  note,
  on,
  onSelect,
}: {
  readonly row: TimelineRow
  readonly note: TimelineNote | undefined
  readonly on: boolean
  readonly onSelect: (reference: string) => void
}) {
  return (
    <>
      <b className={[failed ? 'bad' : '', on ? 'on' : '', depth > 0 ? `in${Math.min(depth, 3)}` : ''].join(' ')}>
        <button type="button" className="tlname" title={name} aria-pressed={on} onClick={() => onSelect(reference)}>
          <bdi className="trunc">{name}</bdi>
        </button>
        {rounds !== undefined && (
          <span className="t12 i3 num" dir="ltr">
            ×{rounds}
          </span>
        )}
        {note !== undefined && <span className={`t12 ${note.look} nowrap`}>{note.text}</span>}
      </b>
      <div className={critical ? 'crit' : undefined}>
        {drawable(bars).map(({ key, from, to, look }) => (
          <i key={key} className={rounds === undefined ? `bar ${look}` : `bar round ${look}`} ref={placed(from, to - from)} />
        ))}
      </div>
    </>
  )
})

/** Sets the place of a bar by the CSSOM: the policy of the page forbids style attributes. */
function placed(from: number, width: number): (element: HTMLElement | null) => void {
  return (element) => {
    element?.style.setProperty('--a', `${(from * 100).toFixed(3)}%`)
    element?.style.setProperty('--w', `${(width * 100).toFixed(3)}%`)
  }
}

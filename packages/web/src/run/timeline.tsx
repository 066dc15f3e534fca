import { m } from '#src/messages/messages.ts'
import { timeScale } from '#src/run/time-scale.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'
import { duration } from '#src/values/format.ts'

interface TimelineProps {
  readonly entries: readonly TimelineEntry[]
  readonly selected: string | undefined
  readonly onSelect: (reference: string) => void
  /** Whether the task waits for people, events or time. */
  readonly waits: (reference: string) => boolean
}

const rowsMax = 200
const containers = new Set(['do', 'for', 'fork', 'try'])

/** When each task worked: a row for each, a bar for each attempt, long waits folded. */
export function Timeline({ entries, selected, onSelect, waits }: TimelineProps) {
  const now = Date.now()
  const endOf = (entry: TimelineEntry) => (entry.endedAt === null ? now : Date.parse(entry.endedAt))
  const leaves = entries.filter(({ kind, state }) => !containers.has(kind) && state !== 'skipped')
  const busy = leaves.filter(({ reference, state }) => state !== 'waiting' && !waits(reference))
  const edges = leaves.map((entry) => ({ from: Date.parse(entry.startedAt), to: Date.parse(entry.startedAt) }))
  const scale = timeScale([
    ...busy.map((entry) => ({ from: Date.parse(entry.startedAt), to: endOf(entry) })),
    ...edges,
    ...leaves.map((entry) => ({ from: endOf(entry), to: endOf(entry) })),
  ])
  const rows = [...Map.groupBy(leaves, ({ reference }) => reference)].slice(0, rowsMax)
  const first = leaves[0]
  const whole = first === undefined ? 0 : Math.max(...leaves.map(endOf)) - Date.parse(first.startedAt)
  return (
    <section className="tl" aria-label={m.run.timeline}>
      <div className="tlhead">
        <b className="b">{m.run.timeline}</b>
        <span className="num">{m.run.busy(duration(scale.busyMs), duration(whole))}</span>
      </div>
      <div className="tlgrid">
        {rows.map(([reference, own]) => (
          <Row
            key={reference}
            own={own}
            on={reference === selected}
            select={() => onSelect(reference)}
            at={scale.at}
            endOf={endOf}
            waits={waits(reference)}
          />
        ))}
        <div className="over">
          {scale.folds.map((fold) => (
            <div key={fold.at} className="fold" ref={placed(fold.at, fold.width)}>
              <span>{duration(fold.ms)}</span>
            </div>
          ))}
          <div className="ruler">
            <b />
          </div>
        </div>
      </div>
    </section>
  )
}

interface RowProps {
  readonly own: readonly TimelineEntry[]
  readonly on: boolean
  readonly select: () => void
  readonly at: (time: number) => number
  readonly endOf: (entry: TimelineEntry) => number
  readonly waits: boolean
}

function Row({ own, on, select, at, endOf, waits }: RowProps) {
  const last = own.at(-1)
  const failed = last?.state === 'faulted'
  return (
    <>
      <b className={[failed ? 'bad' : '', on ? 'on' : ''].join(' ')}>
        <button type="button" className="tlname" onClick={select}>
          <bdi className="trunc">{last?.name}</bdi>
        </button>
      </b>
      <div>
        {own.map((entry) => {
          const from = at(Date.parse(entry.startedAt))
          return (
            <i
              key={entry.position}
              className={`bar ${barLook(entry, entry === last, waits)}`}
              ref={placed(from, at(endOf(entry)) - from)}
            />
          )
        })}
      </div>
    </>
  )
}

/** Sets the place of a bar by the CSSOM: the policy of the page forbids style attributes. */
function placed(from: number, width: number): (element: HTMLElement | null) => void {
  return (element) => {
    element?.style.setProperty('--a', `${(from * 100).toFixed(3)}%`)
    element?.style.setProperty('--w', `${(width * 100).toFixed(3)}%`)
  }
}

/** A failed try that was retried is outlined, the last one is filled. */
function barLook({ state }: TimelineEntry, last: boolean, waits: boolean): string {
  if (state === 'faulted') return last ? 'bad' : 'fail'
  if (state === 'waiting' || waits) return 'wait'
  return state === 'cancelled' ? 'soft' : ''
}

import { m } from '#src/messages/messages.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'
import { StateMark } from '#src/ui/badge.tsx'
import { Button, IconButton } from '#src/ui/button.tsx'
import { StateIcon } from '#src/ui/icon.tsx'

interface VisitsProps {
  readonly entries: readonly TimelineEntry[]
  readonly chosen: TimelineEntry
  readonly choose: (position: string) => void
}

/** More rounds than this are walked through instead of listed. */
const listedMax = 24

/** The tries and rounds of a task, one of which is shown. */
export function Visits(props: VisitsProps) {
  return props.entries.length > listedMax ? <VisitsWalk {...props} /> : <VisitsList {...props} />
}

function VisitsList({ entries, chosen, choose }: VisitsProps) {
  return (
    <div className="tries" role="group" aria-label={m.run.visits}>
      {entries.map((entry, index) => (
        <button
          key={entry.position}
          type="button"
          className={entry === chosen ? 'try on' : 'try'}
          aria-pressed={entry === chosen}
          onClick={() => choose(entry.position)}
        >
          <StateIcon state={entry.state} label={entry.state} />
          {numberOf(entry, index)}
          {entry.error !== undefined && <span className="i3">{entry.error.status}</span>}
        </button>
      ))}
    </div>
  )
}

function numberOf({ iteration, attempt }: TimelineEntry, index: number): string {
  if (iteration.length > 0) return iteration.map((number) => number + 1).join('.')
  return String(attempt > 1 ? attempt : index + 1)
}

function VisitsWalk({ entries, chosen, choose }: VisitsProps) {
  const at = entries.indexOf(chosen)
  const show = (index: number) => {
    const entry = entries[index]
    if (entry !== undefined) choose(entry.position)
  }
  const failed = entries.findIndex(({ state }, index) => state === 'faulted' && index > at)
  const firstFailed = failed >= 0 ? failed : entries.findIndex(({ state }) => state === 'faulted')
  return (
    <div className="tries" role="group" aria-label={m.run.visits}>
      <IconButton icon="prev" label={m.runView.earlier} size="sm" disabled={at <= 0} onClick={() => show(at - 1)} />
      <input
        type="range"
        min={0}
        max={entries.length - 1}
        value={at}
        aria-label={m.run.visits}
        aria-valuetext={m.runView.visitOf(at + 1, entries.length)}
        onChange={(event) => show(Number(event.target.value))}
      />
      <IconButton icon="next" label={m.runView.later} size="sm" disabled={at >= entries.length - 1} onClick={() => show(at + 1)} />
      <span className="num nowrap t12 i2">{m.runView.visitOf(at + 1, entries.length)}</span>
      {firstFailed >= 0 && firstFailed !== at ? (
        <Button size="sm" onClick={() => show(firstFailed)}>
          {m.runView.nextFailed}
        </Button>
      ) : (
        <StateMark state={chosen.state} />
      )}
    </div>
  )
}

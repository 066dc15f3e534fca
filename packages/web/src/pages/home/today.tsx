import { Link } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import type { Day } from '#src/pages/home/day.ts'
import { RunBars } from '#src/values/run-bars.tsx'

const dayMs = 86_400_000
const rowsMax = 6
const hours = [0, 3, 6, 9, 12, 15, 18, 21]

/** The day as a channel for each workflow: a tick for each run, and the line of now. A day with too many runs for that is shown by its hours. */
export function Today({ day: { runs, figures }, begin }: { readonly day: Day; readonly begin: number }) {
  if (figures !== undefined)
    return (
      <section>
        <h2 className="home-h">{m.home.runsToday}</h2>
        <div className="panel acard chart-card">
          <RunBars buckets={figures.buckets} />
        </div>
      </section>
    )
  const share = (time: number) => `${(Math.min(1, Math.max(0, (time - begin) / dayMs)) * 100).toFixed(2)}%`
  const rows = [...Map.groupBy(runs, ({ workflowId }) => workflowId)].slice(0, rowsMax)
  if (rows.length === 0) return null
  return (
    <section>
      <h2 className="home-h">{m.home.runsToday}</h2>
      <div className="panel river">
        <div className="hours" aria-hidden="true">
          <span />
          <div className="ch">
            {hours.map((hour) => (
              <span key={hour} ref={at(`${(hour / 24) * 100}%`)}>{`${String(hour).padStart(2, '0')}:00`}</span>
            ))}
          </div>
        </div>
        {rows.map(([id, own]) => (
          <Link key={id} to={`/workflows/${id}`} className="rv">
            <span className="nm trunc">{own[0]?.workflowName}</span>
            <div className="ch" role="img" aria-label={m.home.dayOf(own.length, own.filter(({ state }) => state === 'faulted').length)}>
              {own.map((run) => (
                <i
                  key={run.id}
                  className={run.state === 'faulted' ? 'tick b' : run.endedAt === null ? 'tick nx' : 'tick'}
                  ref={at(share(Date.parse(run.createdAt)))}
                />
              ))}
              <i className="now" ref={at(share(Date.now()))} />
            </div>
          </Link>
        ))}
      </div>
    </section>
  )
}

/** Places an element by the CSSOM: the policy of the page forbids style attributes. */
function at(place: string): (element: HTMLElement | null) => void {
  return (element) => element?.style.setProperty('--a', place)
}

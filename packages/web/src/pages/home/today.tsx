import { Link } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import type { HomeRun } from '#src/pages/home/needs.tsx'

const dayMs = 86_400_000
const rowsMax = 6
const hours = [0, 3, 6, 9, 12, 15, 18, 21]

/** The day as a channel for each workflow: a tick for each run, and the line of now. */
export function Today({ runs }: { readonly runs: readonly HomeRun[] }) {
  const midnight = new Date().setHours(0, 0, 0, 0)
  const share = (time: number) => `${(Math.min(1, Math.max(0, (time - midnight) / dayMs)) * 100).toFixed(2)}%`
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

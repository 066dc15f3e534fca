import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usePolling } from '#src/app/live-changes.ts'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { readDay } from '#src/pages/home/day.ts'
import { First } from '#src/pages/home/first.tsx'
import { Needs } from '#src/pages/home/needs.tsx'
import { Unrun } from '#src/pages/home/unrun.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { dayBegin } from '#src/patterns/period.ts'
import { standsWords } from '#src/run/stands-words.ts'
import { ownZone } from '#src/session/own-zone.ts'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { StateIcon } from '#src/ui/icon.tsx'
import { stateWord } from '#src/ui/badge.tsx'
import { Time } from '#src/ui/time.tsx'
import { Today } from '#src/pages/home/today.tsx'

const shown = 6

export function Page() {
  const workflows = useQuery({ queryKey: ['home.workflows'], queryFn: () => api.workflows.list({ query: { limit: shown } }) })
  return <Loaded query={workflows}>{({ data }) => (data.length === 0 ? <First /> : <LivedIn workflows={data} />)}</Loaded>
}

type Workflow = Reply<(typeof groups)['workflows']['list']>['data'][number]

function LivedIn({ workflows }: { readonly workflows: readonly Workflow[] }) {
  const zone = ownZone()
  const begin = dayBegin(0, zone)
  const refetchInterval = usePolling(15_000)
  const day = useQuery({ queryKey: ['home.runs', begin], refetchInterval, queryFn: () => readDay(begin, zone) })
  const isQuiet = day.data?.latest.length === 0
  const before = useQuery({
    queryKey: ['home.runs', 'before'],
    enabled: isQuiet,
    queryFn: () => api.executions.search({ query: { limit: shown } }),
  })
  // Without the runs nothing could be said of what needs this person.
  if (day.data === undefined && day.isError)
    return (
      <Shell title={m.nav.home}>
        <ProblemPanel error={day.error} retry={() => void day.refetch()} />
      </Shell>
    )
  if (isQuiet && before.data?.data.length === 0) return <Unrun workflows={workflows} />
  return (
    <Needs day={isQuiet && before.isPending ? undefined : day.data}>
      {day.data !== undefined && <Today day={day.data} begin={Date.parse(begin)} />}
      <div className="cols3 two-cols">
        <section>
          <h2>{isQuiet ? m.home.before : m.home.recent}</h2>
          <ul className="mini-l">
            {(isQuiet ? before.data?.data : day.data?.latest)?.slice(0, shown).map((run) => (
              <li key={run.id}>
                <StateIcon state={run.state} label={stateWord(run.state)} />
                <Link to={`/runs/${run.id}`} className="trunc quiet-link">
                  {run.workflowName}
                </Link>
                <span className="sp" />
                <span className="i3">
                  {standsWords(run)}
                  {standsWords(run) !== '' && ' · '}
                  <Time at={run.createdAt} kind="ago" />
                </span>
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2>{m.home.workflows}</h2>
          <ul className="mini-l">
            {workflows.map((workflow) => (
              <li key={workflow.id}>
                <Link to={`/workflows/${workflow.id}`} className="trunc quiet-link">
                  {workflow.name}
                </Link>
                <span className="sp" />
                <span className="i3">
                  <Time at={workflow.updatedAt} kind="ago" />
                </span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Needs>
  )
}

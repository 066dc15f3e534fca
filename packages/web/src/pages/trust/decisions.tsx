import { privacyActions as actions, privacySources as sources } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { type Column, Rows } from '#src/patterns/list-page.tsx'
import { FilterBar } from '#src/patterns/filter-bar.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { Time } from '#src/ui/time.tsx'
import { Bars } from '#src/values/bars.tsx'
import { number } from '#src/values/format.ts'
import type { groups, Reply } from '@millrace/contract'

type Decision = Reply<(typeof groups)['privacy']['logs']>['data'][number]

const tones = { none: 'off', detected: 'line', redacted: 'race', blocked: 'bad', allowed: 'ok' } as const

/** Every decision about personal data, without the data, below the figures of 30 days. */
export function Decisions() {
  const p = m.privacy
  const navigate = useNavigate()
  const search: Readonly<Record<string, string>> = useSearch({ strict: false })
  const { view: _view, ...query } = search
  const logs = useQuery({ queryKey: ['privacy.logs', search], queryFn: () => api.privacy.logs({ query }) })
  return (
    <>
      <Figures />
      <FilterBar
        search={search}
        filters={[
          { name: 'source', label: p.source, options: sources.map((one) => [one, p.sources[one]] as const) },
          { name: 'action', label: p.action, options: actions.map((one) => [one, p.outcomes[one]] as const) },
        ]}
      />
      <Loaded query={logs}>
        {({ data, nextCursor }) => (
          <>
            {data.length === 0 && <Empty title={p.noDecisions} text={p.noDecisionsText} />}
            {data.length > 0 && <Rows rows={data} spec={{ title: p.decisions, id: ({ id }) => id, columns: columns() }} />}
            {nextCursor !== null && (
              <div className="row pagerow">
                <Button onClick={() => void navigate({ to: '.', search: { ...search, cursor: nextCursor } })}>{m.lists.older}</Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

/** The latest decisions about one workflow. */
export function WorkflowDecisions({ workflowId }: { readonly workflowId: string }) {
  const p = m.privacy
  const logs = useQuery({
    queryKey: ['privacy.logs', workflowId],
    queryFn: () => api.privacy.logs({ query: { workflowId, limit: 20 } }),
  })
  return (
    <Loaded query={logs}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="t13 i2">{p.noDecisions}</p>
        ) : (
          <Rows rows={data} spec={{ title: p.decisions, id: ({ id }) => id, columns: columns() }} />
        )
      }
    </Loaded>
  )
}

function Figures() {
  const p = m.privacy
  const stats = useQuery({ queryKey: ['privacy.stats'], queryFn: () => api.privacy.stats({ query: {} }) })
  return (
    <Loaded query={stats}>
      {({ decisions, findings, byKind, byAction }) => (
        <div className="cards3">
          <section className="panel acard">
            <h2 className="t14 bb">{p.thirtyDays}</h2>
            <Bars
              rows={[
                [p.decisions, decisions],
                [p.findings, findings],
              ]}
            />
          </section>
          <section className="panel acard">
            <h2 className="t14 bb">{p.kinds}</h2>
            <Bars rows={Object.entries(byKind).map(([kind, count]) => [p.kindOf(kind), count] as const)} />
          </section>
          <section className="panel acard">
            <h2 className="t14 bb">{p.action}</h2>
            <Bars rows={actions.flatMap((one) => (byAction[one] === undefined ? [] : [[p.outcomes[one], byAction[one]] as const]))} />
          </section>
        </div>
      )}
    </Loaded>
  )
}

function columns(): readonly Column<Decision>[] {
  const p = m.privacy
  return [
    { head: p.source, phone: 'main', cell: ({ source }) => <b className="b">{p.sources[source]}</b> },
    { head: p.action, phone: 'side', cell: ({ action }) => <Badge tone={tones[action]}>{p.outcomes[action]}</Badge> },
    {
      head: p.findings,
      phone: 'below',
      cell: ({ counts }) => (
        <span className="i2">
          {Object.entries(counts)
            .map(([kind, count]) => `${p.kindOf(kind)} ${number(count)}`)
            .join(', ')}
        </span>
      ),
    },
    { head: p.purpose, cell: ({ purpose, reason, target }) => <span className="i2">{purpose ?? reason ?? target ?? ''}</span> },
    { head: p.characters, end: true, cell: ({ characters }) => <span className="num i2">{number(characters)}</span> },
    {
      head: m.audit.at,
      end: true,
      phone: 'below-side',
      cell: ({ at }) => (
        <span className="i2">
          <Time at={at} />
        </span>
      ),
    },
  ]
}

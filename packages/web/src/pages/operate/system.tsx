import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Mail } from '#src/pages/operate/mail.tsx'
import { Parts } from '#src/pages/operate/parts.tsx'
import { Rows } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { Tiles } from '#src/patterns/tiles.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { Time } from '#src/ui/time.tsx'
import { bytes, duration, number } from '#src/values/format.ts'

type System = Reply<(typeof groups)['health']['system']>

const refreshMs = 10_000

/** The state of the installation, for the people who run it. */
export function Page() {
  const o = m.operate
  const query = useQuery({ queryKey: ['system'], refetchInterval: refreshMs, queryFn: () => api.health.system() })
  return (
    <Shell title={o.system} lede={o.systemLede} wide>
      <Loaded query={query}>{(system) => <State system={system} />}</Loaded>
    </Shell>
  )
}

function State({ system }: { readonly system: System }) {
  const o = m.operate
  const { status, missingRoles, version, startedAt, processes, models, providers } = system
  return (
    <>
      <section className={status === 'ok' ? 'verdict ok' : 'verdict bad'} role="status">
        <Icon name={status === 'ok' ? 'check' : 'warn'} />
        <div className="grow">
          <p className="b">{o.statuses[status]}</p>
          {missingRoles.length > 0 && <p className="t13">{o.missing(missingRoles.join(', '))}</p>}
        </div>
        <span className="t13 i2">
          {m.session.version(version)} {o.since} <Time at={startedAt} kind="ago" />
        </span>
      </section>
      <SystemFigures system={system} />
      <section className="band">
        <h2 className="t20">{o.processes}</h2>
        <Rows
          rows={processes}
          spec={{
            title: o.processes,
            id: ({ host, pid }) => `${host}.${pid}`,
            columns: [
              { head: o.host, phone: 'main', cell: ({ host }) => <bdi className="mono b">{host}</bdi> },
              { head: o.pid, cell: ({ pid }) => <span className="num i2">{pid}</span> },
              {
                head: o.roles,
                phone: 'below',
                cell: ({ roles }) => (
                  <span className="row">
                    {roles.map((role) => (
                      <Badge key={role} tone="line">
                        {role}
                      </Badge>
                    ))}
                  </span>
                ),
              },
              {
                head: o.started,
                end: true,
                cell: (process) => (
                  <span className="i2">
                    <Time at={process.startedAt} kind="ago" />
                  </span>
                ),
              },
              {
                head: o.heartbeat,
                end: true,
                phone: 'side',
                cell: ({ heartbeatAt }) => (
                  <span className="i2">
                    <Time at={heartbeatAt} kind="ago" />
                  </span>
                ),
              },
            ],
          }}
        />
      </section>
      <Parts title={o.models} parts={models} />
      <Parts title={o.providers} parts={providers} />
      <Mail system={system} />
    </>
  )
}

function SystemFigures({ system: { queue, executions, database, process, disk } }: { readonly system: System }) {
  const o = m.operate
  const oldest = queue.oldestWaitingSeconds
  const tiles = [
    [o.queue, number(queue.depth), oldest === null ? o.nothingWaits : o.oldest(duration(oldest * 1000))],
    [o.running, number(executions.running), o.waiting(number(executions.waiting), number(queue.deadLetters))],
    [o.database, database.latencyMs === null ? '–' : duration(database.latencyMs), o.pool(database.pool.total, database.pool.waiting)],
    [o.delay, duration(process.eventLoopDelayMs.p99), o.memory(bytes(process.memoryBytes.resident))],
    ...(disk === null ? [] : [[o.disk, bytes(disk.freeBytes), o.ofDisk(bytes(disk.totalBytes))] as const]),
  ] as const
  return <Tiles tiles={tiles} many />
}

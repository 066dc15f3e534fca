import { m } from '#src/messages/messages.ts'
import { Rows } from '#src/patterns/list-page.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { duration } from '#src/values/format.ts'

interface Part {
  readonly name: string
  readonly configured: boolean
  readonly reachable: boolean | null
  readonly latencyMs: number | null
  readonly detail: string | null
}

/** External parts: whether they are configured, and whether they respond. */
export function Parts({ title, parts }: { readonly title: string; readonly parts: readonly Part[] }) {
  const o = m.operate
  if (parts.length === 0) return null
  return (
    <section className="band">
      <h2 className="t20">{title}</h2>
      <Rows
        rows={parts}
        spec={{
          title,
          id: ({ name }) => name,
          columns: [
            { head: o.part, phone: 'main', cell: ({ name }) => <b className="b">{name}</b> },
            { head: o.state, phone: 'side', cell: (part) => <State part={part} /> },
            {
              head: o.latency,
              end: true,
              cell: ({ latencyMs }) => (latencyMs === null ? '' : <span className="num">{duration(latencyMs)}</span>),
            },
            { head: o.detail, phone: 'below', cell: ({ detail }) => <span className="i2 said">{detail ?? ''}</span> },
          ],
        }}
      />
    </section>
  )
}

function State({ part: { configured, reachable } }: { readonly part: Part }) {
  const o = m.operate
  if (!configured) return <Badge>{o.notConfigured}</Badge>
  return reachable === false ? <Badge tone="bad">{o.unreachable}</Badge> : <Badge tone="ok">{o.reachable}</Badge>
}

import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useMay } from '#src/session/use-may.ts'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Time } from '#src/ui/time.tsx'

/** Workflows that run one after the other. */
export function Page() {
  const c = m.chains
  const create = useMay('triggers:write') && (
    <ButtonLink to="/chains/new" look="primary" icon="plus">
      {c.create}
    </ButtonLink>
  )
  return (
    <ListPage
      title={c.title}
      lede={c.lede}
      name="chains"
      load={(query) => api.chains.list({ query })}
      id={({ id }) => id}
      href={({ id }) => `/chains/${id}`}
      actions={create}
      columns={[
        { head: m.workflows.name, phone: 'main', cell: ({ name }) => <bdi className="b">{name}</bdi> },
        {
          head: c.members,
          phone: 'below',
          cell: ({ members }) => <bdi className="mono i2">{members.map(({ name }) => name).join(' → ')}</bdi>,
        },
        { head: m.editor.description, cut: true, cell: ({ description }) => <span className="i2">{description}</span> },
        {
          head: m.workflows.changed,
          end: true,
          phone: 'below-side',
          cell: ({ updatedAt }) => (
            <span className="i2">
              <Time at={updatedAt} kind="ago" />
            </span>
          ),
        },
      ]}
      empty={{ title: c.emptyTitle, text: c.emptyText, action: create }}
    />
  )
}

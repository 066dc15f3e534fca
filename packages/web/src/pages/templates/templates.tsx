import { Link } from '@tanstack/react-router'
import type { groups, Reply } from '@millrace/contract'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { StartEmpty } from '#src/pages/home/start-empty.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useMayChange } from '#src/session/use-may-change.ts'
import { translated } from '#src/pages/templates/translated.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Icon } from '#src/ui/icon.tsx'

type Template = Reply<(typeof groups)['templates']['list']>['data'][number]

/** Workflows to start from, as a gallery. */
export function Page() {
  const t = m.templates
  const mayChange = useMayChange()
  return (
    <ListPage
      title={t.title}
      lede={t.lede}
      name="templates"
      load={(query) => api.templates.list({ query: { limit: 60, ...query } })}
      id={({ id }) => id}
      columns={[]}
      actions={mayChange && <StartEmpty />}
      filters={[
        { name: 'q', label: t.find },
        { name: 'category', label: t.category, options: Object.entries(m.categories) },
      ]}
      body={(rows) => (
        <ul className="gallery">
          {rows.map((template) => (
            <li key={template.id}>
              <Card template={template} />
            </li>
          ))}
        </ul>
      )}
      empty={{ title: t.emptyTitle, text: t.emptyText }}
    />
  )
}

function Card({ template }: { readonly template: Template }) {
  const { id, category, parameters, secrets } = template
  const { title, summary } = translated(template)
  const words: Readonly<Record<string, string>> = m.categories
  const asked = parameters.filter(({ required }) => required).length
  return (
    <Link to={`/templates/${id}`} className="panel tile row-link">
      <b className="bb">
        <bdi>{title}</bdi>
      </b>
      <span className="t13 i2">
        <bdi>{summary}</bdi>
      </span>
      <span className="row wrap t12 i3">
        <Badge tone="line">{words[category] ?? category}</Badge>
        <span className="sp" />
        {asked > 0 && (
          <span className="row" title={m.templates.asks(asked)}>
            <Icon name="var" label={m.templates.asks(asked)} />
            {asked}
          </span>
        )}
        {secrets.length > 0 && (
          <span className="row" title={m.templates.needsSecrets(secrets.length)}>
            <Icon name="key" label={m.templates.needsSecrets(secrets.length)} />
            {secrets.length}
          </span>
        )}
      </span>
    </Link>
  )
}

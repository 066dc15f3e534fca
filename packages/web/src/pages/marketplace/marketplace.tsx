import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { t } from '#src/pages/marketplace/texts.ts'
import { EntryTile } from '#src/pages/marketplace/entry-tile.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useMay } from '#src/session/use-may.ts'
import { ButtonLink } from '#src/ui/button-link.tsx'

const licences = ['Apache-2.0', 'MIT', 'MIT-0', 'BSD-3-Clause', 'MPL-2.0', 'CC0-1.0', 'CC-BY-4.0'] as const

/** What accounts of this installation have published. */
export function Page() {
  const k = t
  const publish = useMay('marketplace:write') && (
    <ButtonLink to="/marketplace/publish" look="primary" icon="plus">
      {k.publish}
    </ButtonLink>
  )
  return (
    <ListPage
      title={k.title}
      lede={k.lede}
      name="marketplace"
      load={({ q, sort, ...query }) =>
        q === undefined
          ? api.marketplace.list({ query: { limit: 60, ...query, sort: sort === 'new' ? 'new' : 'popular' } })
          : api.marketplace.search({ query: { limit: 60, q, ...query } })
      }
      id={({ id }) => id}
      columns={[]}
      actions={
        <>
          <ButtonLink to="/marketplace/imports" look="quiet">
            {k.imported}
          </ButtonLink>
          {publish}
        </>
      }
      filters={[
        { name: 'q', label: k.find },
        { name: 'category', label: m.templates.category, options: Object.entries(m.categories) },
        { name: 'licence', label: k.licence, options: licences.map((licence) => [licence, licence]) },
        { name: 'sort', label: k.order, options: [['new', k.newest]] },
      ]}
      body={(entries) => (
        <ul className="gallery">
          {entries.map((entry) => (
            <li key={entry.id}>
              <EntryTile entry={entry} />
            </li>
          ))}
        </ul>
      )}
      empty={{ title: k.emptyTitle, text: k.emptyText, action: publish }}
    />
  )
}

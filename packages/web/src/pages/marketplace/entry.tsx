import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { Crumbs } from '#src/app/crumbs.tsx'
import { ImportForm } from '#src/importing/import-form.tsx'
import { Permissions } from '#src/importing/permissions.tsx'
import { Preview } from '#src/importing/preview.tsx'
import { m } from '#src/messages/messages.ts'
import { t } from '#src/pages/marketplace/texts.ts'
import { EntryFacts } from '#src/pages/marketplace/entry-facts.tsx'
import { Opinion } from '#src/pages/marketplace/opinion.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'

/** One entry: its drawing, what it may do, where it comes from, and the form that makes a workflow of it. */
export function Page() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const entry = useQuery({ queryKey: ['marketplace', 'one', id], queryFn: () => api.marketplace.get({ params: { id } }) })
  return (
    <Loaded query={entry}>
      {(data) => (
        <div className="page wide">
          <Crumbs title={data.title}>
            <Link to="/marketplace">{t.title}</Link> <span className="i3">/</span> <b>{data.title}</b>
          </Crumbs>
          <header className="pagehead">
            <h1>
              <bdi>{data.title}</bdi>
            </h1>
            <p className="lede">
              <bdi>{data.summary}</bdi>
            </p>
          </header>
          <Preview
            definition={data.definition}
            definitionText={data.definitionText}
            readme={data.readme}
            aside={
              <>
                <section className="panel acard">
                  <h2 className="t16 bb">{m.importing.title}</h2>
                  <ImportForm
                    title={data.title}
                    parameters={data.parameters}
                    send={(body) => api.marketplace.import({ params: { id }, body })}
                  />
                </section>
                <section className="panel acard">
                  <h2 className="t16 bb">{m.permissions.title}</h2>
                  <Permissions permissions={data.permissions} />
                </section>
                <EntryFacts entry={data} />
                <Opinion id={id} />
              </>
            }
          />
        </div>
      )}
    </Loaded>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { Crumbs } from '#src/app/crumbs.tsx'
import { ImportForm } from '#src/importing/import-form.tsx'
import { Permissions } from '#src/importing/permissions.tsx'
import { Preview } from '#src/importing/preview.tsx'
import { m } from '#src/messages/messages.ts'
import { translated } from '#src/pages/templates/translated.ts'
import { Loaded } from '#src/patterns/loaded.tsx'

/** One template: its drawing, what it may do, and the form that makes a workflow of it. */
export function Page() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const template = useQuery({ queryKey: ['template', id], queryFn: () => api.templates.get({ params: { id } }) })
  return (
    <Loaded query={template}>
      {({ parameters, permissions, definition, definitionText, readme, ...named }) => {
        const { title, summary } = translated(named)
        return (
          <div className="page wide">
            <Crumbs title={title}>
              <Link to="/templates">{m.nav.templates}</Link> <span className="i3">/</span> <b>{title}</b>
            </Crumbs>
            <header className="pagehead">
              <h1>
                <bdi>{title}</bdi>
              </h1>
              <p className="lede">
                <bdi>{summary}</bdi>
              </p>
            </header>
            <Preview
              definition={definition}
              definitionText={definitionText}
              readme={readme}
              aside={
                <>
                  <section className="panel acard">
                    <h2 className="t16 bb">{m.importing.title}</h2>
                    <ImportForm title={title} parameters={parameters} send={(body) => api.templates.import({ params: { id }, body })} />
                  </section>
                  <section className="panel acard">
                    <h2 className="t16 bb">{m.permissions.title}</h2>
                    <Permissions permissions={permissions} />
                  </section>
                </>
              }
            />
          </div>
        )
      }}
    </Loaded>
  )
}

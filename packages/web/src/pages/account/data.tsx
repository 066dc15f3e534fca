import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Consents } from '#src/pages/account/consents.tsx'
import { ExportFile } from '#src/pages/account/export-file.tsx'
import { Rows } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useSession } from '#src/session/session.ts'
import { Button } from '#src/ui/button.tsx'
import { number } from '#src/values/format.ts'

/** What is kept about the account, its export, and what it consented to. */
export function Page() {
  const d = m.data
  const { open, sheet } = useSheet()
  const role = useSession(({ me }) => me?.role)
  const isAdmin = role === 'admin' || role === 'owner'
  return (
    <Shell
      title={d.title}
      lede={d.lede}
      wide
      actions={
        role === 'owner' ? (
          <Button look="primary" icon="download" onClick={() => open(d.export, () => <ExportFile />)}>
            {d.export}
          </Button>
        ) : undefined
      }
    >
      <Consents isAdmin={isAdmin} />
      {isAdmin && <Categories />}
      {sheet}
    </Shell>
  )
}

function Categories() {
  const d = m.data
  const query = useQuery({ queryKey: ['account.data'], queryFn: () => api.account.data() })
  return (
    <section className="band">
      <h2 className="t20">{d.kept}</h2>
      <Loaded query={query}>
        {({ categories }) => (
          <Rows
            rows={categories}
            spec={{
              title: d.kept,
              id: ({ category }) => category,
              columns: [
                { head: d.category, phone: 'main', cell: ({ category }) => <b className="b">{category}</b> },
                { head: d.what, phone: 'below', cell: ({ description }) => <span className="i2 said">{description}</span> },
                {
                  head: d.records,
                  end: true,
                  phone: 'side',
                  cell: ({ records, isLowerBound }) => <span className="num">{`${number(records)}${isLowerBound ? '+' : ''}`}</span>,
                },
                { head: d.retention, cell: ({ retention }) => <span className="i2 said">{retention}</span> },
                {
                  head: d.exported,
                  end: true,
                  cell: ({ exported }) => <span className="i2">{exported ? m.common.yes : m.common.no}</span>,
                },
              ],
            }}
          />
        )}
      </Loaded>
    </section>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { t } from '#src/pages/tables/texts.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { UsedBy } from '#src/patterns/used-by.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMayChange } from '#src/session/use-may-change.ts'
import { Button } from '#src/ui/button.tsx'
import { CellLabel } from '#src/ui/cell-label.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { Time } from '#src/ui/time.tsx'
import { bytes, number } from '#src/values/format.ts'

/** The tables that the platform keeps for the account. */
export function Page() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const mayChange = useMayChange()
  const { open, confirm, sheet } = useSheet()
  const changed = () => queries.invalidateQueries({ queryKey: ['tables'] })
  const create = () =>
    open(t.create, () => (
      <DataForm
        initial={{ name: '' }}
        fields={[{ name: 'name', label: t.name, hint: t.nameHint, required: true, autoFocus: true }]}
        send={async (body) => {
          const { name } = await api.tables.create({ body })
          await navigate({ to: `/tables/${name}` })
        }}
        label={t.create}
      />
    ))
  const button = mayChange && (
    <Button look="primary" icon="plus" onClick={create}>
      {t.create}
    </Button>
  )
  return (
    <>
      <ListPage
        title={t.title}
        lede={t.lede}
        name="tables"
        load={(query) => api.tables.list({ query })}
        id={({ name }) => name}
        href={({ name }) => `/tables/${name}`}
        actions={button}
        filters={[{ name: 'name', label: t.find }]}
        columns={[
          { head: t.name, phone: 'main', cell: ({ name }) => <bdi className="mono b">{name}</bdi> },
          {
            head: t.rows,
            end: true,
            phone: 'below',
            cell: ({ rows }) => (
              <span className="num">
                <CellLabel text={t.rows} />
                {number(rows)}
              </span>
            ),
          },
          { head: t.size, end: true, phone: 'below-next', cell: ({ size }) => <span className="num i2">{bytes(size)}</span> },
          {
            head: t.changed,
            end: true,
            phone: 'side',
            cell: ({ updatedAt }) => (
              <span className="i2">
                <Time at={updatedAt} kind="ago" />
              </span>
            ),
          },
          {
            head: m.common.actions,
            end: true,
            phone: 'end',
            cell: ({ name, rows }) => (
              <Menu
                label={`${m.common.actions}: ${name}`}
                items={
                  mayChange
                    ? [
                        {
                          label: m.common.remove,
                          icon: 'x',
                          danger: true,
                          act: () =>
                            confirm(
                              t.remove,
                              t.removeText(name, number(rows)),
                              () => api.tables.delete({ params: { table: name } }).then(changed),
                              <UsedBy kind="table" name={name} />,
                            ),
                        },
                      ]
                    : []
                }
              />
            ),
          },
        ]}
        empty={{ title: t.emptyTitle, text: t.emptyText, action: button }}
      />
      {sheet}
    </>
  )
}

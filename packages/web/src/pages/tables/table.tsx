import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { m } from '#src/messages/messages.ts'
import { t } from '#src/pages/tables/texts.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMayChange } from '#src/session/use-may-change.ts'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'
import { sortFilter, valueColumns } from './value-columns.tsx'
import { columnNames, type Row } from './columns.ts'
import { loadRows, removeRow } from './shown-rows.ts'

const RowForm = onDemand(() => import('./row-form.tsx').then((module) => module.RowForm))
const RowView = onDemand(() => import('./row-view.tsx').then((module) => module.RowView))
const ImportRows = onDemand(() => import('./import-rows.tsx').then((module) => module.ImportRows))

/** The rows of one table. */
export function Page() {
  const { name: table = '' }: { name?: string } = useParams({ strict: false })
  return <Rows key={table} table={table} />
}

function Rows({ table }: { readonly table: string }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()
  const { open, confirm, sheet } = useSheet()
  const [names, setNames] = useState<readonly string[]>([])
  const name = `rows of ${table}`
  const changed = () => Promise.all([name, 'tables'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
  const edit = (row?: Row) =>
    open(row?.key ?? t.add, (close) => <RowForm table={table} rowKey={row?.key} names={names} done={() => changed().then(close)} />)
  const show = (row: Row) => open(row.key, () => <RowView row={row} edit={mayChange ? () => edit(row) : undefined} />)
  const bringIn = () => open(t.importFile, (close) => <ImportRows table={table} done={() => changed().then(close)} />)
  const { text, column, byTest, sort }: { text?: string; column?: string; byTest?: string; sort?: string } = useSearch({ strict: false })
  const save = () => {
    void import('./save-rows.ts')
      .then(({ saveRows }) => saveRows(table, { text, column, byTest }))
      .catch((error: unknown) => toast(wordsOf(error).detail, 'faulted'))
  }
  const add = mayChange && (
    <Button look="primary" icon="plus" onClick={() => edit()}>
      {t.add}
    </Button>
  )
  return (
    <>
      <ListPage
        title={table}
        lede={
          <>
            <Link to="/tables">{t.back}</Link> · {t.rowsLede}
          </>
        }
        name={name}
        load={(query) => loadRows(table, query)}
        onRows={(rows) => setNames((before) => inPlace(before, columnNames(rows)))}
        id={({ key }) => key}
        onOpen={show}
        actions={
          <>
            <Button icon="download" onClick={save}>
              {t.exportFile}
            </Button>
            {mayChange && <Button onClick={bringIn}>{t.importFile}</Button>}
            {add}
          </>
        }
        filters={[
          { name: 'text', label: t.findRow },
          { name: 'column', label: t.findColumn },
          { name: 'byTest', label: t.rows, unchosen: t.allRows, options: t.ofTests },
          sortFilter(names, sort),
        ]}
        columns={[
          ...valueColumns(names, sort),
          {
            head: m.common.actions,
            end: true,
            phone: 'end',
            cell: (row) => (
              <Menu
                label={`${m.common.actions}: ${row.key}`}
                items={
                  mayChange
                    ? [
                        { label: m.common.edit, icon: 'edit', act: () => edit(row) },
                        {
                          label: m.common.remove,
                          icon: 'x',
                          danger: true,
                          act: () => confirm(t.removeRow, t.removeRowText(row.key), () => removeRow(table, row.key).then(changed)),
                        },
                      ]
                    : []
                }
              />
            ),
          },
        ]}
        empty={{ title: t.noRowsTitle, text: t.noRowsText, action: add }}
      />
      {sheet}
    </>
  )
}

/** The columns of a page, in the places where they were: a page in another order meets them in another order. */
function inPlace(before: readonly string[], found: readonly string[]): readonly string[] {
  return [...before.filter((name) => found.includes(name)), ...found.filter((name) => !before.includes(name))]
}

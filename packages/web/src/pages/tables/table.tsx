import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { t } from '#src/pages/tables/texts.ts'
import { type Column, ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMayChange } from '#src/session/use-may-change.ts'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'
import { columnNames, type Row, textOf } from './columns.ts'

const RowForm = onDemand(() => import('./row-form.tsx').then((module) => module.RowForm))
const ImportRows = onDemand(() => import('./import-rows.tsx').then((module) => module.ImportRows))

const columnsShown = 5

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
  const bringIn = () => open(t.importFile, (close) => <ImportRows table={table} done={() => changed().then(close)} />)
  const { text, column }: { text?: string; column?: string } = useSearch({ strict: false })
  const save = () => {
    void import('./save-rows.ts')
      .then(({ saveRows }) => saveRows(table, { text, column: isColumnValue(column) ? column : undefined }))
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
        load={async ({ column: typed, ...query }) => {
          const page = await api.tables.rows({ params: { table }, query: isColumnValue(typed) ? { ...query, column: typed } : query })
          setNames(columnNames(page.data))
          return page
        }}
        id={({ key }) => key}
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
        ]}
        columns={[
          { head: t.key, phone: 'main', cell: ({ key }) => <bdi className="mono b wrap-any">{key}</bdi> },
          ...names.slice(0, columnsShown).map(valueColumn),
          ...(names.length > columnsShown ? [restColumn(names.slice(columnsShown))] : []),
          {
            head: t.changed,
            end: true,
            cell: ({ updatedAt }) => (
              <span className="i2">
                <Time at={updatedAt} kind="ago" />
              </span>
            ),
          },
          {
            head: m.common.actions,
            end: true,
            phone: 'below-side',
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
                          act: () =>
                            confirm(t.removeRow, t.removeRowText(row.key), () =>
                              api.tables.deleteRow({ params: { table, key: row.key } }).then(changed),
                            ),
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

/** Whether a text names a column and a value; while a person types the name, it does not. */
function isColumnValue(text: string | undefined): text is string {
  return text !== undefined && /^[^:]+:./.test(text)
}

function valueColumn(name: string, index: number): Column<Row> {
  return {
    head: name,
    ...(index === 0 ? { phone: 'below' as const } : index === 1 ? { phone: 'side' as const } : {}),
    cell: ({ columns }) => <Cell value={columns[name]} />,
  }
}

/** Columns beyond those that have room. */
function restColumn(names: readonly string[]): Column<Row> {
  return {
    head: t.more(names.length),
    cell: ({ columns }) => <span className="i3">{names.filter((name) => columns[name] !== undefined).join(', ')}</span>,
  }
}

function Cell({ value }: { readonly value: Row['columns'][string] | undefined }) {
  const text = textOf(value)
  return (
    <bdi className={typeof value === 'string' ? 'table-value trunc' : 'table-value trunc mono i2'} title={text}>
      {text}
    </bdi>
  )
}

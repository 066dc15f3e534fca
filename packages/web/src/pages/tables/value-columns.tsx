import { t } from '#src/pages/tables/texts.ts'
import type { Filter } from '#src/patterns/filter-bar.tsx'
import type { Column } from '#src/patterns/list-page.tsx'
import { type Row, textOf, valueIn } from './columns.ts'
import { CellLabel } from '#src/ui/cell-label.tsx'
import { SortHead } from './sort-head.tsx'
import { orderOf, sortIn, sortOptions, sortText } from './sort.ts'
import { OfTest, Written } from './writer.tsx'

const columnsShown = 5

/** The key and the columns of rows, which sort them, and when rows were written. */
export function valueColumns(names: readonly string[], sort: string | undefined): readonly Column<Row>[] {
  const shown = shownNames(names, sort)
  const rest = names.filter((name) => !shown.includes(name))
  const onPhone = phoneNames(shown, sort)
  const keyOrder = sort === undefined ? 'ascending' : 'none'
  return [
    {
      head: t.key,
      phone: 'main',
      sort: { control: <SortHead text={t.key} order={keyOrder} next={undefined} />, order: keyOrder },
      cell: ({ key, byTest }) => (
        <>
          <bdi className="mono b wrap-any">{key}</bdi> {byTest && <OfTest />}
        </>
      ),
    },
    ...shown.map((name) => valueColumn(name, onPhone.indexOf(name), sort)),
    ...(rest.length > 0 ? [restColumn(rest)] : []),
    { head: t.changed, end: true, phone: 'side', cell: (row) => <Written row={row} /> },
  ]
}

/** The order of the rows as a choice, for phones, which show no heads. */
export function sortFilter(names: readonly string[], sort: string | undefined): Filter {
  return { name: 'sort', label: t.sort, options: sortOptions(shownNames(names, sort)), unchosen: t.byKey, isPhoneOnly: true }
}

/** The columns that have room, and among them the one that sorts, which rows of a later page may not have. */
function shownNames(names: readonly string[], sort: string | undefined): readonly string[] {
  const first = names.slice(0, columnsShown)
  const sorting = sort === undefined ? undefined : sortIn(sort).column
  if (sorting === undefined || first.includes(sorting)) return first
  return [...first.slice(0, columnsShown - 1), sorting]
}

/** The columns that a row shows on a phone, the one that sorts first. */
function phoneNames(shown: readonly string[], sort: string | undefined): readonly string[] {
  const sorting = sort === undefined ? undefined : sortIn(sort).column
  return shown.filter((name) => name === sorting).concat(shown.filter((name) => name !== sorting))
}

const phonePlaces = ['below', 'below-next'] as const

function valueColumn(name: string, index: number, sort: string | undefined): Column<Row> {
  const order = orderOf(name, sort)
  const phone = phonePlaces[index]
  return {
    head: name,
    sort: { control: <SortHead text={name} order={order} next={sortText(name, order === 'ascending')} />, order },
    cut: true,
    ...(phone !== undefined && { phone }),
    cell: ({ columns }) => (
      <>
        <CellLabel text={name} />
        <Cell value={valueIn(columns, name)} />
      </>
    ),
  }
}

/** Columns beyond those that have room. */
function restColumn(names: readonly string[]): Column<Row> {
  return {
    head: t.more(names.length),
    cut: true,
    cell: ({ columns }) => <span className="i3">{names.filter((name) => valueIn(columns, name) !== undefined).join(', ')}</span>,
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

import { t } from '#src/pages/tables/texts.ts'
import type { Filter } from '#src/patterns/filter-bar.tsx'
import type { Column } from '#src/patterns/list-page.tsx'
import { type Row, textOf, valueIn } from './columns.ts'
import { SortHead } from './sort-head.tsx'
import { orderOf, sortIn, sortOptions, sortText } from './sort.ts'

const columnsShown = 5

/** The key and the columns of rows, which sort them. */
export function valueColumns(names: readonly string[], sort: string | undefined): readonly Column<Row>[] {
  const shown = shownNames(names, sort)
  const rest = names.filter((name) => !shown.includes(name))
  const keyOrder = sort === undefined ? 'ascending' : 'none'
  return [
    {
      head: t.key,
      phone: 'main',
      sort: { control: <SortHead text={t.key} order={keyOrder} next={undefined} />, order: keyOrder },
      cell: ({ key }) => <bdi className="mono b wrap-any">{key}</bdi>,
    },
    ...shown.map((name, index) => valueColumn(name, index, sort)),
    ...(rest.length > 0 ? [restColumn(rest)] : []),
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

function valueColumn(name: string, index: number, sort: string | undefined): Column<Row> {
  const order = orderOf(name, sort)
  return {
    head: name,
    sort: { control: <SortHead text={name} order={order} next={sortText(name, order === 'ascending')} />, order },
    ...(index === 0 ? { phone: 'below' as const } : index === 1 ? { phone: 'side' as const } : {}),
    cell: ({ columns }) => <Cell value={valueIn(columns, name)} />,
  }
}

/** Columns beyond those that have room. */
function restColumn(names: readonly string[]): Column<Row> {
  return {
    head: t.more(names.length),
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

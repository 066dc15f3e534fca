import type { groups, Reply } from '@millrace/contract'

export type Row = Reply<(typeof groups)['tables']['rows']>['data'][number]
export type Value = Row['columns'][string]

/** The names of the columns of some rows, in the order in which they are met. */
export function columnNames(rows: readonly Pick<Row, 'columns'>[]): readonly string[] {
  return [...new Set(rows.flatMap(({ columns }) => Object.keys(columns)))]
}

/** The value of a column; undefined where the row does not have it. */
export function valueIn(columns: Row['columns'] | undefined, name: string): Value | undefined {
  return columns !== undefined && Object.hasOwn(columns, name) ? columns[name] : undefined
}

/** A value as a person reads it: texts as they are, all others as JSON. */
export function textOf(value: Value | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The sign before the decimals of a number; the other one may stand between thousands. */
export type Decimal = '.' | ','

/** The number that a text stands for. A text such as 007 or 12345678901234567, whose digits a number would change, stands for none. */
export function numberIn(text: string, decimal: Decimal): number | undefined {
  const [between, sign] = decimal === '.' ? [',', String.raw`\.`] : [String.raw`\.`, ',']
  const form = new RegExp(`^-?(?:0|[1-9]\\d{0,2}(?:${between}\\d{3})+|[1-9]\\d*)(?:${sign}\\d+)?$`)
  if (!form.test(text)) return undefined
  const plain = decimal === '.' ? text.replaceAll(',', '') : text.replaceAll('.', '').replace(',', '.')
  return plain.replaceAll(/\D/g, '').length > 15 ? undefined : Number(plain)
}

export type Kind = 'number' | 'boolean' | 'text'

/** What all filled cells of a column are. */
export function kindOf(cells: readonly string[], decimal: Decimal): Kind {
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length === 0) return 'text'
  if (filled.every((cell) => numberIn(cell, decimal) !== undefined)) return 'number'
  return filled.every((cell) => cell === 'true' || cell === 'false') ? 'boolean' : 'text'
}

/** What people write in a cell without a value. */
const placeholder = /^(?:#?n\/a|na|null|[-–—])$/i

/** A cell that keeps a column from having numbers, with the others that do. */
export interface OddCells {
  readonly first: string
  /** Of the first one, among the cells of the column. */
  readonly index: number
  readonly count: number
}

/** What is known of the cells of a column. */
export interface ColumnCells {
  readonly kind: Kind
  /** Cells such as `n/a`. */
  readonly placeholders: ReadonlySet<string>
  readonly placeholderCount: number
  /** What the column has if these are empty; undefined where that makes no other kind of it. */
  readonly withoutPlaceholders: Kind | undefined
  /** Of a column of texts that are nearly all numbers. */
  readonly odd: OddCells | undefined
}

export function cellsOf(cells: readonly string[], decimal: Decimal): ColumnCells {
  const kind = kindOf(cells, decimal)
  const open = kind === 'text' ? cells.filter((cell) => placeholder.test(cell)) : []
  const placeholders = new Set(open)
  const others =
    open.length === 0
      ? kind
      : kindOf(
          cells.filter((cell) => !placeholders.has(cell)),
          decimal,
        )
  return {
    kind,
    placeholders,
    placeholderCount: open.length,
    withoutPlaceholders: others === kind ? undefined : others,
    odd: others === 'text' ? oddOf(cells, placeholders, decimal) : undefined,
  }
}

/** At most one cell in five: otherwise it is a column of texts, some of which are numbers. */
function oddOf(cells: readonly string[], placeholders: ReadonlySet<string>, decimal: Decimal): OddCells | undefined {
  const filled = cells.filter((cell) => cell !== '' && !placeholders.has(cell))
  const odd = filled.filter((cell) => numberIn(cell, decimal) === undefined)
  const [first] = odd
  return first === undefined || odd.length * 5 > filled.length ? undefined : { first, index: cells.indexOf(first), count: odd.length }
}

/** The value of a cell of such a column; undefined for an empty one. */
export function cellValue(cell: string, kind: Kind, decimal: Decimal): Value | undefined {
  if (cell === '') return undefined
  if (kind === 'number') return numberIn(cell, decimal)
  return kind === 'boolean' ? cell === 'true' : cell
}

/** The decimal sign of a file: a comma if cells are numbers only with it. */
export function decimalOf(cells: readonly string[]): Decimal {
  const only = (decimal: Decimal, other: Decimal) =>
    cells.filter((cell) => numberIn(cell, decimal) !== undefined && numberIn(cell, other) === undefined).length
  return only(',', '.') > only('.', ',') ? ',' : '.'
}

import { rowBytesMax, rowKeyMax, rowKeyProblem } from '@millrace/contract'
import { type ColumnCells, cellsOf, cellValue, type Decimal, decimalOf, type Kind, type Value } from './columns.ts'
import { type BrokenLine, csvLines, type Line } from './csv-lines.ts'

/** What of a file is read as what. */
export interface Reading {
  readonly keyColumn: string
  readonly decimal: Decimal
  /** Whether cells such as `n/a` and `-` are empty in a column whose other cells are all numbers, or all true or false. */
  readonly placeholders: 'empty' | 'text'
}

export interface CsvRows {
  readonly columns: readonly string[]
  readonly lines: readonly Line[]
  readonly numbers: readonly number[]
  readonly broken: readonly BrokenLine[]
  /** The sign that its numbers seem to have. */
  readonly decimal: Decimal
}

export function csvRows(text: string): CsvRows {
  const read = csvLines(text)
  return { ...read, decimal: decimalOf(read.lines.flatMap((line) => Object.values(line))) }
}

/** What each column but the one of the keys has. */
export function columnsOf(
  { columns, lines }: CsvRows,
  { keyColumn, decimal }: Omit<Reading, 'placeholders'>,
): ReadonlyMap<string, ColumnCells> {
  const others = columns.filter((name) => name !== keyColumn)
  return new Map(
    others.map((name) => [
      name,
      cellsOf(
        lines.map((line) => line[name] ?? ''),
        decimal,
      ),
    ]),
  )
}

/** What the cells of a column are read as. */
export function kindIn({ kind, withoutPlaceholders }: ColumnCells, placeholders: Reading['placeholders']): Kind {
  return placeholders === 'empty' ? (withoutPlaceholders ?? kind) : kind
}

/** A key of several lines of a file, of which the last one counts. */
export interface RepeatedKey {
  readonly key: string
  /** In the file, from 1 on. */
  readonly lines: readonly number[]
}

export function repeatedKeys({ lines, numbers }: CsvRows, keyColumn: string): readonly RepeatedKey[] {
  const byKey = Map.groupBy(lines.keys(), (index) => (lines[index]?.[keyColumn] ?? '').normalize('NFC'))
  return [...byKey].flatMap(([key, indexes]) =>
    key === '' || indexes.length === 1 ? [] : [{ key, lines: indexes.map((index) => numbers[index] ?? 0) }],
  )
}

/** Why a line cannot be imported. */
export interface LineFault {
  readonly at: number
  readonly fault: BrokenLine['fault'] | 'noKey' | 'longKey' | 'badKey' | 'size' | 'nul'
}

export interface ImportedRow {
  readonly key: string
  readonly columns: Readonly<Record<string, Value>>
}

/** The lines as rows, and all lines that cannot be one. Empty cells are no columns. */
export function rowsOf(file: CsvRows, reading: Reading): { readonly rows: readonly ImportedRow[]; readonly faults: readonly LineFault[] } {
  const { keyColumn, decimal, placeholders } = reading
  const columns = [...columnsOf(file, reading)].map(([name, cells]) => [name, kindIn(cells, placeholders), cells] as const)
  const faults = new Map<number, LineFault>(file.broken.map((each) => [each.at, each]))
  const rows = file.lines.map((line, index) => {
    const row = {
      key: line[keyColumn] ?? '',
      columns: Object.fromEntries(
        columns.flatMap(([name, kind, { placeholders: open }]): [string, Value][] => {
          const cell = line[name] ?? ''
          const isEmpty = kind !== 'text' && open.has(cell)
          const value = isEmpty ? undefined : cellValue(cell, kind, decimal)
          return value === undefined ? [] : [[name, value]]
        }),
      ),
    }
    const at = file.numbers[index] ?? 0
    const fault = faultOf(row)
    if (fault !== undefined && !faults.has(at)) faults.set(at, { at, fault })
    return row
  })
  return { rows, faults: [...faults.values()].toSorted((a, b) => a.at - b.at) }
}

function faultOf({ key, columns }: ImportedRow): LineFault['fault'] | undefined {
  if (key === '') return 'noKey'
  if (key.length > rowKeyMax) return 'longKey'
  if (rowKeyProblem(key) !== undefined) return 'badKey'
  const text = JSON.stringify(columns)
  if (text.includes(String.raw`\u0000`)) return 'nul'
  return new TextEncoder().encode(text).length > rowBytesMax ? 'size' : undefined
}

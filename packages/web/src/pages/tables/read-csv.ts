import { InputError } from '#src/api/json.ts'
import { t } from '#src/pages/tables/texts.ts'
import { number } from '#src/values/format.ts'
import { cellValue, type Decimal, decimalOf, type Kind, kindOf, type Value } from './columns.ts'
import { csvLines, type Line } from './csv-lines.ts'

export interface CsvFile {
  readonly name: string
  readonly columns: readonly string[]
  readonly lines: readonly Line[]
  /** The sign that its numbers seem to have. */
  readonly decimal: Decimal
}

/** Reads a file in UTF-8 or, as spreadsheets for Windows save it, in Windows-1252. Commas, semicolons and tabs separate. Throws an `InputError`. */
export async function readCsv(file: File): Promise<CsvFile> {
  const { columns, lines, errors } = csvLines(textIn(await file.arrayBuffer()))
  // A line with fewer cells than the first one leaves columns out; one with more has a separator too many.
  const broken = errors.find(({ type, code }) => type === 'Quotes' || code === 'TooManyFields')
  if (broken !== undefined) {
    const line = number((broken.row ?? 0) + 2)
    throw new InputError(broken.type === 'Quotes' ? t.brokenQuote(line) : t.tooManyCells(line))
  }
  if (lines.length === 0 || columns.length === 0) throw new InputError(t.noRowsInFile)
  return { name: file.name, columns, lines, decimal: decimalOf(lines.flatMap((line) => Object.values(line))) }
}

function textIn(content: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}

/** What each column but the one of the keys has. */
export function kindsOf({ columns, lines }: CsvFile, keyColumn: string, decimal: Decimal): ReadonlyMap<string, Kind> {
  const others = columns.filter((name) => name !== keyColumn)
  return new Map(
    others.map((name) => [
      name,
      kindOf(
        lines.map((line) => line[name] ?? ''),
        decimal,
      ),
    ]),
  )
}

/** How many lines have the key of a later one. */
export function repeatedKeys({ lines }: CsvFile, keyColumn: string): number {
  return lines.length - new Set(lines.map((line) => line[keyColumn])).size
}

export interface ImportedRow {
  readonly key: string
  readonly columns: Readonly<Record<string, Value>>
}

/** The lines as rows; empty cells are no columns. Throws an `InputError` for a line without a key. */
export function rowsOf(file: CsvFile, keyColumn: string, decimal: Decimal): readonly ImportedRow[] {
  const kinds = [...kindsOf(file, keyColumn, decimal)]
  return file.lines.map((line, index) => {
    const key = line[keyColumn] ?? ''
    if (key === '') throw new InputError(t.emptyKey(number(index + 2)))
    const columns = kinds.flatMap(([name, kind]): [string, Value][] => {
      const value = cellValue(line[name] ?? '', kind, decimal)
      return value === undefined ? [] : [[name, value]]
    })
    return { key, columns: Object.fromEntries(columns) }
  })
}

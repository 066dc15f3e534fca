import Papa from 'papaparse'

/** The cells of a line by the names of their columns, without a prototype: a column may be named `__proto__` or `constructor`. */
export type Line = Readonly<Record<string, string>>

export interface CsvLines {
  readonly columns: readonly string[]
  readonly lines: readonly Line[]
  readonly errors: readonly Papa.ParseError[]
}

/** Keeps the parser from taking a name for a member that every object has. */
const mark = ':'

/** Reads CSV whose first line has the names of the columns. */
export function csvLines(text: string): CsvLines {
  const { data, meta, errors } = Papa.parse<Line>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (cell) => mark + cell.trim(),
    transform: (cell) => cell.trim(),
  })
  const columns = (meta.fields ?? []).map(nameIn)
  return { columns: columns.filter((name) => name !== ''), lines: data.map(lineOf), errors }
}

const nameIn = (field: string) => field.slice(mark.length)

function lineOf(cells: Line): Line {
  const line: Record<string, string> = Object.create(null)
  for (const [field, cell] of Object.entries(cells)) if (field.startsWith(mark)) line[nameIn(field)] = cell
  return line
}

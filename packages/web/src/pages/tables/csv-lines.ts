import Papa from 'papaparse'

/** The cells of a line by the names of their columns, without a prototype: a column may be named `__proto__` or `constructor`. */
export type Line = Readonly<Record<string, string>>

/** A line of a file that cannot be imported: a quotation mark is not closed or stands inside of a cell, or there are more cells than columns. */
export interface BrokenLine {
  /** In the file, from 1 on. */
  readonly at: number
  readonly fault: 'quote' | 'cells'
}

export interface CsvLines {
  readonly columns: readonly string[]
  /** Without the broken ones. */
  readonly lines: readonly Line[]
  /** Where each of the lines begins in the file, from 1 on: an earlier one may be empty, or have a cell of several lines. */
  readonly numbers: readonly number[]
  readonly broken: readonly BrokenLine[]
}

/** Reads CSV whose first line has the names of the columns. */
export function csvLines(text: string): CsvLines {
  const { data, errors } = Papa.parse<readonly string[]>(text.replaceAll(/\r\n?/g, '\n'), { newline: '\n' })
  const misquoted = new Set(errors.flatMap(({ type, row }) => (type === 'Quotes' && row !== undefined ? [row] : [])))
  let at = 1
  let columns: readonly string[] | undefined
  const lines: Line[] = []
  const numbers: number[] = []
  const broken: BrokenLine[] = []
  for (const [index, cells] of data.entries()) {
    const begin = at
    at += 1 + cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
    const isWrong = misquoted.has(index)
    if (isWrong) broken.push({ at: begin, fault: 'quote' })
    if (cells.every((cell) => cell.trim() === '')) continue
    if (columns === undefined) {
      columns = uniqueNames(cells)
      continue
    }
    if (!isWrong && cells.length > columns.length) broken.push({ at: begin, fault: 'cells' })
    // What it has in which column is not known.
    if (isWrong || cells.length > columns.length) continue
    lines.push(lineOf(columns, cells))
    numbers.push(begin)
  }
  return { columns: (columns ?? []).filter((name) => name !== ''), lines, numbers, broken }
}

/** The second column of a name gets a number, as it would otherwise replace the first. */
function uniqueNames(cells: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return cells.map((cell) => {
    const name = cell.trim()
    let unique = name
    for (let count = 1; unique !== '' && taken.has(unique); count++) unique = `${name}_${count}`
    taken.add(unique)
    return unique
  })
}

function lineOf(columns: readonly string[], cells: readonly string[]): Line {
  const line: Record<string, string> = Object.create(null)
  for (const [index, name] of columns.entries()) {
    const cell = cells[index]
    if (name !== '' && cell !== undefined) line[name] = cell.trim()
  }
  return line
}

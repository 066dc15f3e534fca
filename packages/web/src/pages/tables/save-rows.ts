import Papa from 'papaparse'
import { saveFile } from '#src/values/save-file.ts'
import { columnNames, type Row, textOf, valueIn } from './columns.ts'
import { loadRows, type ShownRows } from './shown-rows.ts'

/** What a spreadsheet would read as a formula; negative numbers are not. */
const formula = /^[=@\t\r]|^[+-](?!\d+(?:\.\d+)?$)/

/** Saves the rows of a table that a person looks at as CSV with a mark of UTF-8, which spreadsheets look for; cells that a spreadsheet would read as a formula begin with an apostrophe. */
export async function saveRows(table: string, shown: ShownRows): Promise<void> {
  const rows: Row[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await loadRows(table, { ...shown, limit: 1_000, ...(cursor === undefined ? {} : { cursor }) })
    rows.push(...page.data)
    cursor = page.nextCursor ?? undefined
  }
  const names = columnNames(rows)
  const lines = rows.map(({ key, columns }) => [key, ...names.map((name) => textOf(valueIn(columns, name)))])
  saveFile(`${table}.csv`, `\ufeff${Papa.unparse([['key', ...names], ...lines], { escapeFormulae: formula, newline: '\n' })}`, 'text/csv')
}

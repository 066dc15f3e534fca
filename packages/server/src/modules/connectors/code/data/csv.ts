import { type Json, type JsonObject, itemsOf, textOf } from '@millrace/engine'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { DataError } from './data-error.ts'
import { columnsMax, rowsMax } from './limits.ts'
import { asLists, withHeader } from './rows.ts'

const recordSizeMax = 1024 * 1024

/** `csv.parse`: RFC 4180, with the delimiter of choice. */
export function parseCsv({ text, delimiter, header = true }: JsonObject): Json {
  const records: string[][] = parse(textOf(text) ?? '', {
    bom: true,
    delimiter: textOf(delimiter) ?? ',',
    max_record_size: recordSizeMax,
    skip_empty_lines: true,
    // One more than is allowed, to notice it.
    to: rowsMax + 2,
  })
  if (records.length > rowsMax + 1) throw new DataError(`The text has more than ${rowsMax} rows.`)
  if ((records[0]?.length ?? 0) > columnsMax) throw new DataError(`The text has more than ${columnsMax} columns.`)
  return { rows: header === true ? withHeader(records) : records }
}

/** `csv.write`: objects get a header; objects and lists inside of cells are JSON. */
export function writeCsv({ rows, columns, delimiter, escapeFormulas = false }: JsonObject): Json {
  const lists = asLists(itemsOf(rows), columns)
  const cells = lists.map((list) => list.map((cell) => (typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : cell)))
  const options = { delimiter: textOf(delimiter) ?? ',', escape_formulas: escapeFormulas === true, record_delimiter: 'windows' as const }
  return { text: stringify(cells, { ...options, cast: { boolean: String } }) }
}

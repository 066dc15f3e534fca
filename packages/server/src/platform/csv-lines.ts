import { stringify } from 'csv-stringify/sync'

/** Lines of CSV (RFC 4180). A cell that a spreadsheet would read as a formula begins with an apostrophe. */
export function csvLines(lines: readonly (readonly string[])[]): string {
  return stringify(
    lines.map((cells) => [...cells]),
    { escape_formulas: true, record_delimiter: 'windows' },
  )
}

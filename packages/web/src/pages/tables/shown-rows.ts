import { rangeIn } from '@millrace/contract'
import { api } from '#src/api/client.ts'

/** Which rows of a table a person looks at, as the fields of the page have it. */
export interface ShownRows {
  readonly text?: string | undefined
  /** A column and its value, such as `status:open`, or its range, such as `total:100..500`; other texts are looked for in all columns. */
  readonly column?: string | undefined
  /** `true`: rows that a test wrote last. `false`: all others. */
  readonly byTest?: string | undefined
}

interface Page {
  readonly limit?: number
  readonly cursor?: string
  readonly sort?: string
}

/** A page of the rows that are shown. */
export function loadRows(table: string, { text, column, byTest, ...page }: ShownRows & Page) {
  return api.tables.rows({
    params: { table },
    query: { ...page, ...(byTest === undefined ? {} : { byTest }), ...filtersOf({ text, column }) },
  })
}

export function removeRow(table: string, key: string) {
  return api.tables.deleteRow({ params: { table, key } })
}

/** What rows are found by. A text without the name of a column is looked for in all of them. */
export function filtersOf({ text, column = '' }: Omit<ShownRows, 'byTest'>) {
  const words = text === undefined ? {} : { text }
  if (rangeIn(column) !== undefined) return { ...words, range: column }
  if (/^[^:]+:./.test(column)) return { ...words, column }
  const searched = text ?? column.replace(/:$/, '').trim()
  return searched === '' ? {} : { text: searched }
}

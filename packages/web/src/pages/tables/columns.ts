import type { groups, Reply } from '@millrace/contract'

export type Row = Reply<(typeof groups)['tables']['rows']>['data'][number]
export type Value = Row['columns'][string]

/** The names of the columns of some rows, in the order in which they are met. */
export function columnNames(rows: readonly Pick<Row, 'columns'>[]): readonly string[] {
  return [...new Set(rows.flatMap(({ columns }) => Object.keys(columns)))]
}

/** A value as a person reads it: texts as they are, all others as JSON. */
export function textOf(value: Value | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const number = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/

/** The value that a text of a spreadsheet stands for. Numbers that would not be written alike, such as 007, stay texts. */
export function valueOf(text: string): Value {
  if (text === 'true') return true
  if (text === 'false') return false
  return number.test(text) && String(Number(text)) === text ? Number(text) : text
}

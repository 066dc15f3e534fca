import { InputError } from '#src/api/json.ts'
import { t } from '#src/pages/tables/texts.ts'
import { type CsvRows, csvRows } from './csv-rows.ts'
import { textIn } from './text-in.ts'

export interface CsvFile extends CsvRows {
  readonly name: string
}

/** Reads a text file; commas, semicolons and tabs separate. Throws an `InputError`. */
export async function readCsv(file: File): Promise<CsvFile> {
  const text = textIn(await file.arrayBuffer())
  if (text === undefined) throw new InputError(t.noText)
  const read = csvRows(text)
  if ((read.lines.length === 0 && read.broken.length === 0) || read.columns.length === 0) throw new InputError(t.noRowsInFile)
  return { name: file.name, ...read }
}

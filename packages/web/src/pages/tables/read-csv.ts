import { InputError } from '#src/api/json.ts'
import { t } from '#src/pages/tables/texts.ts'
import { type CsvRows, csvRows } from './csv-rows.ts'

export interface CsvFile extends CsvRows {
  readonly name: string
}

/** Reads a file in UTF-8 or, as spreadsheets for Windows save it, in Windows-1252. Commas, semicolons and tabs separate. Throws an `InputError`. */
export async function readCsv(file: File): Promise<CsvFile> {
  const read = csvRows(textIn(await file.arrayBuffer()))
  if ((read.lines.length === 0 && read.broken.length === 0) || read.columns.length === 0) throw new InputError(t.noRowsInFile)
  return { name: file.name, ...read }
}

function textIn(content: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}

import { type Json, type JsonObject, itemsOf, membersOf, textOf } from '@millrace/engine'
import { unzipSync, zipSync } from 'fflate'
import readXlsx from 'read-excel-file/universal'
import writeXlsx, { type SheetData } from 'write-excel-file/node'
import { DataError } from './data-error.ts'
import { bytesOf, columnsMax, rowsMax } from './limits.ts'
import { asLists, withHeader } from './rows.ts'

const partsMax = 1_000
const unpackedBytesMax = 64 * 1024 * 1024
const cellsMax = 1_000_000

/** `spreadsheet.read`: one sheet of an Excel workbook (.xlsx). Dates are texts of ISO 8601. */
export async function readSpreadsheet({ contentBase64, sheet, header = true }: JsonObject): Promise<Json> {
  const sheets = await readXlsx(unpacked(bytesOf(contentBase64, '/contentBase64'))).catch((error: unknown) => {
    throw new DataError('The content is not a workbook of Excel (.xlsx).', { cause: error })
  })
  const names = sheets.map((entry) => entry.sheet)
  const found =
    typeof sheet === 'string' ? sheets.find((entry) => entry.sheet === sheet) : sheets[typeof sheet === 'number' ? sheet - 1 : 0]
  if (found === undefined) throw new DataError(`The workbook has no such sheet. It has: ${names.slice(0, 20).join(', ')}.`)
  if (found.data.length > rowsMax + 1) throw new DataError(`The sheet has more than ${rowsMax} rows.`)
  if ((found.data[0]?.length ?? 0) > columnsMax) throw new DataError(`The sheet has more than ${columnsMax} columns.`)
  const lists = found.data.map((row) => row.map(cellOf))
  return { sheets: names, rows: header === true ? withHeader(lists) : lists }
}

function cellOf(value: unknown): Json {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** The same archive without compression: so much, and not more, is unpacked. Throws DataError. */
function unpacked(content: Uint8Array): ArrayBuffer {
  let bytes = 0
  let parts = 0
  try {
    const files = unzipSync(content, {
      filter({ originalSize }) {
        bytes += originalSize
        parts += 1
        // What is unpacked has the size that the archive states for it, so the sum bounds the memory.
        if (bytes > unpackedBytesMax || parts > partsMax) throw new DataError('The workbook is too large when it is unpacked.')
        return true
      },
    })
    return zipSync(files, { level: 0 }).buffer
  } catch (error) {
    if (error instanceof DataError) throw error
    throw new DataError('The content is not a workbook of Excel (.xlsx).', { cause: error })
  }
}

/** `spreadsheet.write`: a workbook of texts, numbers and booleans. A text that begins with = stays a text. */
export async function writeSpreadsheet({ sheets }: JsonObject): Promise<Json> {
  const made = itemsOf(sheets).map((entry) => {
    const { name, rows, columns } = membersOf(entry)
    return { sheet: textOf(name) ?? '', lists: asLists(itemsOf(rows), columns) }
  })
  const cells = made.reduce((sum, { lists }) => sum + lists.reduce((count, list) => count + list.length, 0), 0)
  if (cells > cellsMax) throw new DataError(`The workbook has more than ${cellsMax} cells.`)
  const names = made.map(({ sheet }) => sheet.toLowerCase())
  if (new Set(names).size < names.length) throw new DataError('/sheets: two sheets have the same name.')
  const workbook = await writeXlsx(made.map(({ sheet, lists }) => ({ sheet, data: lists.map((list) => list.map(writtenCell)) }))).toBuffer()
  return { contentBase64: workbook.toString('base64') }
}

function writtenCell(value: Json): SheetData[number][number] {
  if (value === null) return null
  if (typeof value === 'number') return { value, type: Number }
  if (typeof value === 'boolean') return { value, type: Boolean }
  return { value: typeof value === 'string' ? value : JSON.stringify(value), type: String }
}

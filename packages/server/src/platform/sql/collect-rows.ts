import type { JsonValue } from '@millrace/contract'
import { SqlError, type SqlQuery, type SqlResult } from './sql-query.ts'

/** Collects rows until they are too many. `add` throws SqlError `too-large`. */
export function collectRows({ rowsMax, bytesMax }: Pick<SqlQuery, 'rowsMax' | 'bytesMax'>) {
  const rows: Record<string, JsonValue>[] = []
  let bytes = 0
  return {
    rows: rows satisfies SqlResult['rows'],
    add(row: object): void {
      const text = JSON.stringify(row, jsonMember)
      bytes += Buffer.byteLength(text)
      if (rows.length >= rowsMax)
        throw new SqlError('too-large', `The result has more than ${rowsMax} rows. Limit the statement, or raise rowsMax.`)
      if (bytes > bytesMax) throw new SqlError('too-large', `The result has more than ${bytesMax} bytes. Select less.`)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON of an object.
      rows.push(JSON.parse(text) as Record<string, JsonValue>)
    },
  }
}

/** Bytes as base64, and integers beyond those of JSON as text. */
function jsonMember(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  const raw: unknown = typeof this === 'object' && this !== null ? Reflect.get(this, key) : undefined
  return Buffer.isBuffer(raw) ? raw.toString('base64') : value
}

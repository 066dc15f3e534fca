import type { Bag } from '#platform/files/write-bag.ts'
import { categoryOf } from '#modules/erasures/views.ts'
import type { ReportedRecord } from './record-lines.ts'

/** The records of one table in a report. */
export interface ReportSection {
  readonly table: string
  readonly category: string
  readonly records: number
  /** Those that the summary shows. */
  readonly shown: readonly ShownRecord[]
}

/** A record as the summary shows it. */
export interface ShownRecord extends Omit<ReportedRecord, 'data'> {
  /** The beginning of the data. */
  readonly text: string
  readonly isShortened: boolean
}

const shownMax = 200
const textMax = 2_000

export function shownRecord({ data, ...record }: ReportedRecord): ShownRecord {
  const text = JSON.stringify(data, undefined, 2)
  // A copy: a part of a string would keep the whole of it in memory.
  const beginning = Buffer.from(text.slice(0, textMax)).toString()
  return { ...record, text: beginning, isShortened: text.length > textMax }
}

/** Adds the records of a table, and keeps the first ones for the summary. */
export async function addRecords(bag: Bag, table: string, content: AsyncIterable<Uint8Array>): Promise<ReportSection> {
  const shown: ShownRecord[] = []
  let records = 0
  const visit = (line: string) => {
    if (!line.startsWith('{')) return
    records += 1
    if (shown.length < shownMax) shown.push(shownRecord(JSON.parse(line.replace(/,$/, ''))))
  }
  await bag.addStream(`records/${categoryOf(table).replaceAll(' ', '-')}.json`, eachLine(content, visit))
  return { table, category: categoryOf(table), records, shown }
}

/** Passes content on, and calls `visit` with each complete line. */
async function* eachLine(content: AsyncIterable<Uint8Array>, visit: (line: string) => void): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of content) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) visit(line)
    yield part
  }
}

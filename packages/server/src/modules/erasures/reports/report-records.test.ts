import { expect, test } from 'vitest'
import { addRecords } from './report-records.ts'
import { bagOf } from './testing/bag-of.ts'

const linesOf = (count: number) =>
  count === 0 ? '[]\n' : `[\n${Array.from({ length: count }, (_, index) => JSON.stringify({ id: `é${index}`, data: {} })).join(',\n')}\n]\n`

/** The bytes in parts that end within characters and lines. */
async function* inParts(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const content = Buffer.from(text)
  for (let at = 0; at < content.length; at += bytes) yield await Promise.resolve(content.subarray(at, at + bytes))
}

test.each([1, 2, 3, 7, 64, 10_000])('records that arrive in parts of %i bytes are counted, and their bytes stay', async (bytes) => {
  const { bag, files } = bagOf()
  const text = linesOf(12)
  const { records, shown, category } = await addRecords(bag, 'execution_labels', inParts(text, bytes))
  expect({ records, category, ids: shown.map(({ id }) => id) }).toEqual({
    records: 12,
    category: 'execution labels',
    ids: Array.from({ length: 12 }, (_, index) => `é${index}`),
  })
  expect(files.get('records/execution-labels.json')?.toString()).toBe(text)
})

test('a table whose records are gone has an empty list', async () => {
  const { bag, files } = bagOf()
  expect(await addRecords(bag, 'events', inParts(linesOf(0), 64))).toMatchObject({ records: 0, shown: [] })
  expect(JSON.parse(files.get('records/events.json')?.toString() ?? '')).toEqual([])
})

test('the summary keeps the first 200 records of a table, and all of them are counted', async () => {
  const { bag, files } = bagOf()
  const { records, shown } = await addRecords(bag, 'events', inParts(linesOf(450), 1_000))
  expect([records, shown.length]).toEqual([450, 200])
  expect(JSON.parse(files.get('records/events.json')?.toString() ?? '')).toHaveLength(450)
})

test('the summary keeps only the beginning of the data of a record', async () => {
  const { bag, files } = bagOf()
  const line = JSON.stringify({ id: 'evt_1', data: { note: 'x'.repeat(3_000_000) } })
  const { shown } = await addRecords(bag, 'events', inParts(`[\n${line}\n]\n`, 100_000))
  expect(shown).toEqual([{ id: 'evt_1', text: `{\n  "note": "${'x'.repeat(1_987)}`, isShortened: true }])
  expect(files.get('records/events.json')?.length).toBeGreaterThan(3_000_000)
})

import type { JsonValue } from '@millrace/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

interface Row {
  readonly key: string
  readonly columns: Readonly<Record<string, JsonValue>>
}

const long = 'x'.repeat(128)
/** Few values, so that many rows have the same; texts of cased letters are ASCII, of which every database knows the case. */
const value = fc.constantFrom<JsonValue | undefined>(
  0,
  -1,
  10,
  9,
  1e21,
  5e-324,
  -1.7976931348623157e308,
  0.1,
  '',
  '10',
  '9',
  'a',
  'A',
  'b',
  'B',
  'مرحبا',
  '\u{1F600}',
  '\uFFFD',
  `${long}a`,
  `${long}b`,
  '"\\\u0007',
  'null',
  'true',
  true,
  false,
  null,
  [],
  [1],
  {},
  { a: 1 },
  undefined,
)
const key = fc.string({ unit: fc.constantFrom('a', 'B', 'é', '\u{1F600}', '"', '1'), minLength: 1, maxLength: 4 })
const table = fc.uniqueArray(fc.record({ key, value, state: fc.constantFrom('open', 'closed') }), {
  selector: (row) => row.key.normalize('NFC'),
  maxLength: 40,
})

const codePoints = (text: string) => [...text].map((character) => character.codePointAt(0) ?? 0)

function compareLists(one: readonly number[], other: readonly number[]): number {
  for (const [index, number] of one.entries()) {
    const difference = number - (other[index] ?? Number.NEGATIVE_INFINITY)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** What sorts a value, most important first: its kind, its number, its text in any case, its text. */
function partsOf(found: JsonValue | undefined): readonly (readonly number[])[] {
  if (typeof found === 'number') return [[1], [found]]
  if (typeof found === 'string') {
    const start = [...found].slice(0, 128).join('')
    return [[2], [], codePoints(start.toLowerCase()), codePoints(start)]
  }
  if (typeof found === 'boolean') return [[3], [found ? 1 : 0]]
  return found === undefined || found === null ? [[5]] : [[4]]
}

function compareValues(one: JsonValue | undefined, other: JsonValue | undefined): number {
  const [ofOne, ofOther] = [partsOf(one), partsOf(other)]
  const differences = ofOne.map((part, index) => compareLists(part, ofOther[index] ?? []))
  return differences.find((difference) => difference !== 0) ?? 0
}

const isNothing = ({ columns: { v } }: Row) => v === undefined || v === null

function sorted(rows: readonly Row[], descending: boolean): readonly string[] {
  const ordered = rows.toSorted((one, other) => {
    const empty = Number(isNothing(one)) - Number(isNothing(other))
    const difference = compareValues(one.columns['v'], other.columns['v'])
    return empty || (descending ? -difference : difference) || compareLists(codePoints(one.key), codePoints(other.key))
  })
  return ordered.map((row) => row.key)
}

async function pagesOf(path: string): Promise<readonly string[]> {
  const keys: string[] = []
  for (let cursor: string | null = '', pages = 0; cursor !== null && pages < 100; pages++) {
    const { status, body } = await account.send('GET', `${path}${cursor === '' ? '' : `&cursor=${cursor}`}`)
    expect(status).toBe(200)
    keys.push(...body.data.map((row: Row) => row.key))
    cursor = body.nextCursor
  }
  return keys
}

test('pages of sorted rows, put together, are the rows that a filter finds in the order of their values, of any kinds, each once', async () => {
  let number = 0
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 7 }), async (drawn, limit) => {
      const path = `/api/v1/tables/drawn${number++}`
      const rows = drawn.map((row) => ({
        key: row.key.normalize('NFC'),
        columns: { state: row.state, ...(row.value === undefined ? {} : { v: row.value }) },
      }))
      await account.send('POST', '/api/v1/tables', { name: path.split('/').at(-1) })
      if (rows.length > 0) expect((await account.send('PUT', `${path}/rows`, { rows })).status).toBe(200)
      for (const descending of [false, true]) {
        const sort = `sort=v${descending ? ':desc' : ''}&limit=${limit}`
        expect(await pagesOf(`${path}/rows?${sort}`)).toEqual(sorted(rows, descending))
        const open = rows.filter(({ columns }) => columns.state === 'open')
        expect(await pagesOf(`${path}/rows?${sort}&column=state:open`)).toEqual(sorted(open, descending))
      }
      await account.send('DELETE', path)
    }),
    { numRuns: 25 },
  )
})

test('a column of any name sorts, and a cursor of another order is refused', async () => {
  await account.send('POST', '/api/v1/tables', { name: 'named' })
  const rows = ["it's", 'a:b', 'x:desc', '-', 'constructor', 'ü"\\'].map((name, n) => ({
    key: `k${n}`,
    columns: JSON.parse(`{${JSON.stringify(name)}:1}`),
  }))
  await account.send('PUT', '/api/v1/tables/named/rows', { rows })
  const list = async (query: string) => (await account.send('GET', `/api/v1/tables/named/rows?limit=1&${query}`)).body
  for (const { key: expected, columns } of rows) {
    const [name = ''] = Object.keys(columns)
    expect((await list(`sort=${encodeURIComponent(`${name}:asc`)}`)).data[0].key).toBe(expected)
  }
  const { nextCursor } = await list('sort=a:b')
  expect((await list(`sort=a:b&cursor=${nextCursor}`)).data).toHaveLength(1)
  for (const query of ['', 'sort=a', 'sort=a:b:desc']) expect((await list(`${query}&cursor=${nextCursor}`)).code).toBe('request_invalid')
  for (const query of ['sort=', 'sort=:desc', `sort=${'x'.repeat(201)}`])
    expect([query, (await list(query)).code]).toEqual([query, 'request_invalid'])
})

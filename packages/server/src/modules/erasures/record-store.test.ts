import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import type { DescribedTable } from './describe-tables.ts'
import { needlesOf } from './needles.ts'
import { lockMatches, type Page, readMatches } from './record-store.ts'
import { searchedTables } from './searched-tables.ts'

let server: TestServer
let account: TestAccount
let table: DescribedTable
const needles = needlesOf(['Cordelia Fnord'], '018f0000-0000-7000-8000-0000abcdef01')
const longest = 20_000
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
  const { accountId } = account
  const events = (await searchedTables(server.database.system, { accountId, includesForms: false })).find(
    (each) => each.table.name === 'events',
  )
  if (events === undefined) throw new Error('events are not searched')
  table = events.table
  for (const [index, length] of [300, 300, longest, 300, 300, 300, 300].entries())
    await account.send('POST', '/api/v1/events', {
      specversion: '1.0',
      id: `${index}`,
      source: '/a',
      type: 'a',
      data: `Cordelia Fnord ${'x'.repeat(length)}`,
    })
})
afterAll(() => server.close())

interface Texts {
  readonly key: readonly string[]
  readonly texts: Readonly<Record<string, string | readonly string[] | null>>
}

const bytesOf = (records: readonly Texts[]) =>
  records.reduce(
    (sum, { texts }) => sum + Object.values(texts).reduce((bytes, text) => bytes + Buffer.byteLength(String(text ?? '')), 0),
    0,
  )

async function readAll(read: (after: readonly string[] | undefined) => Promise<Page<Texts>>): Promise<readonly (readonly Texts[])[]> {
  const pages: (readonly Texts[])[] = []
  for (let after: readonly string[] | undefined; ; ) {
    const { records, next } = await read(after)
    pages.push(records)
    if (next === undefined) return pages
    after = next
  }
}

const readers = [
  ['read', readMatches],
  ['locked', lockMatches],
] as const

test.each(readers)('records are %s in pages of some bytes, each record once, and a larger record ends its page', async (_, read) => {
  const { system } = server.database
  const search = { accountId: account.accountId, needles }
  const pages = await readAll((after) =>
    system.transaction().execute((tx): Promise<Page<Texts>> => read(tx, table, search, { after, limit: 100, bytesMax: 1_000 })),
  )
  const keys = pages.flat().map(({ key }) => key.join())
  expect([keys.length, new Set(keys).size]).toEqual([7, 7])
  expect(pages.length).toBeGreaterThan(2)
  // Without the record that exceeds it, a page is within the bound.
  for (const page of pages) expect(bytesOf(page.slice(0, -1))).toBeLessThan(1_000)
  expect(pages.filter((page) => bytesOf(page) > longest)).toHaveLength(1)
})

test.each(readers)('records are %s in pages of some records, and the last page says so', async (_, read) => {
  const { system } = server.database
  const search = { accountId: account.accountId, needles }
  const sizes = async (limit: number) => {
    const bytesMax = 32 * 1024 ** 2
    const pages = await readAll((after) =>
      system.transaction().execute((tx): Promise<Page<Texts>> => read(tx, table, search, { after, limit, bytesMax })),
    )
    return pages.map((page) => page.length)
  }
  expect(await sizes(3)).toEqual([3, 3, 1])
  expect(await sizes(100)).toEqual([7])
  expect(await sizes(7)).toEqual([7, 0])
})

import { expect, test } from 'vitest'
import { allPages, findInPages } from './all-pages.ts'

test('a list of several pages is read to its end, and one without an end is not read for ever', async () => {
  const pages: Readonly<Record<string, { data: readonly number[]; nextCursor: string | null }>> = {
    first: { data: [1, 2], nextCursor: 'second' },
    second: { data: [3], nextCursor: null },
  }
  expect(await allPages(async (cursor = 'first') => pages[cursor] ?? { data: [], nextCursor: null })).toEqual([1, 2, 3])
  const endless = await allPages(async () => ({ data: [0], nextCursor: 'next' }))
  expect(endless).toHaveLength(30)
})

test.each([
  ['on the first page', 2, 2, 1],
  ['on a later page', 5, 5, 3],
  ['nowhere', 9, undefined, 3],
])('an entry %s is found with no more requests than that takes', async (_name, wanted, found, requests) => {
  let read = 0
  const pages = [[1, 2], [3, 4], [5]]
  const entry = await findInPages(
    async (cursor) => {
      read += 1
      const at = Number(cursor ?? 0)
      return { data: pages[at] ?? [], nextCursor: at + 1 < pages.length ? String(at + 1) : null }
    },
    (one) => one === wanted,
  )
  expect([entry, read]).toEqual([found, requests])
})

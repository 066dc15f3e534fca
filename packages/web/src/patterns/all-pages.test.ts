import { expect, test } from 'vitest'
import { allPages } from './all-pages.ts'

test('a list of several pages is read to its end, and one without an end is not read for ever', async () => {
  const pages: Readonly<Record<string, { data: readonly number[]; nextCursor: string | null }>> = {
    first: { data: [1, 2], nextCursor: 'second' },
    second: { data: [3], nextCursor: null },
  }
  expect(await allPages(async (cursor = 'first') => pages[cursor] ?? { data: [], nextCursor: null })).toEqual([1, 2, 3])
  const endless = await allPages(async () => ({ data: [0], nextCursor: 'next' }))
  expect(endless).toHaveLength(30)
})

import { expect, test } from 'vitest'
import { productionSettings } from './settings.ts'

const gibibyte = 1024 ** 3

test.each([
  ['a machine of half a gigabyte', 0.5, '64MB', '128MB'],
  ['a machine of eight', 8, '512MB', '2048MB'],
  ['a machine of a terabyte', 1024, '1024MB', '8192MB'],
])('PostgreSQL sizes its buffers to share %s with Millrace', (_machine, gibibytes, buffers, cache) => {
  expect(productionSettings(gibibytes * gibibyte)).toMatchObject({ shared_buffers: buffers, effective_cache_size: cache })
})

test('a committed transaction is on disk', () => {
  expect(productionSettings()).toMatchObject({ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' })
})

import { expect, test } from 'vitest'
import { acceptOf, completed, entryOf, headOf, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'
import { flushQuery } from './flush-statement.ts'
import { prepareWrite, type PreparedWrite } from './prepare-write.ts'

const labels = [{ name: 'customer', value: 'c' }]
const idempotency = { key: 'k', digest: 'd' }
const ended = { progress: completed({}) }
const kinds = [
  acceptOf(headOf(), true),
  acceptOf(headOf({ labels }), true, ended),
  acceptOf(headOf({ idempotency }), true, { entries: [entryOf(0)] }),
  acceptOf(headOf({ idempotency, labels }), true),
  writeOf(headOf(), { entries: [entryOf(0)] }),
  writeOf(headOf(), { progress: { state: 'pending' } }),
  writeOf(headOf(), ended),
].map(prepareWrite)

/** All combinations of kinds of writes. */
const batches = Array.from({ length: 2 ** kinds.length }, (_, bits): readonly PreparedWrite[] =>
  kinds.filter((_kind, index) => (bits >> index) % 2 === 1),
)

test('every statement has a name that PostgreSQL keeps whole, and no two have the same', () => {
  const byName = Map.groupBy(
    batches.map((writes) => flushQuery(newUuid(), writes)),
    ({ name }) => name ?? '',
  )
  // NAMEDATALEN: it keeps 63 bytes.
  expect([...byName.keys()].filter((name) => Buffer.byteLength(name) > 63)).toEqual([])
  expect(Math.max(...[...byName.keys()].map((name) => name.split('-').length))).toBe(7)
  for (const queries of byName.values()) expect(new Set(queries.map(({ text }) => text)).size).toBe(1)
})

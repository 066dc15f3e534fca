import { expect, test } from 'vitest'
import { createChangeFeed } from './change-feed.ts'

test('a stream that opens while changes are being looked for does not wait for changes of that time', async () => {
  const asked: (readonly string[])[] = []
  const looking = Promise.withResolvers<{ readonly settled: bigint; readonly changed: readonly string[] }>()
  const feed = createChangeFeed({
    async findChanged(accountIds, from) {
      asked.push(accountIds)
      return asked.length === 1 ? looking.promise : { settled: from, changed: [] }
    },
    renew: async () => undefined,
    everyMs: 1,
    renewMs: 60_000,
    now: () => 0,
  })
  const first = feed.follow('first', 100n)
  await expect.poll(() => asked).toEqual([['first']])
  const second = feed.follow('second', 100n)
  const changed = second.changed(100n, 600_000, new AbortController().signal)
  looking.resolve({ settled: 110n, changed: [] })
  await changed
  expect(second.settled).toBe(110n)
  first.close()
  second.close()
})

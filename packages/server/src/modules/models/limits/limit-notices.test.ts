import { expect, test } from 'vitest'
import { createLimitNotices, type SpendingNotice } from './limit-notices.ts'
import { noLimits } from './spending-limits.ts'

const november = Date.parse('2026-11-15T00:00:00Z')
const limits = { ...noLimits, month: { costMicros: 1_000, tokens: undefined }, currency: 'EUR' }
const used = (costMicros: number) => ({ month: { costMicros, tokens: 0 }, day: { costMicros, tokens: 0 } })

function setUp(record: (notice: SpendingNotice, isSent: boolean) => Promise<boolean> = async () => true) {
  const recorded: string[] = []
  const errors: unknown[] = []
  const clock = { atMs: november }
  const notices = createLimitNotices({
    now: () => clock.atMs,
    async recordNotice(notice, isSent) {
      recorded.push(`${notice.accountId} ${notice.percent} ${isSent ? 'sent' : 'recorded'}`)
      return record(notice, isSent)
    },
    onError: (error) => errors.push(error),
  })
  return { notices, recorded, errors, clock }
}

test('a limit that is reached by one call is notified of once, and the warning below it is recorded without a notification', async () => {
  const { notices, recorded } = setUp()
  await notices('a', limits, used(2_000))
  await notices('a', limits, used(3_000))
  expect(recorded).toEqual(['a 100 sent', 'a 80 recorded'])
})

test('the warning comes before the limit, for each account, and again in the next month', async () => {
  const { notices, recorded, clock } = setUp()
  await notices('a', limits, used(799))
  await notices('a', limits, used(800))
  await notices('b', limits, used(900))
  await notices('a', limits, used(1_000))
  expect(recorded).toEqual(['a 80 sent', 'b 80 sent', 'a 100 sent'])
  clock.atMs = Date.parse('2026-12-01T00:00:00Z')
  await notices('a', limits, used(800))
  expect(recorded.at(-1)).toBe('a 80 sent')
  expect(recorded).toHaveLength(4)
})

test('another process that has recorded the limit leaves the warning to be sent by none', async () => {
  const { notices, recorded } = setUp(async () => false)
  await notices('a', limits, used(2_000))
  expect(recorded).toEqual(['a 100 sent', 'a 80 sent'])
})

test('a notice that fails does not fail the call, and is recorded with the next one', async () => {
  let failures = 1
  const { notices, recorded, errors } = setUp(async () => {
    if (failures-- > 0) throw new Error('no database')
    return true
  })
  await notices('a', limits, used(900))
  expect([recorded.length, errors.length]).toEqual([1, 1])
  await notices('a', limits, used(900))
  expect([recorded.length, errors.length]).toEqual([2, 1])
})

test('a notice names its period, and a limit that is raised has notices of its own', async () => {
  const seen: SpendingNotice[] = []
  const { notices } = setUp(async (notice) => seen.push(notice) > 0)
  await notices('a', limits, used(1_000))
  await notices('a', { ...limits, month: { costMicros: 1_200, tokens: undefined } }, used(1_000))
  expect(seen[0]).toMatchObject({
    period: 'month',
    currency: 'EUR',
    periodStart: new Date('2026-11-01T00:00:00Z'),
    resetsAt: new Date('2026-12-01T00:00:00Z'),
  })
  expect(seen.map(({ key, percent }) => `${key} ${percent}`)).toEqual([
    'models.month.costMicros:1000 100',
    'models.month.costMicros:1000 80',
    'models.month.costMicros:1200 80',
  ])
})

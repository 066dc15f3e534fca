import * as fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { createTestServer } from '#testing/server.ts'
import { fuzz } from './fuzz.ts'

const isDeep = inject('deep')
const requests = isDeep ? 100_000 : 1_500

test(
  'whatever is asked, every answer is one that the published description promises',
  async () => {
    await using server = await createTestServer()
    const { failures, successes, statuses } = await fuzz(server, { seed: fc.readConfigureGlobal().seed ?? 0, requests })
    if (isDeep) console.log([...statuses].toSorted(([one], [other]) => one - other))
    expect(failures.join('\n')).toBe('')
    expect(server.log.filter((line) => line.includes('request failed'))).toEqual([])
    // Were nothing but refusals met, the law would say little.
    const never = [...successes].filter(([, count]) => count === 0).map(([id]) => id)
    expect(never.length, never.join(', ')).toBeLessThan(successes.size * 0.1)
  },
  isDeep ? 3_600_000 : 120_000,
)

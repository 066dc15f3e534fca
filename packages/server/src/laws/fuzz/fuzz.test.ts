import * as fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { createTestServer } from '#testing/server.ts'
import { lawEnvironment } from '#laws/environment.ts'
import { fuzz } from './fuzz.ts'

const isDeep = inject('deep')
// Each operation once in a way that should succeed, and as many at random as one set of accounts serves; `npm run test:deep` looks further.
const requests = isDeep ? 100_000 : 600

test(
  'every response to random requests agrees with the published description',
  async () => {
    await using server = await createTestServer(lawEnvironment)
    const { failures, successes, statuses } = await fuzz(server, { seed: fc.readConfigureGlobal().seed ?? 0, requests })
    if (isDeep) console.log([...statuses].toSorted(([a], [b]) => a - b))
    expect(failures.join('\n')).toBe('')
    expect(server.log.filter((line) => line.includes('request failed') && line.includes('"level":50'))).toEqual([])
    // Most operations must succeed at least once, or the law proves little. The others demand a code or a link that is valid once, or follow on others.
    const neverSucceeded = [...successes].filter(([, count]) => count === 0).map(([id]) => id)
    expect(neverSucceeded.length, neverSucceeded.join(', ')).toBeLessThan(successes.size * 0.2)
  },
  isDeep ? 3_600_000 : 300_000,
)

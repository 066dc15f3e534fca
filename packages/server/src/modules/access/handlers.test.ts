import { expect, test } from 'vitest'
import { durationMs } from './handlers.ts'

test.each([
  ['PT0S', 0],
  ['PT0.5S', 500],
  ['PT15M', 900_000],
  ['PT1H30M', 5_400_000],
  ['P1D', 86_400_000],
  ['P1DT1S', 86_401_000],
  ['P1W', 604_800_000],
])('%s is %d ms', (iso, ms) => {
  expect(durationMs(iso)).toBe(ms)
})

import { expect, test } from 'vitest'
import { runQuery } from '#src/pages/runs/run-period.ts'

/** Midnight, where the browser is. */
const midnight = (month: number, day: number) => new Date(2026, month - 1, day).toISOString()

test.each([
  ['today', midnight(3, 2), midnight(3, 3)],
  ['yesterday', midnight(3, 1), midnight(3, 2)],
  ['week', midnight(2, 24), midnight(3, 3)],
])('the runs of %s are those of whole days, and other filters stay', (period, from, to) => {
  expect(runQuery({ period, state: 'faulted' }, new Date(2026, 2, 2, 20, 40))).toEqual({ state: 'faulted', from, to })
})

test('without a period, times of the address stay', () => {
  expect(runQuery({ from: midnight(3, 1) })).toEqual({ from: midnight(3, 1) })
})

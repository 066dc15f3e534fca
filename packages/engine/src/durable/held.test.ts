import { expect, test } from 'vitest'
import { isHeld } from './held.ts'
import type { Progress } from './ports.ts'

const ended = { output: null, error: undefined, decisions: '', endedAtMs: 1, tell: undefined } as const

test.each<[Progress, boolean]>([
  [{ state: 'waiting', wakeAtMs: undefined }, true],
  [{ state: 'pending' }, true],
  [{ state: 'suspended' }, true],
  [{ state: 'completed', ...ended }, false],
  [{ state: 'faulted', ...ended }, false],
  [{ state: 'cancelled', ...ended }, false],
])('%j is held: %j', (progress, held) => {
  expect(isHeld(progress)).toBe(held)
})

import { expect, test } from 'vitest'
import { createIdSource, leastId } from './index.ts'

test('ids of a time lie at or beyond its bound, and those of the millisecond before do not', () => {
  const at = Date.parse('2026-03-01T12:00:00.123Z')
  const idAt = (ms: number, byte: number) => createIdSource({ now: () => ms, randomBytes: (size) => Buffer.alloc(size, byte) })()
  expect(idAt(at, 0) >= leastId(at)).toBe(true)
  expect(idAt(at - 1, 255) < leastId(at)).toBe(true)
})

test('times that no id has are bounds all the same', () => {
  expect(leastId(-5)).toBe('00000000-0000-7000-8000-000000000000')
  expect(leastId(Number.MAX_SAFE_INTEGER)).toBe('ffffffff-ffff-7000-8000-000000000000')
  expect(leastId(1.5)).toBe(leastId(1))
})

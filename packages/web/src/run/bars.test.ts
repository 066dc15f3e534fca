import { expect, test } from 'vitest'
import { drawable } from '#src/run/bars.ts'

const bars = (count: number, failed: number) =>
  Array.from({ length: count }, (_, index) => ({
    key: String(index),
    from: index / count,
    to: (index + 0.9) / count,
    look: index === failed ? 'bad' : '',
  }))

test('a few bars are drawn as they are', () => {
  expect(drawable(bars(3, 1))).toEqual(bars(3, 1))
})

test('ten thousand rounds are few bars, and the one that failed is among them', () => {
  const drawn = drawable(bars(10_000, 5000))
  expect(drawn.map(({ look }) => look)).toEqual(['', 'bad', ''])
  expect(drawn[0]?.from).toBe(0)
  expect(drawn.at(-1)?.to).toBe(1)
})

import { expect, test } from 'vitest'
import { cutsOf, type Span } from './cuts-of.ts'

const span = (start: number, end: number): Span => ({ start, end })

test.each<[string, readonly Span[], number, readonly Span[]]>([
  ['a short one is a single piece', [span(5, 6)], 30, [span(0, 30)]],
  [
    'it is cut in the middle of the last silence within 30 seconds',
    [span(10, 11), span(20, 22), span(31, 32)],
    40,
    [span(0, 21), span(21, 40)],
  ],
  ['a silence before 8 seconds cuts nothing', [span(3, 4)], 40, [span(0, 30), span(30, 40)]],
  ['without silence it is cut each 30 seconds', [], 70, [span(0, 30), span(30, 60), span(60, 70)]],
  ['a piece in which nothing is heard is left out', [span(0, 60)], 75, [span(45, 75)]],
  ['silence alone has no piece', [span(0, 20)], 20, []],
])('%s', (_rule, silences, seconds, pieces) => {
  expect(cutsOf(silences, seconds)).toEqual(pieces)
})

test('pieces follow each other without a gap but for silence, and none is longer than 30 seconds', () => {
  let state = 7
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  for (let round = 0; round < 300; round++) {
    const seconds = random() * 400
    const silences: Span[] = []
    for (let at = random() * 20; at < seconds; at += random() * 40) {
      const end = Math.min(seconds, at + random() * 50)
      silences.push(span(at, end))
      at = end
    }
    let at = 0
    for (const { start, end } of cutsOf(silences, seconds)) {
      expect(end - start).toBeLessThan(30.001)
      expect(end).toBeGreaterThan(start)
      if (start !== at) expect(silences.some((silence) => silence.start <= at && silence.end >= start)).toBe(true)
      at = end
    }
    if (at !== seconds) expect(silences.some((silence) => silence.start <= at && silence.end >= seconds)).toBe(true)
  }
})

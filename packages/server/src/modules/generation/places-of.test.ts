import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placesOf } from './places-of.ts'

const repetitive = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 40 }).map((letters) => letters.join(''))

test('the places of a piece are those where the text continues with it, the first ones', () => {
  fc.assert(
    fc.property(repetitive, repetitive, fc.integer({ min: 1, max: 5 }), (text, long, most) => {
      const piece = long.slice(0, 5)
      const expected = Array.from(text, (_, at) => at).filter((at) => text.startsWith(piece, at))
      expect(placesOf(text, piece, most)).toEqual(expected.slice(0, most))
    }),
  )
})

test('a piece that repeats itself is looked for in a text that does', () => {
  const half = 'a'.repeat(10_000)
  const text = `${half}${half}b${half}`
  for (let count = 0; count < 50; count++) expect(placesOf(text.repeat(5), `${half}c${half}`, 5)).toEqual([])
  expect(placesOf(text, `${half}b${half}`, 5)).toEqual([10_000])
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDistance, suggest } from './suggest.ts'

describe('editDistance', () => {
  test.each([
    ['', '', 0],
    ['call', 'call', 0],
    ['cal', 'call', 1],
    ['calll', 'call', 1],
    ['cakl', 'call', 1],
    ['clal', 'call', 1],
    ['', 'call', 4],
    ['call', '', 4],
    ['kitten', 'sitting', 3],
    ['endpoint', 'endpiont', 1],
  ])('%s to %s takes %i edits', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance)
  })

  test('the edit distance is symmetric and zero only for equal words', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        const distance = editDistance(a, b)
        expect(editDistance(b, a)).toBe(distance)
        expect(distance === 0).toBe(a === b)
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length))
      }),
    )
  })
})

describe('suggest', () => {
  const properties = ['method', 'endpoint', 'headers', 'query', 'body', 'output', 'redirect']

  test.each([
    ['methd', 'method'],
    ['mehtod', 'method'],
    ['Method', 'method'],
    ['endpont', 'endpoint'],
    ['header', 'headers'],
    ['qurey', 'query'],
    ['redirects', 'redirect'],
  ])('%s most likely means %s', (word, meant) => {
    expect(suggest(word, properties)).toBe(meant)
  })

  test.each(['url', 'x', 'authentication', '', 'timeout'])('nothing is suggested for %s', (word) => {
    expect(suggest(word, properties)).toBeUndefined()
  })

  test('for one letter only its other case is suggested', () => {
    expect(suggest('g', ['f', 'ab'])).toBeUndefined()
    expect(suggest('g', ['f', 'G'])).toBe('G')
    expect(suggest('fi', ['if'])).toBe('if')
  })

  test('the word itself is never suggested', () => {
    expect(suggest('body', ['body'])).toBeUndefined()
  })

  test('the closest candidate wins, not the first', () => {
    expect(suggest('headerz', ['reader', 'heater', 'headers'])).toBe('headers')
  })

  test('a very long word costs nothing and suggests nothing', () => {
    expect(suggest('m'.repeat(100_000), ['m'.repeat(100_001)])).toBeUndefined()
  })
})

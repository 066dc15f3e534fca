import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Parameter, Serialization, Style } from '#effects/openapi/operation/operation.ts'
import { pathText, queryPairs } from './serialize.ts'

// A reader that follows the specification recovers all values.

const texts = fc.string({ unit: 'grapheme-composite', maxLength: 20 })
const lists = fc.array(texts, { minLength: 1, maxLength: 5 })
const fields = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), texts, { minKeys: 1, maxKeys: 4 })
const flags = fc.boolean()
const styled = (style: Style, explode: boolean): Serialization => ({ kind: 'style', style, explode, allowReserved: false })
const inPath = (style: Style, explode: boolean): Parameter => ({
  name: 'p',
  in: 'path',
  required: true,
  serialization: styled(style, explode),
})
const decoded = (parts: readonly string[]) => parts.map((part) => decodeURIComponent(part))
const checkLaw = <T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void) => fc.assert(fc.property(arbitrary, law), { numRuns: 100 })

describe('a query', () => {
  const read = (pairs: readonly string[]) => [...new URL(`https://api.test/?${pairs.join('&')}`).searchParams]

  test('gives a text back as it was', () => {
    checkLaw(texts, (text) => {
      expect(read(queryPairs('p', styled('form', true), text))).toEqual([['p', text.toWellFormed()]])
    })
  })

  test('gives a list back item by item', () => {
    checkLaw(lists, (list) => {
      expect(read(queryPairs('p', styled('form', true), list))).toEqual(list.map((item) => ['p', item.toWellFormed()]))
    })
  })

  test.each<[Style, string]>([
    ['form', ','],
    ['spaceDelimited', '%20'],
    ['pipeDelimited', '%7C'],
    ['tabDelimited', '%09'],
  ])('gives a list of the style %s back in one pair', (style, delimiter) => {
    // A delimiter in a text is ambiguous, but for the comma.
    const safe = style === 'form' ? lists : fc.array(fc.stringMatching(/^[\w,&=#+ü]{0,8}$/), { minLength: 1, maxLength: 5 })
    checkLaw(safe, (list) => {
      const [pair = '', ...others] = queryPairs('p', styled(style, false), list)
      expect(others).toEqual([])
      expect(decoded(pair.slice(2).split(delimiter))).toEqual(list.map((item) => item.toWellFormed()))
    })
  })

  test('gives an object back field by field', () => {
    checkLaw(fields, (object) => {
      const expected = Object.entries(object).map(([key, value]) => [key.toWellFormed(), value.toWellFormed()])
      expect(read(queryPairs('p', styled('form', true), object))).toEqual(expected)
      expect(read(queryPairs('p', styled('deepObject', true), object))).toEqual(expected.map(([key, value]) => [`p[${key}]`, value]))
    })
  })

  test('never has a pair that was not given, whatever the name and the value are', () => {
    checkLaw(fc.tuple(texts, texts, flags), ([name, value, explode]) => {
      expect(read(queryPairs(name, styled('form', explode), value))).toEqual([[name.toWellFormed(), value.toWellFormed()]])
    })
  })

  test('never ends in a fragment, reserved characters included', () => {
    checkLaw(texts, (text) => {
      const [pair = ''] = queryPairs('p', { kind: 'style', style: 'form', explode: true, allowReserved: true }, text)
      const url = new URL(`https://api.test/?${pair}`)
      expect(url.hash).toBe('')
      expect([...url.searchParams.keys()]).toEqual(['p'])
    })
  })
})

describe('a path', () => {
  const styles = fc.constantFrom<Style>('simple', 'label', 'matrix')

  test('has as many segments as its template, whatever the value is', () => {
    checkLaw(fc.tuple(styles, flags, fc.oneof(texts, lists, fields)), ([style, explode, value]) => {
      const written = pathText(inPath(style, explode), value)
      expect(written).not.toMatch(/[/?#\\]/)
      expect(new URL(`https://api.test/a/x${written}/b`).pathname.split('/')).toHaveLength(4)
    })
  })

  test('gives a list back', () => {
    checkLaw(lists, (list) => {
      const expected = list.map((item) => item.toWellFormed())
      expect(decoded(pathText(inPath('simple', false), list).split(','))).toEqual(expected)
      expect(decoded(pathText(inPath('label', false), list).slice(1).split(','))).toEqual(expected)
    })
  })

  test('gives the list of a matrix back, pair by pair', () => {
    checkLaw(lists, (list) => {
      const pairs = pathText(inPath('matrix', true), list).split(';').slice(1)
      expect(pairs.map((pair) => decodeURIComponent(pair.replace(/^p=?/, '')))).toEqual(list.map((item) => item.toWellFormed()))
    })
  })

  test('gives an object back', () => {
    checkLaw(fields, (object) => {
      const pairs = pathText(inPath('simple', true), object).split(',')
      expect(pairs.map((pair) => decoded(pair.split('=')))).toEqual(
        Object.entries(object).map(([key, value]) => [key.toWellFormed(), value.toWellFormed()]),
      )
    })
  })
})

import { describe, expect, test } from 'vitest'
import { readJson } from './json-reader.ts'
import { parseJson } from './json-parse.ts'
import { stringify } from './json-text.ts'

describe('the careful reader', () => {
  test.each(['null', 'true', '[1,2,[]]', '{"a":{"b":[1]},"c":""}', '"a\\u00e9\\n"', ' [ 1 , 2 ] ', '{}', '-1.5e3'])(
    'reads %s as the host does',
    (text) => {
      expect(readJson(text)).toEqual({ value: JSON.parse(text) })
    },
  )

  test.each(['', ' ', '[1,]', '[1', '{"a"}', '{"a":1,}', '{1:2}', ']', '1 2', '"abc', "'a'", '[1 2]', 'tru', '{"a":}', ',', ':'])(
    '%j is refused with a message',
    (text) => {
      expect(readJson(text)).toEqual({ fault: expect.stringMatching(/./) })
    },
  )

  test('NaN, leading zeros and a byte order mark are read as jq reads them', () => {
    expect(readJson('[nan, NaN, 007]')).toEqual({ value: [Number.NaN, Number.NaN, 7] })
    expect(readJson('\ufeff1')).toEqual({ value: 1 })
  })

  test('a key __proto__ is an ordinary key', () => {
    expect(stringify(parseJson('{"__proto__": 12345678901234567891}'))).toBe('{"__proto__":12345678901234567891}')
  })

  test('depth costs no stack and ends at ten thousand', () => {
    expect(readJson('['.repeat(10_000) + ']'.repeat(10_000))).toHaveProperty('value')
    expect(readJson('['.repeat(10_001) + ']'.repeat(10_001))).toEqual({ fault: expect.stringContaining('Exceeds depth limit') })
  })
})

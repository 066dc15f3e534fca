import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { createPatternCheck } from './pattern-check.ts'
import { patternSize } from './pattern-size.ts'
import { translatePattern } from './translate-pattern.ts'
import { createValidator } from './validator.ts'

const faultsOf = (schema: Json, value: Json) => createValidator(schema)(value)

describe('patterns', () => {
  test.each<[string, Json, Json, boolean]>([
    ['of a text', { type: 'string', pattern: '^a+$' }, 'aaa', true],
    ['of a text that does not match', { type: 'string', pattern: '^a+$' }, 'ab', false],
    ['are found anywhere in the text unless anchored', { pattern: 'b' }, 'abc', true],
    ['say nothing of what is no text', { pattern: '^a$' }, 5, true],
    ['beside a format', { format: 'email', pattern: '@example' }, 'a@example.org', true],
    ['beside a format that fails', { format: 'email', pattern: '@example' }, '@example', false],
    ['beside allOf', { allOf: [{ minLength: 2 }], pattern: 'a' }, 'a', false],
    ['in a member', { properties: { a: { pattern: '^x' } } }, { a: 'y' }, false],
    ['of a member that is called pattern', { properties: { pattern: { type: 'string' } } }, { pattern: '(' }, true],
    ['in an item', { items: { pattern: '^x' } }, ['x', 'y'], false],
    ['in a prefix item', { prefixItems: [{ pattern: '^x' }] }, ['y'], false],
    ['in a branch', { anyOf: [{ pattern: '^x' }, { pattern: '^y' }] }, 'y', true],
    ['under not', { not: { pattern: '^x' } }, 'x', false],
    ['under if', { if: { pattern: '^x' }, then: { minLength: 3 } }, 'xy', false],
    ['behind a reference', { $defs: { x: { pattern: '^x' } }, items: { $ref: '#/$defs/x' } }, ['y'], false],
    ['of names', { patternProperties: { '^n_': { type: 'number' } } }, { n_a: 'text' }, false],
    ['with character classes', { pattern: '^[\\w.-]+$' }, 'a.b-c_1', true],
    ['with unicode', { pattern: '^\\p{L}+$' }, 'Grüße', true],
    ['that are only data', { const: { pattern: '(' } }, { pattern: '(' }, true],
    ['of names that repeat more than once', { patternProperties: { '^(a+)+b*$': { type: 'number' } } }, { aab: 'x' }, false],
    ['with white space of ECMAScript', { pattern: '^\\s+$' }, '\u00a0\u2003\v', true],
    ['with white space in a class', { pattern: '^[\\s\\d]+$' }, '1\u2003', true],
    ['with anything but white space', { pattern: '^\\S[\\S]$' }, 'ä\u00a0', false],
    ['with code units', { pattern: '^\\u0041\\u{1F600}\\ud83d\\ude00$' }, 'A😀😀', true],
    ['with half of a pair before something else', { pattern: '^\\u0041\\u0042$' }, 'AB', true],
    ['with control characters', { pattern: '^\\cA$' }, '\u0001', true],
    ['with a named group', { pattern: '^(?<year>\\d{4})$' }, '2030', true],
    ['with an escaped slash', { pattern: '^\\/a$' }, '/a', true],
  ])('%s', (_what, schema, value, fits) => {
    expect(faultsOf(schema, value).length === 0).toBe(fits)
  })

  test('mismatches are reported with the pattern of the schema', () => {
    expect(faultsOf({ properties: { a: { pattern: '^x$' } } }, { a: 'y' })).toContainEqual({
      pointer: '/a',
      detail: 'must match the pattern "^x$"',
    })
  })

  test('that explode elsewhere take no time', () => {
    const begunAt = startProcessorTime()
    for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(.*a){20}$', '(x+x+)+y']) {
      expect(faultsOf({ pattern }, `${'a'.repeat(5_000)}${'x'.repeat(5_000)}!`)).not.toEqual([])
    }
    expect(begunAt()).toBeLessThan(5_000)
  })

  test('patterns beyond the size of the cache still work', () => {
    const check = createValidator({ pattern: '^first$' })
    for (let number = 0; number < 1_200; number++) faultsOf({ pattern: `^number${number}$` }, 'x')
    expect(check('second')).toHaveLength(1)
    expect(check('first')).toEqual([])
  })
})

describe('a pattern that cannot be used', () => {
  test.each<[string, Json, string, Json]>([
    ['no regular expression', { pattern: '(' }, '/pattern', 'x'],
    ['a backreference', { properties: { a: { pattern: '(a)\\1' } } }, '/properties/a/pattern', { a: 'x' }],
    ['under a name like a path', { properties: { 'a/~b': { pattern: '(a)\\1' } } }, '/properties/a~1~0b/pattern', { 'a/~b': 'x' }],
    ['looking ahead', { allOf: [{ pattern: 'a(?=b)' }] }, '/allOf/0/pattern', 'x'],
    ['of names', { patternProperties: { '(a)\\1': {} } }, '/patternProperties', { a: 1 }],
    ['in a definition', { $ref: '#/$defs/a', $defs: { a: { pattern: '[' } } }, '/$defs/a/pattern', 'x'],
    ['too large', { pattern: '(a{100}){101}' }, '/pattern', 'x'],
    ['too long', { pattern: 'a'.repeat(1_000_000) }, '/pattern', 'x'],
  ])('is reported with its place: %s', (_what, schema, pointer, value) => {
    expect(createPatternCheck()(schema).map((fault) => fault.pointer)).toEqual([pointer])
    expect(faultsOf(schema, value)).toEqual([
      { pointer: '', detail: expect.stringContaining(`the schema cannot be applied: ${pointer}: the pattern `) },
    ])
  })

  test('is not reported where the word is only data', () => {
    expect(
      createPatternCheck()({ const: { pattern: '(' }, properties: { pattern: { type: 'string' } }, default: [{ pattern: '(' }] }),
    ).toEqual([])
  })

  test('ends the check of a definition when there are too many to compile', () => {
    const check = createPatternCheck()
    const many = { allOf: Array.from({ length: 3_000 }, (_, index) => ({ pattern: `^${index}a{100}$` })) }
    expect(check(many)).toEqual([{ pointer: expect.stringMatching(/^\/allOf\/\d+\/pattern$/), what: expect.stringContaining('too many') }])
    expect(check({ pattern: '(' })).toEqual([])
  })
})

describe('the size of a pattern', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['a{1000}', 1_001],
    ['(?:a{100}){100}', 10_000],
    ['[a-z]{50}', 50],
    ['[]{1000}]x{10}', 10],
    ['[^]{1000}]x{10}', 10],
    ['[[:alpha:]{900}]{20}', 20],
    ['[\\]{900}]{20}', 20],
    ['\\p{L}{50}', 1_000],
    ['a{,5}', 5],
    ['\\x{41}{50}', 50],
    ['\\u{1F600}{50}', 50],
    ['(((a{9}){9}){9}', 729],
    ['a|b|c', 5],
    [')a{20}', 20],
  ])('is known before it is compiled: %s', (source, least) => {
    expect(patternSize(source)).toBeGreaterThanOrEqual(least)
    expect(patternSize(source)).toBeLessThanOrEqual(2 * least + 30)
  })

  test.each([
    '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
    '(?:a|bc|d{1,30}){2,20}',
    '^\\p{L}{0,40}$',
    '(a?){500}',
    '((a+)*b{2,}){30}',
    '(?i)select{7}',
  ])('is at least half of the instructions of RE2: %s', (source) => {
    expect(patternSize(source) * 2 + 10).toBeGreaterThanOrEqual(RE2JS.compile(translatePattern(source)).programSize())
  })
})

import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { defaultParseLimits } from './limits.ts'
import { parseYaml } from './parse-yaml.ts'

function read(text: string, limits = defaultParseLimits) {
  return parseYaml(text, limits)
}

function codes(text: string) {
  return read(text).problems.map((problem) => problem.code)
}

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`
}

describe('YAML 1.2, core schema', () => {
  test.each([
    ['yes', 'yes'],
    ['on', 'on'],
    ['true', true],
    ['~', null],
    ['', null],
    ['0o17', 15],
    ['0x1F', 31],
    ['017', 17],
    ['1_000', '1_000'],
    ['12:30', '12:30'],
    ['1.0', 1],
    ['-0', 0],
    ['1.0.3', '1.0.3'],
    ['2026-01-01', '2026-01-01'],
    ['"1"', '1'],
    ["'it''s'", "it's"],
    ['!!str 5', '5'],
  ])('%s is read as %j', (text, value) => {
    expect(read(`a: ${text}`)).toMatchObject({ value: { a: value }, problems: [] })
  })

  test('what the library writes is read as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const json = JSON.stringify(value)
        if (json.includes('"__proto__"')) return
        expect(read(stringify(value, { version: '1.2', aliasDuplicateObjects: false })).value).toEqual(JSON.parse(json))
      }),
      { numRuns: 300 },
    )
  })

  test('keys that are numbers or words of YAML are text', () => {
    expect(read('1: a\ntrue: b\nnull: c').value).toEqual({ '1': 'a', true: 'b', null: 'c' })
  })

  test('<< is a key like any other', () => {
    expect(read('a: &a { x: 1 }\nb:\n  <<: *a').value).toEqual({ a: { x: 1 }, b: { '<<': { x: 1 } } })
  })
})

describe('aliases', () => {
  test('an alias is the value of its anchor', () => {
    expect(read('a: &x [1, { b: 2 }]\nc: *x')).toMatchObject({ value: { a: [1, { b: 2 }], c: [1, { b: 2 }] }, problems: [] })
  })

  test('an anchor that is set again counts from there on', () => {
    expect(read('- &x 1\n- *x\n- &x 2\n- *x').value).toEqual([1, 1, 2, 2])
  })

  test('an alias without an anchor in front of it is refused', () => {
    expect(read('a: *x\nb: &x 1').problems[0]).toMatchObject({
      code: 'syntax_error',
      pointer: '/a',
      message: expect.stringContaining('&x'),
    })
  })

  test('an alias inside of its own anchor is refused', () => {
    expect(codes('a: &x\n  b: *x')).toEqual(['alias_limit'])
  })

  test('a bomb of aliases of aliases is refused before it goes off', () => {
    const bomb = ['a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]']
    for (let level = 1; level < 12; level++) bomb.push(`a${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}]`)
    const started = startProcessorTime()
    expect(codes(bomb.join('\n'))).toContain('alias_limit')
    expect(started()).toBeLessThan(1000)
  })

  test('aliases may not nest deeper than the limit either', () => {
    const lines = ['- &a0 []']
    for (let level = 1; level < 300; level++) lines.push(`- &a${level} [*a${level - 1}]`)
    expect(codes(lines.join('\n'))).toContain('alias_limit')
  })

  test('what stands below an alias is found where it is written, the alias where it stands', () => {
    const text = 'a: &x { b: 1 }\nc: *x'
    const { root } = read(text)
    const alias = root.children?.get('c')
    expect(text.slice(alias?.start, alias?.end)).toBe('*x')
    const below = alias?.children?.get('b')
    expect(text.slice(below?.start, below?.end)).toBe('1')
  })
})

describe('what is refused', () => {
  test.each([
    ['a custom tag', 'a: !secret x', 'unsupported_yaml'],
    ['a timestamp', 'a: !!timestamp 2001-01-01', 'unsupported_yaml'],
    ['binary', 'a: !!binary aGk=', 'unsupported_yaml'],
    ['a set', 'a: !!set {x}', 'unsupported_yaml'],
    ['an ordered map', 'a: !!omap []', 'unsupported_yaml'],
    ['several documents', 'a: 1\n---\nb: 2', 'unsupported_yaml'],
    ['YAML 1.1', '%YAML 1.1\n---\na: yes', 'unsupported_yaml'],
    ['a complex key', '? [a, b]\n: 1', 'unsupported_yaml'],
    ['infinity', 'a: .inf', 'unsupported_yaml'],
    ['not a number', 'a: .nan', 'unsupported_yaml'],
    ['a key twice', 'a: 1\na: 2', 'duplicate_key'],
    ['__proto__', '__proto__: {}', 'forbidden_key'],
    ['a tab', 'a:\n\tb: 1', 'syntax_error'],
    ['an open list', 'a: [1, 2', 'syntax_error'],
    ['two values in one line', 'a: b: c', 'syntax_error'],
    ['an open quote', 'a: "b', 'syntax_error'],
  ])('%s', (_, text, code) => {
    const { problems } = read(text)
    expect(problems.map((problem) => problem.code)).toContain(code)
    for (const problem of problems) {
      expect(problem.hint).toBeTruthy()
      expect(problem.message).toMatch(/[.!?]$/)
      expect(problem.end).toBeLessThanOrEqual(text.length)
    }
  })

  test('every duplicate key is reported with its place and the line of the first', () => {
    const text = 'a: 1\nb:\n  c: 1\n  c: 2\na: 3\na: 4'
    const { problems } = read(text)
    expect(problems.map(({ pointer, message }) => [pointer, message])).toEqual([
      ['/b/c', 'The key "c" is already there, in line 3.'],
      ['/a', 'The key "a" is already there, in line 1.'],
      ['/a', 'The key "a" is already there, in line 1.'],
    ])
    expect(problems.map(({ start }) => start)).toEqual([text.indexOf('c: 2'), text.indexOf('a: 3'), text.indexOf('a: 4')])
  })

  test.each([
    ['lists', '['],
    ['objects', '{a: '],
    ['entries', '- '],
    ['keys', '? '],
  ])('a deep nest of %s is refused in time, and not by a crash', (_, opening) => {
    const started = startProcessorTime()
    expect(codes(opening.repeat(20_000))).toContain('document_too_deep')
    expect(started()).toBeLessThan(3000)
  })

  test('nesting is refused from the limit on', () => {
    expect(codes(nested(201))).toEqual([])
    expect(codes(nested(202))).toEqual(['document_too_deep'])
  })

  test('more values than the limit are refused, once', () => {
    const limits = { ...defaultParseLimits, valuesMax: 10 }
    expect(read('- 1\n'.repeat(9), limits).problems).toEqual([])
    expect(read('- 1\n'.repeat(50), limits).problems.map((problem) => problem.code)).toEqual(['document_too_large'])
  })
})

test('ten thousand keys of one object are read in linear time', () => {
  const text = Array.from({ length: 10_000 }, (_, index) => `k${index}: 1`).join('\n')
  const started = startProcessorTime()
  expect(read(text).problems).toEqual([])
  expect(started()).toBeLessThan(2000)
})

test('ten thousand aliases are resolved in linear time', () => {
  const text = `- &a 1\n${'- *a\n'.repeat(10_000)}`
  const started = startProcessorTime()
  expect(read(text).problems).toEqual([])
  expect(started()).toBeLessThan(2000)
})

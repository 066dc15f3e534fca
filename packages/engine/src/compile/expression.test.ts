import { describe, expect, test } from 'vitest'
import { isObject, type Json } from '#core/json.ts'
import { uncheckedDefinitionOf } from '#testing/run-definition.ts'
import { faultOf, memberOf, walk } from '#testing/walk.ts'

/** What an expression gives as the whole of a `set`. */
const value = (expression: string, input: Json = {}) =>
  walk(uncheckedDefinitionOf(JSON.stringify({ do: [{ a: { set: { got: expression } } }] })), { input })
const got = (expression: string, input?: Json) => memberOf(value(expression, input).output, 'got')

describe('text is an expression', () => {
  test.each<[text: string, expected: Json]>([
    ['${ .n }', 1],
    ['${.n}', 1],
    ['  ${ .n }  ', 1],
    ['${ .n + 1 | tostring }', '2'],
    ['${ { a: .n } }', { a: 1 }],
    ['${ "}" }', '}'],
    ['${ "\\(.n) of \\(.n)" }', '1 of 1'],
    ['${\n  .n\n}', 1],
  ])('when all of it is in ${ }: %j', (text, expected) => {
    expect(got(text, { n: 1 })).toEqual(expected)
  })

  test.each(['.n', 'n is ${ .n }', '${ .n } and more', '$ { .n }', '{ .n }', '', '$', '${'])('and not otherwise: %j', (text) => {
    expect(got(text, { n: 1 })).toBe(text)
  })
})

describe('an expression', () => {
  test('without output is null, with several it is the first', () => {
    expect(got('${ empty }')).toBeNull()
    expect(got('${ 1, error("never reached") }')).toBe(1)
  })

  test.each([
    ['that raises', '${ error("my reason") }', 'my reason'],
    ['that mistakes a type', '${ .n + {} }', 'cannot be added'],
    ['that raises an object', '${ error({ code: 7 }) }', '7'],
    ['that indexes text', '${ .n.x }', 'index'],
  ])('%s faults with the reason and its text', (_what, expression, reason) => {
    const fault = faultOf(value(expression, { n: 'text' }))
    expect(fault).toMatchObject({ status: 400, title: 'Expression error', instance: '/do/0/a' })
    expect(fault.detail?.toLowerCase()).toContain(reason.toLowerCase())
    expect(fault.detail).toContain(expression)
  })

  test('a long expression is shortened to one line in errors', () => {
    const { detail = '' } = faultOf(value(`\${ error("no")\n | ${Array(100).fill('.').join('\n | ')} }`))
    expect(detail).not.toContain('\n')
    expect(detail.length).toBeLessThan(200)
    expect(detail.endsWith('...')).toBe(true)
  })

  test.each([
    ['runs without end', '${ last(repeat(1)) }'],
    ['recurses without end', '${ def f: 1 + f; f }'],
    ['grows without end', '${ reduce range(1e9) as $i (""; . + "xxxxxxxxxx") }'],
  ])('that %s is stopped, and faults like any other', (_what, expression) => {
    expect(faultOf(value(expression))).toMatchObject({ status: 400, title: 'Expression error', instance: '/do/0/a' })
  })

  test('cannot be caught by itself when it is stopped, but by a try', () => {
    const { output } = walk(
      `do: [{ t: { try: [{ a: { set: { x: '\${ last(repeat(1)) }' } } }], catch: { do: [{ h: { set: { stopped: '\${ $error.status }' } } }] } } }]`,
    )
    expect(output).toEqual({ stopped: 400 })
  })

  test('that is wrong is refused when the definition is compiled', () => {
    expect(() => uncheckedDefinitionOf(`do: [{ a: { set: { x: '\${ .n + }' } } }]`)).toThrow('syntax')
    expect(() => uncheckedDefinitionOf(`do: [{ a: { set: { x: '\${ $unknown }' } } }]`)).toThrow('$unknown')
  })

  test.each(['env', '$ENV', 'input', 'inputs', 'input_filename', '$__loc__ | error', 'include "x"; 1', 'import "x" as x; 1'])(
    'cannot look out of the execution: %s',
    (source) => {
      const attempt = () => got(`\${ ${source} }`)
      let seen: Json | undefined
      try {
        seen = attempt()
      } catch {
        seen = undefined
      }
      expect(JSON.stringify(seen ?? null)).not.toContain('PATH')
    },
  )

  test('sees the time of its own execution although executions share what is compiled', () => {
    const compiled = uncheckedDefinitionOf(`do: [{ w: { wait: '\${ .pause }' } }, { a: { set: { now: '\${ now }' } } }]`)
    const nowAfter = (pause: string) => Number(memberOf(walk(compiled, { input: { pause } }).output, 'now'))
    const early = nowAfter('PT1S')
    expect(nowAfter('PT1H') - early).toBeCloseTo(3_599)
    expect(nowAfter('PT1S')).toBe(early)
  })
})

describe('a template', () => {
  test('is evaluated at every depth and leaves the rest alone', () => {
    const set = { a: ['${ .n }', { b: '${ .n + 1 }', c: '.n' }], d: null, e: 1.5, f: true, '${ .n }': 'a key is a name' }
    expect(walk(uncheckedDefinitionOf(JSON.stringify({ do: [{ a: { set } }] })), { input: { n: 1 } }).output).toEqual({
      a: [1, { b: 2, c: '.n' }],
      d: null,
      e: 1.5,
      f: true,
      '${ .n }': 'a key is a name',
    })
  })

  test('may have keys that are special in JavaScript', () => {
    const compiled = uncheckedDefinitionOf(`{ "do": [{ "a": { "set": { "__proto__": "\${ .n }", "constructor": "\${ .n }" } } }] }`)
    const { output } = walk(compiled, { input: { n: { polluted: true } } })
    expect(isObject(output) ? Object.keys(output).toSorted() : []).toEqual(['__proto__', 'constructor'])
    expect(memberOf(output, 'polluted')).toBeUndefined()
  })

  test('gives each execution data of its own', () => {
    const compiled = uncheckedDefinitionOf(`do: [{ a: { set: { list: ['\${ .n }'] } } }]`)
    const [one, other] = [walk(compiled, { input: { n: 1 } }).output, walk(compiled, { input: { n: 2 } }).output]
    expect([one, other]).toEqual([{ list: [1] }, { list: [2] }])
  })
})

describe('a condition', () => {
  test.each<[source: string, isTrue: boolean]>([
    ['true', true],
    ['false', false],
    ['null', false],
    ['empty', false],
    ['false, true', false],
    ['.missing', false],
    ['.n == 1 and .n < 2', true],
  ])('%s: %s', (source, isTrue) => {
    expect(
      walk(uncheckedDefinitionOf(JSON.stringify({ do: [{ a: { if: source, set: { ran: true } } }] })), { input: { n: 1 } }).completed,
    ).toEqual(isTrue ? ['a'] : [])
  })

  test.each(['0', '1', '""', '"false"', '{}', '[]'])('%s faults, since it decides nothing', (source) => {
    const walked = walk(uncheckedDefinitionOf(JSON.stringify({ do: [{ a: { if: source, set: { ran: true } } }] })), {})
    expect(walked.error?.detail).toContain('has to give true, false or null')
  })
})

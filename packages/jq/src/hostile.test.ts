import { startProcessorTime } from '#src/testing/processor-time.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compile, JqError, JqLimitError, JqSyntaxError, type Json } from './index.ts'
import { samples } from './testing/generate-program.ts'

const limits = { deadlineMs: 100, steps: 2_000_000, size: 5_000_000 }

/** Runs a program and says how it ended; anything but an output or one of our errors is a failure of the test. */
function outcome(program: string, input: Json = null): string {
  try {
    return JSON.stringify(compile(program, { limits }).run(input)) ?? 'undefined'
  } catch (error) {
    if (error instanceof JqSyntaxError) return `syntax: ${error.code}`
    if (error instanceof JqLimitError) return `limit: ${error.limit}`
    if (error instanceof JqError) return `error: ${error.message}`
    throw error
  }
}

function timed(program: string, input: Json = null): { readonly result: string; readonly ms: number } {
  const start = startProcessorTime()
  return { result: outcome(program, input), ms: start() }
}

describe('nesting beyond every stack is refused, never a crash', () => {
  test.each([
    ['parentheses', '('.repeat(100_000)],
    ['closed parentheses', `${'('.repeat(20_000)}1${')'.repeat(20_000)}`],
    ['arrays', `${'['.repeat(20_000)}1${']'.repeat(20_000)}`],
    ['objects', `${'{a:'.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['conditions', `${'if 1 then '.repeat(20_000)}1${' end'.repeat(20_000)}`],
    ['strings', `${'"\\('.repeat(20_000)}1${')"'.repeat(20_000)}`],
    ['minus signs', `${'-'.repeat(50_000)}1`],
    ['tries', `${'try '.repeat(50_000)}1`],
    ['a chain of additions', Array.from({ length: 50_000 }, () => '.').join(' + ')],
    ['a chain of alternatives', Array.from({ length: 50_000 }, () => '.').join(' // ')],
    ['bindings', `${'. as $x | '.repeat(50_000)}$x`],
    ['definitions', `${'def f: 1; '.repeat(50_000)}f`],
    ['labels', `${'label $l | '.repeat(50_000)}1`],
    ['patterns', `. as ${'['.repeat(20_000)}$x${']'.repeat(20_000)} | $x`],
    ['postfix question marks', `.${'?'.repeat(50_000)}`],
    ['fields', '.a'.repeat(50_000)],
    ['indexes', `.${'[0]'.repeat(50_000)}`],
  ])('%s', (_name, program) => {
    expect(outcome(program)).toMatch(/^(?:syntax: |limit: depth|\[|error: )/)
  })

  test('a pipeline may be as long as it likes', () => {
    expect(outcome(Array.from({ length: 20_000 }, () => '. + 1').join(' | '), 0)).toBe('[20000]')
  })

  test('a list may be as long as it likes', () => {
    expect(outcome(`[${Array.from({ length: 20_000 }, (_none, at) => at).join(', ')}] | length`)).toBe('[20000]')
  })
})

describe('endless programs end at a limit', () => {
  test.each([
    '[range(1e18)]',
    'last(range(1e18))',
    '[repeat(1)]',
    'repeat(empty)',
    'def f: f; f',
    'def f: 1 + f; f',
    'def f(g): f(g | g); f(.)',
    '[recurse(. + 1)]',
    'until(false; . + 1)',
    'last(while(true; . + 1))',
    'reduce range(1e18) as $x (0; . + $x)',
    'last(foreach range(1e18) as $x (0; . + $x))',
    '[limit(1e18; repeat(1))]',
    'def f: (f, f); f',
    'first(range(1e18) | select(. < 0))',
    'any(range(1e18); . < 0)',
    '[combinations(1e9)]',
    'reduce range(60) as $x ("x"; . + .)',
    'reduce range(60) as $x ([1]; . + .)',
    'reduce range(60) as $x ({a: 1}; {a: ., b: .}) | tojson',
    '[range(1e6)] | combinations(3)',
    '"x" * 1e8 | . * 20',
    '[.[] = range(1e9)]',
    '. as [$a] ?// $a | repeat($a)',
    'label $out | repeat(1)',
    'try repeat(1) catch .',
    '[range(3e5)] - [range(3e5)]',
    '[range(3e5)] | contains([range(3e5)])',
    '"a" * 1e5 | [scan("")] | length | . * 0 | until(false; .)',
  ])('%s', (program) => {
    const { result, ms } = timed(program, 0)
    expect(result).toMatch(/^(?:limit: |error: )/)
    expect(ms).toBeLessThan(3_000)
  })

  test('a limit cannot be caught by the program', () => {
    expect(outcome('try (def f: 1 + f; f) catch "caught"')).toBe('limit: depth')
    expect(outcome('(repeat(1))?')).toMatch(/^limit: /)
    expect(outcome('repeat(1) // 2')).toMatch(/^limit: /)
  })

  test('the outputs of a run are counted', () => {
    expect(() => compile('range(10)', { limits: { outputs: 3 } }).run(null)).toThrow(expect.objectContaining({ limit: 'outputs' }))
    expect(compile('range(3)', { limits: { outputs: 3 } }).run(null)).toEqual([0, 1, 2])
  })

  test('each limit says which one it was', () => {
    expect(() => compile('[range(100)]', { limits: { steps: 50 } }).run(null)).toThrow(expect.objectContaining({ limit: 'steps' }))
    expect(() => compile('[range(100)]', { limits: { size: 50 } }).run(null)).toThrow(expect.objectContaining({ limit: 'size' }))
    expect(() => compile('def f: if . > 50 then . else 1 + (. + 1 | f) end; f', { limits: { depth: 20 } }).run(0)).toThrow(
      expect.objectContaining({ limit: 'depth' }),
    )
    let clock = 0
    const late = compile('last(range(1e6))', { limits: { deadlineMs: 5 }, elapsed: () => (clock += 3) })
    expect(() => late.run(null)).toThrow(expect.objectContaining({ limit: 'deadline' }))
  })

  test('a run after a limit starts afresh', () => {
    const program = compile('[range(.)] | length', { limits: { steps: 1_000, size: 1_000 } })
    expect(() => program.first(1e9)).toThrow(JqLimitError)
    expect(program.first(10)).toBe(10)
  })
})

describe('regular expressions that explode elsewhere take linear time', () => {
  const text = 'a'.repeat(20_000)
  test.each([
    '(a+)+$',
    '(a|aa)+$',
    '(.*)*b',
    '(a*)*b',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(x+x+)+y',
    'a{0,500}a{0,500}b',
    '(?:a?){200}a{200}',
  ])('%s', (pattern) => {
    const { ms } = timed(`test("${pattern}")`, `${text}!`)
    expect(ms).toBeLessThan(3_000)
  })

  test.each(['((a{100}){100}){100}', 'a{100000}', '(?=a)', '(a)\\\\1', '[', '(', '*', '(?<', '\\\\'])(
    '%s is refused with a message',
    (pattern) => {
      expect(outcome(`test("${pattern}")`, 'a')).toMatch(/^(?:error: Regex failure: |syntax: )/)
    },
  )
})

describe('nothing of the host can be reached', () => {
  const names = [
    'constructor',
    '__proto__',
    'toString',
    'valueOf',
    'hasOwnProperty',
    '__defineGetter__',
    '__lookupGetter__',
    'length',
    'map',
    'at',
    '0',
    'prototype',
  ]

  test.each(names)('%s is an ordinary key that is not set', (name) => {
    expect(outcome(`.["${name}"]`, {})).toBe('[null]')
    expect(outcome(`has("${name}")`, {})).toBe('[false]')
    expect(outcome(`.["${name}"]`, [])).toMatch(/^error: Cannot index array/)
    expect(outcome(`.["${name}"]`, 'text')).toMatch(/^error: Cannot index string/)
    expect(outcome(`.["${name}"]`, 1)).toMatch(/^error: Cannot index number/)
    expect(outcome(`.["${name}"]`, true)).toMatch(/^error: Cannot index boolean/)
  })

  test.each(names)('%s can be set, read, listed and deleted like any other', (name) => {
    const set = `.["${name}"] = 5`
    expect(compile(`${set} | .["${name}"], has("${name}"), keys, tojson, (to_entries | length), length`).run({})).toEqual([
      5,
      true,
      [name],
      `{"${name}":5}`,
      1,
      1,
    ])
    expect(outcome(`${set} | del(.["${name}"])`, {})).toBe('[{}]')
    expect(outcome(`{"${name}": 5} | with_entries(.value += 1) | .["${name}"]`)).toBe('[6]')
    expect(outcome(`({"${name}": {"x": 1}} * {"${name}": {"y": 2}}) | .["${name}"] | keys`)).toBe('[["x","y"]]')
    expect(outcome(`{"${name}": 5} + {"b": 1} | .["${name}"]`)).toBe('[5]')
    expect(outcome(`"{\\"${name}\\":5}" | fromjson | .["${name}"]`)).toBe('[5]')
    expect(outcome(`[{"key": "${name}", "value": 5}] | from_entries | .["${name}"]`)).toBe('[5]')
    expect(outcome(`. as {"${name}": $x} | $x`, {})).toBe('[null]')
  })

  test('no prototype is changed by any of this', () => {
    outcome('.["__proto__"]["polluted"] = 1', {})
    outcome('setpath(["__proto__", "polluted"]; 1)', {})
    outcome('{"__proto__": {"polluted": 1}} * {"__proto__": {"polluted": 2}}')
    outcome('reduce (["__proto__", "polluted"], ["constructor", "prototype", "polluted"]) as $p (.; setpath($p; 1))', {})
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(compile('.polluted').first({})).toBeNull()
  })

  test('names of the host are not functions or variables of a program', () => {
    for (const name of ['eval', 'Function', 'require', 'process', 'globalThis', 'constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(outcome(name)).toBe('syntax: undefined-function')
      expect(outcome(`$${name}`)).toBe('syntax: undefined-variable')
      expect(outcome(`@${name}`)).toMatch(/^error: .* is not a valid format$/)
    }
    expect(compile('$toString', { variables: ['toString'] }).run(null, {})).toEqual([null])
    expect(compile('$__proto__', { variables: ['__proto__'] }).run(null, {})).toEqual([null])
  })

  test('an input is never changed, not even a deep one', () => {
    const input = Object.freeze({ a: Object.freeze([Object.freeze({ b: 1 }), 2]), c: 'x' })
    const before = JSON.stringify(input)
    for (const program of [
      '.a[0].b = 9',
      '.a |= map(.)',
      'del(.a[0].b)',
      '.a[1] += 1',
      '.a[0:1] = []',
      'walk(.)',
      '.. |= .',
      'to_entries',
      '.a | sort',
      'reduce .a[] as $x (.; .c = $x)',
      '.d.e.f = 1',
    ]) {
      outcome(program, input)
      expect(JSON.stringify(input)).toBe(before)
    }
  })

  test('a constant of a program cannot be changed through an output', () => {
    const program = compile('{a: [1, 2]}')
    const first = program.first(null)
    expect(Object.isFrozen(first)).toBe(true)
    expect(program.first(null)).toEqual({ a: [1, 2] })
  })
})

describe('random programs', () => {
  test('whatever the grammar makes ends in an output or in one of our errors', () => {
    fc.assert(
      fc.property(samples, ({ program, input }) => {
        expect(typeof outcome(program, JSON.parse(input))).toBe('string')
      }),
      { numRuns: 3_000, seed: 4, interruptAfterTimeLimit: 10_000 },
    )
  })

  test('whatever bytes come as a program compile or are refused', () => {
    const piece = fc.constantFrom(
      '.',
      '[',
      ']',
      '{',
      '}',
      '(',
      ')',
      '|',
      ',',
      '"',
      '\\(',
      '\\',
      '$',
      '@',
      '#',
      'a',
      '$x',
      '.a',
      'def f:',
      ';',
      ':',
      'as',
      'if',
      'then',
      'end',
      'reduce',
      'try',
      '?//',
      '//',
      '1',
      '1e999',
      '\u0000',
      '\ud800',
      '\n',
      'é',
      '::',
      '..',
      '...',
      'label $x |',
      'break $x',
      '@base64',
      '=',
      '|=',
      '-',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(typeof outcome(pieces.join(''))).toBe('string')
        expect(typeof outcome(pieces.join(' '))).toBe('string')
      }),
      { numRuns: 10_000, seed: 4, interruptAfterTimeLimit: 10_000 },
    )
  })
})

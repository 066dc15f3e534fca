import { describe, expect, test } from 'vitest'
import { compile, JqSyntaxError } from '#src/index.ts'
import { nativeNames } from './natives.ts'
import { preludeNames } from './prelude.ts'

function refusal(source: string): JqSyntaxError | undefined {
  try {
    compile(source)
    return undefined
  } catch (error) {
    if (error instanceof JqSyntaxError) return error
    throw error
  }
}

describe('what needs a process around the program', () => {
  test.each([
    ['input', 'input'],
    ['inputs', '[inputs]'],
    ['debug', '. | debug'],
    ['debug', 'debug("message")'],
    ['debug', 'map(debug)'],
    ['stderr', 'stderr'],
    ['halt', 'halt'],
    ['halt_error', 'halt_error'],
    ['halt_error', 'halt_error(3)'],
    ['env', 'env'],
    ['env', 'env.PATH'],
    ['$ENV', '$ENV'],
    ['$ENV', '$ENV.PATH'],
    ['$ENV', '"\\($ENV.HOME)"'],
    ['input_filename', 'input_filename'],
    ['input_line_number', 'input_line_number'],
    ['get_search_list', 'get_search_list'],
    ['modulemeta', '"m" | modulemeta'],
    ['get_prog_origin', 'get_prog_origin'],
    ['get_jq_origin', 'get_jq_origin'],
  ])('%s is refused by name in %s', (name, source) => {
    const error = refusal(source)
    expect(error?.code).toBe('refused')
    expect(error?.message).toContain(`${name} is not available`)
    expect(source.slice(error?.span.start, error?.span.end)).toBe(name)
  })

  test.each([
    'try input catch 1',
    'input?',
    'first(empty, input)',
    'if false then halt else 1 end',
    'def f: debug; f',
    '{a: env}',
    '[limit(0; inputs)]',
  ])('%s is refused before it runs, wherever it stands', (source) => {
    expect(refusal(source)?.code).toBe('refused')
  })

  test.each([
    ['def input: 7; input', 7],
    ['def env: {a: 1}; env.a', 1],
    ['def debug(m): m; debug(3)', 3],
    ['{"env": 5} | .env', 5],
    ['{input: 1} | keys[0]', 'input'],
    ['"halt"', 'halt'],
    ['1 as $input | $input', 1],
  ])('%s is no use of it', (source, output) => {
    expect(compile(source).first(null)).toBe(output)
  })
})

describe('an unknown function', () => {
  test.each([
    ['foo', 'foo/0 is not defined'],
    ['foo(1)', 'foo/1 is not defined'],
    ['length(1)', 'length/1 is not defined'],
    ['map', 'map/0 is not defined'],
    ['map(.; .)', 'map/2 is not defined'],
    ['limit(1)', 'limit/1 is not defined'],
    ['input(1)', 'input/1 is not defined'],
    ['env(1)', 'env/1 is not defined'],
    ['def f(x): x; f', 'f/0 is not defined'],
    ['def f: 1; f(2)', 'f/1 is not defined'],
    ['def f: g; def g: 1; f', 'g/0 is not defined'],
    ['def f: def g: 1; g; g', 'g/0 is not defined'],
    ['constructor', 'constructor/0 is not defined'],
    ['toString', 'toString/0 is not defined'],
    ['__proto__', '__proto__/0 is not defined'],
    ['hasOwnProperty(1)', 'hasOwnProperty/1 is not defined'],
    ['$foo', '$foo is not defined'],
    ['1 as $x | $y', '$y is not defined'],
    ['(1 as $x | $x) | $x', '$x is not defined'],
    ['def f($a): $a; $a', '$a is not defined'],
    ['$constructor', '$constructor is not defined'],
    ['$__prog_args', '$__prog_args is not defined'],
    ['. as [$a] | $b', '$b is not defined'],
    ['reduce .[] as $x (0; .) | $x', '$x is not defined'],
    ['{$x}', '$x is not defined'],
    ['break $x', '$*label-x is not defined'],
    ['(label $x | 1) | break $x', '$*label-x is not defined'],
    ['label $x | $x', '$x is not defined'],
    ['1 as $x | break $x', '$*label-x is not defined'],
    ['def f: break $x; label $x | f', '$*label-x is not defined'],
  ])('%s: %s', (source, message) => {
    expect(refusal(source)?.message).toBe(message)
  })
})

describe('names of the library', () => {
  const names = [...nativeNames(), ...preludeNames()]

  test('no built-in is there twice', () => {
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  })

  test.each(names.filter((name) => !name.startsWith('_')).map((name) => [name] as const))(
    '%s can be called and can be hidden by a definition',
    (name) => {
      const [text = '', arity = '0'] = name.split('/')
      const count = Number(arity)
      const args = count === 0 ? '' : `(${Array.from({ length: count }, () => '.').join('; ')})`
      const parameters = count === 0 ? '' : `(${Array.from({ length: count }, (_none, at) => `p${at}`).join('; ')})`
      expect(() => compile(`${text}${args}`, { clock: () => 0 })).not.toThrow()
      expect(compile(`def ${text}${parameters}: "mine"; ${text}${args}`).first(null)).toBe('mine')
    },
  )

  test('helpers of the library are not offered to programs that complete, yet nothing breaks when they are named', () => {
    for (const name of names.filter((text) => text.startsWith('_'))) expect(name).toMatch(/^_[a-z_]+\/\d$/)
  })
})

describe('formats that jq-wasm is built without', () => {
  test.each([
    ['', ''],
    ['a', 'ME======'],
    ['ab', 'MFRA===='],
    ['abc', 'MFRGG==='],
    ['abcd', 'MFRGGZA='],
    ['abcde', 'MFRGGZDF'],
    ['abcdef', 'MFRGGZDFMY======'],
    ['é', 'YOUQ===='],
  ])('base 32 of %j is %j by RFC 4648, and back', (text, encoded) => {
    expect(compile('@base32').first(text)).toBe(encoded)
    expect(compile('@base32d').first(encoded)).toBe(text)
  })

  test.each([
    ['a number becomes the letter', 'ascii', 65, 'A'],
    ['the last letter of ASCII', 'ascii', 127, '\u007f'],
    ['an array stays', 'toarray', [1], [1]],
    ['all else is put into an array', 'toarray', null, [null]],
    ['a date', 'date', 0, '1970-01-01T00:00:00Z'],
    ['a sum of dates', 'dateadd("seconds"; 10)', 5, 15],
    ['a difference of dates', 'datesub("seconds"; 10)', 5, -5],
  ])('%s: %s', (_name, source, input, output) => {
    expect(compile(source).first(input)).toEqual(output)
  })

  test.each([-1, 128, 'a', null])('%j has no letter in ASCII', (input) => {
    expect(() => compile('ascii').first(input)).toThrow('ascii only takes integers between 0 and 127')
  })
})

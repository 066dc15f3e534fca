import { describe, expect, test } from 'vitest'
import { compile, complete, type Shape } from './index.ts'

const shape: Shape = {
  input: { user: { name: 'Ada', nation: 'UK', 'full name': 'Ada L.' }, items: [{ id: 1 }, { tag: 'x' }], count: 3 },
  variables: { context: { id: 'c', secrets: { token: 't' } }, workflow: {} },
}

function texts(source: string, at = source.length): string[] {
  return complete(source, at, shape).map(({ text }) => text)
}

describe('completions', () => {
  test('after a dot come the fields of the example', () => {
    expect(texts('.')).toEqual(['user', 'items', 'count'])
    expect(texts('.user.na')).toEqual(['name', 'nation'])
    expect(texts('1 | .co')).toEqual(['count'])
  })

  test('a field that is no identifier comes with quotes', () => {
    expect(texts('.user.f')).toEqual(['"full name"'])
  })

  test('iteration follows every element of the example', () => {
    expect(texts('.items[].')).toEqual(['id', 'tag'])
    expect(texts('.items[]?.t')).toEqual(['tag'])
  })

  test('fields of variables come from their examples', () => {
    expect(texts('$context.')).toEqual(['id', 'secrets'])
    expect(texts('$context.secrets.')).toEqual(['token'])
    expect(texts('$nothing.')).toEqual([])
  })

  test('after a dollar come the given variables and those that the program binds', () => {
    expect(texts('$')).toEqual(['$context', '$workflow', '$__loc__'])
    expect(texts('. as $item | $i')).toEqual(['$item'])
  })

  test('elsewhere come built-ins, definitions of the program and keywords', () => {
    expect(texts('def myown: 1; my')).toEqual(['myown'])
    expect(texts('ltrim')).toEqual(['ltrim', 'ltrimstr'])
    expect(texts('redu')).toEqual(['reduce'])
    expect(texts('_')).toEqual([])
  })

  test('the detail of a function is its arities', () => {
    expect(complete('limi', 4)).toEqual([{ kind: 'function', text: 'limit', detail: '2', start: 0, end: 4 }])
    expect(complete('rang', 4)[0]?.detail).toBe('1, 2, 3')
  })

  test('after an at sign come the formats', () => {
    expect(texts('@base64')).toEqual(['@base64', '@base64d'])
  })

  test('inside a string nothing is offered, inside its interpolation everything is', () => {
    expect(texts('"use')).toEqual([])
    expect(texts('"\\(.us')).toEqual(['user'])
  })

  test('what is typed is replaced, the rest of the program stays', () => {
    expect(complete('.user.na | length', 8, shape)).toEqual([
      { kind: 'field', text: 'name', detail: 'string', start: 6, end: 8 },
      { kind: 'field', text: 'nation', detail: 'string', start: 6, end: 8 },
    ])
  })

  test('a program that cannot be read gives no completions and no error', () => {
    expect(texts('"\\q" | .u')).toEqual([])
  })
})

describe('fields', () => {
  const nested: Shape = {
    input: {
      a: { b: { c: 1, 'c d': 2 }, list: [{ x: 1 }, { y: null }, 5] },
      __proto__x: 1,
      constructor: { own: true },
      keyword: { if: 1, and: 2, reduce: 3 },
    },
  }
  const at = (source: string): string[] => complete(source, source.length, nested).map(({ text }) => text)

  test.each([
    ['below fields', '.a.b.', ['c', '"c d"']],
    ['by their beginning', '.a.b.c', ['c', '"c d"']],
    ['below a question mark', '.a?.b.', ['c', '"c d"']],
    ['below an iteration', '.a.list[].', ['x', 'y']],
    ['below an iteration of an object', '.a[].', ['c', '"c d"']],
    ['with names of prototypes', '.constructor.', ['own']],
    ['with names of keywords', '.keyword.', ['if', 'and', 'reduce']],
    ['after a pipe, as far as the input is meant', '1 | .a.b.', ['c', '"c d"']],
    ['in an argument', 'map(.a.b.', ['c', '"c d"']],
    ['in an object', '{x: .a.b.', ['c', '"c d"']],
    ['in an array', '[.a.b.', ['c', '"c d"']],
    ['in a condition', 'if .a.b.', ['c', '"c d"']],
    ['in a text', '"\\(.a.b.', ['c', '"c d"']],
    ['after a comment', '# .x\n.a.b.', ['c', '"c d"']],
    ['not of what has none', '.a.b.c.', []],
    ['not of what is not there', '.nothing.', []],
    ['not of an array', '.a.list.', []],
    ['not of the parts of a number', '.a.list[].x.', []],
    ['not inside a comment', '# .a.', []],
    ['not inside a text', '"a .a.', []],
    ['not with another beginning', '.zzz', []],
  ])('come %s: %s', (_name, source, expected) => {
    expect(at(source)).toEqual(expected)
  })

  test('say their types', () => {
    const details = complete('.', 1, { input: { n: null, b: true, i: 1, t: '', a: [], o: {} } }).map(
      ({ text, detail }) => `${text}: ${detail}`,
    )
    expect(details).toEqual(['n: null', 'b: boolean', 'i: number', 't: string', 'a: array', 'o: object'])
  })

  test('without an example there are no completions', () => {
    expect(complete('.', 1)).toEqual([])
    expect(complete('.a.', 3, { input: null })).toEqual([])
    expect(complete('.', 1, { input: [1] })).toEqual([])
  })

  test('of a variable that the program binds itself are not guessed', () => {
    expect(complete('1 as $x | $x.', 13, { input: { a: 1 } })).toEqual([])
  })
})

describe('variables', () => {
  test.each([
    ['bound by as', '1 as $one | $', ['$one', '$__loc__']],
    ['bound by a pattern', '. as [$first, {a: $second}] | $', ['$first', '$second', '$__loc__']],
    ['bound by reduce', 'reduce .[] as $item (0; $', ['$item', '$__loc__']],
    ['bound as parameters', 'def f($size): $', ['$size', '$__loc__']],
    ['once each', '1 as $x | 2 as $x | $', ['$x', '$__loc__']],
    ['by their beginning', '1 as $alpha | 2 as $beta | $b', ['$beta']],
    ['not those that are bound later', '$ | 1 as $x | 2', ['$__loc__']],
  ])('%s', (_name, source, expected) => {
    const offset = source.startsWith('$ ') ? 1 : source.length
    expect(complete(source, offset).map(({ text }) => text)).toEqual(expected)
  })

  test('say the types of their examples', () => {
    const found = complete('$', 1, { variables: { a: 1, b: [] } })
    expect(found.map(({ text, detail }) => [text, detail])).toEqual([
      ['$a', 'number'],
      ['$b', 'array'],
      ['$__loc__', 'variable'],
    ])
  })

  test('replace the dollar too', () => {
    expect(complete('1 + $co', 7, { variables: { context: 1 } })).toEqual([
      { kind: 'variable', text: '$context', detail: 'number', start: 4, end: 7 },
    ])
  })
})

describe('names', () => {
  test.each([
    ['of built-ins', 'asci', ['ascii', 'ascii_downcase', 'ascii_upcase']],
    ['of built-ins that are written in jq', 'with_', ['with_entries']],
    ['of SQL-style functions', 'IND', ['INDEX']],
    ['of keywords', 'fore', ['foreach']],
    ['of built-ins before keywords', 'lab', ['label']],
    ['of definitions with parameters', 'def myself(f): f; mys', ['myself']],
    ['of definitions inside definitions', 'def f: def inner: 1; inn', ['inner']],
    ['after a pipe', '. | ltrims', ['ltrimstr']],
    ['in an argument', 'map(ltrims', ['ltrimstr']],
    ['not of what is refused', 'input_f', []],
    ['not of the library itself', '_m', []],
  ])('%s: %s', (_name, source, expected) => {
    expect(complete(source, source.length).map(({ text }) => text)).toEqual(expected)
  })

  test('come for nothing typed, in order, functions first', () => {
    const all = complete('. | ', 4)
    const functions = all.filter(({ kind }) => kind === 'function').map(({ text }) => text)
    expect(functions.length).toBeGreaterThan(180)
    expect(functions).toEqual(functions.toSorted())
    expect(all.slice(0, functions.length).every(({ kind }) => kind === 'function')).toBe(true)
    expect(all.slice(functions.length).every(({ kind }) => kind === 'keyword')).toBe(true)
  })

  test('every one of them that is a function without arguments compiles', () => {
    const callable = complete('. | ', 4).filter(({ kind, detail }) => kind === 'function' && detail.split(', ').includes('0'))
    expect(callable.length).toBeGreaterThan(100)
    expect(callable.map(({ text }) => compile(text, { clock: () => 0 }).source)).toEqual(callable.map(({ text }) => text))
  })

  test('every format that is offered is one', () => {
    const formats = complete('@', 1)
    expect(formats).toHaveLength(12)
    for (const { text } of formats) expect(() => compile(text).first(text === '@csv' || text === '@tsv' ? [] : '')).not.toThrow()
  })
})

describe('an offset inside the program', () => {
  test.each([
    ['a field', 3, ['user']],
    ['the end of a field', 5, ['user']],
    ['the next field', 7, ['name', 'nation']],
  ])('%s', (_name, offset, expected) => {
    expect(complete('.user.name', offset, shape).map(({ text }) => text)).toEqual(expected)
  })

  test('replaces only what stands before it', () => {
    expect(complete('.user.name', 8, shape)).toEqual([
      { kind: 'field', text: 'name', detail: 'string', start: 6, end: 8 },
      { kind: 'field', text: 'nation', detail: 'string', start: 6, end: 8 },
    ])
  })
})

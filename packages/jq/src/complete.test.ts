import { describe, expect, test } from 'vitest'
import { complete, type Shape } from './index.ts'

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

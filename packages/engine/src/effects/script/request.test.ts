import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { defaultScriptLimits } from './limits.ts'
import { scriptRequest } from './request.ts'

const limits = { ...defaultScriptLimits, codeBytes: 100, inputBytes: 100 }
const script = { language: 'js', code: '1' }

function failure(given: Json): unknown {
  try {
    return scriptRequest(given, limits)
  } catch (error) {
    return error
  }
}

function errorOf(type: string, detail: string): object {
  return { data: { type: expect.stringMatching(new RegExp(`/${type}$`)), detail: expect.stringContaining(detail) } }
}

test('a script with its code alone has empty input and gives its standard output', () => {
  expect(scriptRequest(script, limits)).toEqual({ run: { code: '1', stdin: '', arguments: [], environment: {} }, returns: 'stdout' })
})

test('null is as good as nothing', () => {
  const given = { ...script, stdin: null, arguments: null, environment: null, return: null }
  expect(scriptRequest(given, limits)).toEqual(scriptRequest(script, limits))
})

test('texts are handed over as they are', () => {
  const given = { ...script, stdin: 'in', arguments: ['a', ''], environment: { A: 'b' } }
  expect(scriptRequest(given, limits).run).toEqual({ code: '1', stdin: 'in', arguments: ['a', ''], environment: { A: 'b' } })
})

test('what is no text is handed over as JSON', () => {
  const given = { ...script, stdin: { a: [1] }, arguments: [1, true, null, { b: 2 }], environment: { N: 1, O: { c: 'd' }, Z: null } }
  expect(scriptRequest(given, limits).run).toEqual({
    code: '1',
    stdin: '{"a":[1]}',
    arguments: ['1', 'true', 'null', '{"b":2}'],
    environment: { N: '1', O: '{"c":"d"}', Z: 'null' },
  })
})

test.each(['stdout', 'stderr', 'code', 'all', 'none'])('return: %s is taken', (mode) => {
  expect(scriptRequest({ ...script, return: mode }, limits).returns).toBe(mode)
})

describe('a definition that cannot be run is a configuration error', () => {
  test.each<readonly [string, Json, string]>([
    ['another language', { ...script, language: 'python' }, 'not in "python"'],
    ['no language', { code: '1' }, 'runs scripts in "js"'],
    ['no code', { language: 'js' }, 'needs its code'],
    ['code that is no text', { language: 'js', code: { a: 1 } }, 'needs its code'],
    ['U+0000 in the code', { language: 'js', code: 'a\0b' }, 'U+0000'],
    ['an unknown return', { ...script, return: 'both' }, 'stdout, stderr, code, all, none'],
    ['no object', 'script', 'runs scripts in "js"'],
    ['a list', [script], 'runs scripts in "js"'],
  ])('%s', (_, given, detail) => {
    expect(failure(given)).toMatchObject(errorOf('configuration', detail))
  })
})

describe('data that does not fit is a validation error', () => {
  test.each<readonly [string, Json, string]>([
    ['long code', { language: 'js', code: 'x'.repeat(101) }, 'the code of the script has 101 bytes, and may have 100 bytes'],
    ['long input', { ...script, stdin: 'x'.repeat(101) }, 'has 101 bytes, and may have 100 bytes'],
    ['characters of several bytes', { ...script, stdin: 'é'.repeat(51) }, 'has 102 bytes'],
    ['many arguments', { ...script, arguments: ['x'.repeat(60), 'x'.repeat(60)] }, 'has 120 bytes'],
    ['a long environment', { ...script, environment: { ['x'.repeat(60)]: 'x'.repeat(60) } }, 'has 120 bytes'],
    [
      'all of it together',
      { ...script, stdin: 'x'.repeat(40), arguments: ['x'.repeat(40)], environment: { A: 'x'.repeat(40) } },
      'has 121 bytes',
    ],
    ['arguments that are an object', { ...script, arguments: { a: 1 } }, 'have to be a list'],
    ['arguments that are text', { ...script, arguments: 'a b' }, 'have to be a list'],
    ['an environment that is a list', { ...script, environment: ['A=b'] }, 'has to be an object'],
  ])('%s', (_, given, detail) => {
    expect(failure(given)).toMatchObject(errorOf('validation', detail))
  })
})

test('what just fits is taken', () => {
  expect(scriptRequest({ language: 'js', code: 'x'.repeat(100), stdin: 'x'.repeat(100) }, limits).run.stdin).toHaveLength(100)
})

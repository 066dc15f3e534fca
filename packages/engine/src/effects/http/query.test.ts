import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { addQuery } from './url.ts'

function withQuery(url: string, argument: Json | undefined): string {
  const target = new URL(url)
  addQuery(target, argument)
  return target.href
}

describe('parameters', () => {
  test.each<[string, Json | undefined, string]>([
    ['http://h/', { a: 'x' }, 'http://h/?a=x'],
    ['http://h/?a=1', { b: 2 }, 'http://h/?a=1&b=2'],
    ['http://h/?a=1', { a: 2 }, 'http://h/?a=1&a=2'],
    ['http://h/', { a: ['x', 'y', 3] }, 'http://h/?a=x&a=y&a=3'],
    ['http://h/', { a: [] }, 'http://h/'],
    ['http://h/', { a: null, b: [null, 'x'] }, 'http://h/?b=x'],
    ['http://h/', { a: true, b: 0 }, 'http://h/?a=true&b=0'],
    ['http://h/', { a: '' }, 'http://h/?a='],
    ['http://h/', { 'a b&c': 'ü=?#+' }, 'http://h/?a%20b%26c=%C3%BC%3D%3F%23%2B'],
    ['http://h/', {}, 'http://h/'],
    ['http://h/', null, 'http://h/'],
    ['http://h/', undefined, 'http://h/'],
    ['http://h/?', { a: 1 }, 'http://h/?a=1'],
  ])('%s with %j is %s', (url, argument, expected) => {
    expect(withQuery(url, argument)).toBe(expected)
  })

  test('what the author wrote in the URI stays as it is', () => {
    expect(withQuery('http://h/?sig=a%2Bb+c%20d~', { x: 1 })).toBe('http://h/?sig=a%2Bb+c%20d~&x=1')
  })

  test('a lone surrogate does not fail the call', () => {
    expect(withQuery('http://h/', { v: '\ud800', '\udc00': 1 })).toBe('http://h/?v=%EF%BF%BD&%EF%BF%BD=1')
  })

  test('a parameter that a server decodes is the value that was given', () => {
    const value = `all of it: ${String.fromCharCode(...Array.from({ length: 94 }, (_, index) => index + 33))} ü☃🎉`
    expect(new URL(withQuery('http://h/', { v: value })).searchParams.get('v')).toBe(value)
  })
})

test.each<[Json, string]>([
  ['a=1', '"query" must be an object'],
  [['a'], '"query" must be an object'],
  [{ a: { b: 1 } }, 'The query parameter "a" must be'],
  [{ a: [[1]] }, 'The query parameter "a" must be'],
])('%j is refused', (argument, message) => {
  expect(() => withQuery('http://h/', argument)).toThrow(message)
})

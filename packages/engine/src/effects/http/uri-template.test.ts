import { describe, expect, test } from 'vitest'
import { HttpCallError } from './http-call-error.ts'
import { expandUriTemplate } from './url.ts'

describe('simple expansion', () => {
  test.each([
    ['http://h/pets/{id}', { id: 7 }, 'http://h/pets/7'],
    ['http://h/{a}/{b}', { a: 'x', b: true }, 'http://h/x/true'],
    ['http://h/{a}{b}', { a: 'x', b: 'y' }, 'http://h/xy'],
    ['http://h/?q={q}', { q: 'a b&c=d' }, 'http://h/?q=a%20b%26c%3Dd'],
    ['http://h/{v}', { v: "Hello World!'()*" }, 'http://h/Hello%20World%21%27%28%29%2A'],
    ['http://h/{v}', { v: 'ü/€' }, 'http://h/%C3%BC%2F%E2%82%AC'],
    ['http://h/{v}', { v: 'a-b.c_d~e' }, 'http://h/a-b.c_d~e'],
    ['http://h/{v}', { v: '50%' }, 'http://h/50%25'],
    ['http://h/{v}', { v: 0 }, 'http://h/0'],
    ['http://h/{v}', { v: false }, 'http://h/false'],
    ['http://h/plain', {}, 'http://h/plain'],
  ])('%s with %j is %s', (template, variables, expected) => {
    expect(expandUriTemplate(template, variables)).toBe(expected)
  })

  test('a variable that is absent or null is the empty string', () => {
    expect(expandUriTemplate('http://h/a{none}b/c{nothing}?q={none}', { nothing: null })).toBe('http://h/ab/c?q=')
  })

  test('names are verbatim: {pet.id} is the property "pet.id" and not the id of the pet', () => {
    expect(expandUriTemplate('http://h/{pet.id}', { 'pet.id': 1, pet: { id: 2 } })).toBe('http://h/1')
    expect(expandUriTemplate('http://h/p{pet.id}', { pet: { id: 2 } })).toBe('http://h/p')
  })

  test('a property of that name is used even when the name is no variable of RFC 6570', () => {
    expect(expandUriTemplate('http://h/{first name}', { 'first name': 'Ann' })).toBe('http://h/Ann')
  })

  test('properties of the prototype are no variables', () => {
    expect(expandUriTemplate('http://h/a{constructor}/b{toString}', {})).toBe('http://h/a/b')
  })

  test.each([[null], ['text'], [[1, 2]], [3]])('an input of %j has no variables', (input) => {
    expect(expandUriTemplate('http://h/a{length}{0}', input)).toBe('http://h/a')
  })

  test('a lone surrogate does not fail the call', () => {
    expect(expandUriTemplate('http://h/{v}', { v: '\ud800' })).toBe('http://h/%EF%BF%BD')
  })
})

describe('what is refused', () => {
  test.each(['http://h/pets/{id}', 'http://h/{id}/stock', 'http://h/{id}{none}/x', '{id}/x'])(
    'a segment of the path of %s that would be empty is named',
    (template) => {
      expect(() => expandUriTemplate(template, { id: null })).toThrow('{id} is empty')
    },
  )

  test.each([
    [{ v: { a: 1 } }, 'an object'],
    [{ v: [1] }, 'an array'],
  ])('a variable %j is an expression error', (variables, kind) => {
    const attempt = (): string => expandUriTemplate('http://h/{v}', variables)
    expect(attempt).toThrow(HttpCallError)
    expect(attempt).toThrow(`{v} must be a string, number, boolean or null, and is ${kind}`)
    expect(attempt).toThrow(expect.objectContaining({ kind: 'expression' }))
  })

  test.each(['{+path}', '{#frag}', '{/seg}', '{;par}', '{?q}', '{&q}', '{a,b}', '{a*}', '{a:3}', '{"a":1}'])(
    'the operator in %s is named instead of vanishing',
    (expression) => {
      expect(() => expandUriTemplate(`http://h/${expression}`, {})).toThrow(`The URI template has ${expression}`)
    },
  )

  test.each(['.', '..'])('a value %j cannot climb out of the path', (value) => {
    expect(() => expandUriTemplate('http://h/tenants/{id}/secrets', { id: value })).toThrow('the segment "." or ".."')
  })

  test('dots made of two variables cannot climb out either', () => {
    expect(() => expandUriTemplate('http://h/tenants/{a}{b}/secrets', { a: '.', b: '.' })).toThrow('the segment "." or ".."')
  })

  test('dots where they climb nowhere are let through', () => {
    expect(expandUriTemplate('http://h/files/a{dots}b?x={dots}', { dots: '..' })).toBe('http://h/files/a..b?x=..')
  })

  test('a value cannot leave its segment, its parameter or the host', () => {
    const expanded = expandUriTemplate('http://h/{v}?a={v}', { v: '../x?y=1#z@evil.test/' })
    expect(new URL(expanded)).toMatchObject({ host: 'h', hash: '' })
    expect(new URL(expanded).searchParams.size).toBe(1)
  })
})

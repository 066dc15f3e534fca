import { describe, expect, test } from 'vitest'
import { HttpCallError } from './http-call-error.ts'
import { checkHeaderValue, parseHeaders } from './headers.ts'

describe('headers that are sent', () => {
  test('names are lower case and values text', () => {
    const headers = parseHeaders({ 'X-Text': ' a ', 'X-Number': 1.5, 'X-Flag': true, 'X-List': ['a', 2] })
    expect(Object.fromEntries(headers)).toEqual({ 'x-text': 'a', 'x-number': '1.5', 'x-flag': 'true', 'x-list': 'a, 2' })
  })

  test('null says that a header is not wanted', () => {
    expect(parseHeaders({ 'Idempotency-Key': null }).get('idempotency-key')).toBeNull()
  })

  test.each([[undefined], [null], [{}]])('%j is no headers', (argument) => {
    expect(parseHeaders(argument).size).toBe(0)
  })

  test('values may be Latin-1 and empty', () => {
    expect(Object.fromEntries(parseHeaders({ a: 'Zoë', b: '' }))).toEqual({ a: 'Zoë', b: '' })
  })

  test('a header named __proto__ is a header', () => {
    expect(parseHeaders(JSON.parse('{"__proto__": "x"}')).get('__proto__')).toBe('x')
  })
})

describe('headers that are refused', () => {
  test.each(['a\r\nb: c', 'a\nb', 'a\rb', 'a\0b', 'a\u007fb', 'snow☃', 'a\u001bb'])('the value %j', (value) => {
    expect(() => parseHeaders({ 'x-a': value })).toThrow('The header "x-a" has a character that no header can carry')
  })

  test.each(['', 'a b', 'a:b', 'a\r\nb', 'ä', 'a\0', '(a)'])('the name %j', (name) => {
    expect(() => parseHeaders({ [name]: 'x' })).toThrow('is not a header name')
  })

  test.each([
    'Host',
    'Content-Length',
    'transfer-encoding',
    'Connection',
    'Keep-Alive',
    'Upgrade',
    'Expect',
    'TE',
    'Trailer',
    'Proxy-Connection',
  ])('%s, which belongs to the transport', (name) => {
    expect(() => parseHeaders({ [name]: 'x' })).toThrow(`The header "${name}" cannot be set`)
  })

  test('one name in two cases', () => {
    expect(() => parseHeaders({ Accept: 'a', accept: 'b' })).toThrow('The header "accept" is given twice')
  })

  test.each([[{ a: {} }], [{ a: [[]] }], [{ a: [null] }]])('the nested value %j', (argument) => {
    expect(() => parseHeaders(argument)).toThrow('The header "a" must be a string, number or boolean')
  })

  test.each([['text'], [[]], [1]])('%j instead of an object', (argument) => {
    expect(() => parseHeaders(argument)).toThrow(HttpCallError)
  })
})

test('a value that can be sent is given back, a tab included', () => {
  expect(checkHeaderValue('It', 'a\tb')).toBe('a\tb')
})

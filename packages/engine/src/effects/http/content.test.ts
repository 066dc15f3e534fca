import { describe, expect, test } from 'vitest'
import { decodeText, parseContent } from './content.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8')

describe('JSON', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'application/problem+json', 'text/json'])('%s is parsed', (type) => {
    expect(parseContent(bytes('{"a":[1,null,"ü"]}'), type)).toEqual({ a: [1, null, 'ü'] })
  })

  test('a byte order mark does no harm', () => {
    expect(parseContent(bytes('\ufeff{"a":1}'), 'application/json')).toEqual({ a: 1 })
  })

  test('another charset than UTF-8 is honoured', () => {
    expect(parseContent(Buffer.from('{"a":"ü"}', 'latin1'), 'application/json; charset=iso-8859-1')).toEqual({ a: 'ü' })
  })

  test('what says it is JSON and is not is a communication error', () => {
    expect(() => parseContent(bytes('<html>'), 'application/json')).toThrow(
      expect.objectContaining({ kind: 'communication', error: expect.objectContaining({ status: 502 }) }),
    )
  })

  test('a reply nested so deeply that serialising it would overflow the stack is refused', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(() => parseContent(bytes(deep), 'application/json')).toThrow('nested deeper than 1000 levels')
    expect(() => parseContent(bytes('{"a":'.repeat(1_001) + '1' + '}'.repeat(1_001)), 'application/json')).toThrow('nested deeper')
  })

  test('brackets in strings and siblings are no nesting', () => {
    const flat = { text: '[{"\\'.repeat(2_000), list: Array.from({ length: 2_000 }, () => [{}]) }
    expect(parseContent(bytes(JSON.stringify(flat)), 'application/json')).toEqual(flat)
  })

  test('a thousand levels are parsed', () => {
    const text = '['.repeat(1_000) + ']'.repeat(1_000)
    expect(JSON.stringify(parseContent(bytes(text), 'application/json'))).toBe(text)
  })

  test('the name __proto__ is data', () => {
    const value = parseContent(bytes('{"__proto__":{"admin":true}}'), 'application/json')
    expect(Object.hasOwn(Object(value), '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})

describe('text', () => {
  test.each(['text/plain', 'text/html; charset=utf-8', 'application/xml', 'image/svg+xml', 'application/vnd.unknown; charset=utf-8'])(
    '%s is a string',
    (type) => {
      expect(parseContent(bytes('<ü>'), type)).toBe('<ü>')
    },
  )

  test.each([
    ['iso-8859-1', Buffer.from([0xfc])],
    ['windows-1252', Buffer.from([0xfc])],
    ['utf-16le', Buffer.from('ü', 'utf16le')],
  ])('the charset %s is honoured', (charset, body) => {
    expect(parseContent(body, `text/plain; charset=${charset}`)).toBe('ü')
  })

  test('an unknown charset is read as UTF-8', () => {
    expect(decodeText(bytes('ü'), 'klingon')).toBe('ü')
  })
})

describe('everything else', () => {
  test('binary content is base64', () => {
    expect(parseContent(Buffer.from([0, 255, 1]), 'application/octet-stream')).toBe('AP8B')
  })

  test('a view into a larger buffer gives its own bytes only', () => {
    const view = new Uint8Array(Buffer.from('xxhixx').buffer.slice(0)).subarray(0, 0)
    expect(parseContent(Buffer.from('..hi..').subarray(2, 4), 'application/octet-stream')).toBe('aGk=')
    expect(parseContent(view, 'application/octet-stream')).toBeNull()
  })

  test('without a content type, UTF-8 is text and anything else base64', () => {
    expect(parseContent(bytes('plain ü'), undefined)).toBe('plain ü')
    expect(parseContent(Buffer.from([0xff, 0xfe, 0xff]), undefined)).toBe('//7/')
  })

  test.each(['application/json', 'text/plain', 'image/png', undefined])('an empty body of type %s is null', (type) => {
    expect(parseContent(new Uint8Array(), type)).toBeNull()
  })
})

import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { encodeBody } from './body.ts'

const boundary = (): string => 'BOUNDARY'
const encode = (argument: Json | undefined, contentType?: string): { body: string; contentType: string } | undefined => {
  const encoded = encodeBody(argument, contentType, boundary)
  return encoded && { body: Buffer.from(encoded.body).toString('latin1'), contentType: encoded.contentType }
}

describe('without a content type', () => {
  test.each<[Json, string, string]>([
    [{ a: [1] }, '{"a":[1]}', 'application/json'],
    [[1, 2], '[1,2]', 'application/json'],
    [7, '7', 'application/json'],
    [false, 'false', 'application/json'],
    ['text', 'text', 'text/plain; charset=utf-8'],
    ['', '', 'text/plain; charset=utf-8'],
  ])('%j is sent as %s, %s', (argument, body, contentType) => {
    expect(encode(argument)).toEqual({ body, contentType })
  })

  test.each([[undefined], [null]])('%j is no body', (argument) => {
    expect(encode(argument)).toBeUndefined()
    expect(encode(argument, 'application/json')).toBeUndefined()
  })
})

describe('JSON types', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'application/vnd.api+json'])('%s serialises', (type) => {
    expect(encode({ a: 1 }, type)).toEqual({ body: '{"a":1}', contentType: type })
  })

  test('a string is taken for JSON that is serialised already', () => {
    expect(encode('{"a":1}', 'application/json')?.body).toBe('{"a":1}')
  })
})

describe('forms', () => {
  const type = 'application/x-www-form-urlencoded'

  test('an object becomes fields', () => {
    expect(encode({ a: 'x y', b: [1, 2], c: null, d: true, e: { f: 1 } }, type)?.body).toBe('a=x+y&b=1&b=2&d=true&e=%7B%22f%22%3A1%7D')
  })

  test('a string goes as it is', () => {
    expect(encode('a=1&b=2', type)?.body).toBe('a=1&b=2')
  })

  test('an array is refused', () => {
    expect(() => encode([1], type)).toThrow('A form body must be an object')
  })
})

describe('multipart', () => {
  const type = 'multipart/form-data'

  test('fields, lists, objects and files become parts, and the type gets the boundary', () => {
    const encoded = encode(
      { name: 'Ann', tag: ['a', 'b'], none: null, meta: { x: 1 }, file: { base64: 'aGk=', filename: 'hi.txt', contentType: 'text/plain' } },
      type,
    )
    expect(encoded?.contentType).toBe('multipart/form-data; boundary=BOUNDARY')
    expect(encoded?.body.split('\r\n')).toEqual([
      '--BOUNDARY',
      'content-disposition: form-data; name="name"',
      '',
      'Ann',
      '--BOUNDARY',
      'content-disposition: form-data; name="tag"',
      '',
      'a',
      '--BOUNDARY',
      'content-disposition: form-data; name="tag"',
      '',
      'b',
      '--BOUNDARY',
      'content-disposition: form-data; name="meta"',
      'content-type: application/json',
      '',
      '{"x":1}',
      '--BOUNDARY',
      'content-disposition: form-data; name="file"; filename="hi.txt"',
      'content-type: text/plain',
      '',
      'hi',
      '--BOUNDARY--',
      '',
    ])
  })

  test('the runtime that wrote the rules reads the same back', async () => {
    const encoded = encodeBody({ 'näme "x"\r\n': 'ü', file: { base64: '/wA=', filename: 'a"b.bin' } }, type, boundary)
    const reply = new Response(Buffer.from(encoded?.body ?? ''), { headers: { 'content-type': encoded?.contentType ?? '' } })
    const form = await reply.formData()
    expect([...form.keys()]).toHaveLength(2)
    const file = form.get('file')
    expect(file).toBeInstanceOf(File)
    expect(file instanceof File && new Uint8Array(await file.arrayBuffer())).toEqual(new Uint8Array([255, 0]))
    expect([...form.values()][0]).toBe('ü')
  })

  test('a file cannot inject a header by its type', () => {
    expect(() => encode({ f: { base64: '', contentType: 'a/b\r\nx: y' } }, type)).toThrow('has a character that no header can carry')
  })

  test('a name cannot inject a header', () => {
    expect(encode({ 'a"\r\nx: y': 1 }, type)?.body).toContain('name="a%22%0D%0Ax: y"')
  })

  test('a list is refused', () => {
    expect(() => encode([1], type)).toThrow('A multipart body must be an object')
  })
})

describe('other types', () => {
  test('a string goes in the charset that the type names', () => {
    expect(encode('ü', 'text/plain; charset=iso-8859-1')?.body).toBe('\xfc')
    expect(encode('ü', 'text/plain')?.body).toBe('\xc3\xbc')
    expect(encode('ü', 'text/plain; charset=UTF-8')?.body).toBe('\xc3\xbc')
  })

  test.each([
    ['☃', 'text/plain; charset=latin1', 'lacks'],
    ['ü', 'text/plain; charset=us-ascii', 'lacks'],
    ['a', 'text/plain; charset=utf-16', 'cannot be written in the charset "utf-16"'],
  ])('%s as %s is refused', (text, type, message) => {
    expect(() => encode(text, type)).toThrow(message)
  })

  test('bytes are given as base64', () => {
    expect(encode({ base64: '/wAB' }, 'application/octet-stream')?.body).toBe('\xff\0\x01')
  })

  test('what is not base64 is refused', () => {
    expect(() => encode({ base64: 'no base64!' }, 'image/png')).toThrow('is not base64')
  })

  test('an object for a type without objects is refused', () => {
    expect(() => encode({ a: 1 }, 'application/xml')).toThrow('A body of type application/xml must be a string')
  })

  test('a number is written as text', () => {
    expect(encode(5, 'text/plain')?.body).toBe('5')
  })

  test('an invalid content type is refused', () => {
    expect(() => encode('x', 'json')).toThrow('The content type "json" is not one')
  })
})

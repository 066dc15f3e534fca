import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { encodeMultipart } from './body.ts'

/** What the runtime, which did not write it, reads in a multipart body. */
async function read(argument: Json): Promise<FormData> {
  const { body, contentType } = encodeMultipart(argument, 'the-boundary')
  return new Response(Buffer.from(body), { headers: { 'content-type': contentType } }).formData()
}

async function fileOf(form: FormData, name: string): Promise<{ name: string; type: string; bytes: number[] }> {
  const file = form.get(name)
  if (!(file instanceof File)) throw new Error(`${name} is no file`)
  return { name: file.name, type: file.type, bytes: [...new Uint8Array(await file.arrayBuffer())] }
}

describe('fields', () => {
  test('are text, numbers and booleans', async () => {
    expect([...(await read({ a: 'x', b: 1.5, c: false, d: '' }))]).toEqual([
      ['a', 'x'],
      ['b', '1.5'],
      ['c', 'false'],
      ['d', ''],
    ])
  })

  test('of a list come one by one, nulls left out', async () => {
    expect((await read({ a: ['x', null, 'y'], b: null })).getAll('a')).toEqual(['x', 'y'])
    expect((await read({ a: null })).has('a')).toBe(false)
  })

  test('of an object are JSON, and say so', async () => {
    const { body } = encodeMultipart({ meta: { ü: [1] } }, 'b')
    expect(Buffer.from(body).toString()).toContain('name="meta"\r\ncontent-type: application/json\r\n\r\n{"ü":[1]}\r\n')
  })

  test('may contain everything but the boundary, line ends included', async () => {
    const value = 'a\r\n--the-boundar\r\n\r\n"ü☃\0'
    expect((await read({ v: value })).get('v')).toBe(value)
  })

  test('may have names with quotes and line ends, which inject nothing', async () => {
    const { body } = encodeMultipart({ 'a"\r\ncontent-type: text/evil\r\n\r\nx': 1 }, 'b')
    const [head = ''] = Buffer.from(body).toString().split('\r\n\r\n')
    expect(head.split('\r\n')).toHaveLength(2)
  })
})

describe('files', () => {
  test('have name, type and bytes', async () => {
    const form = await read({ f: { base64: 'AAH/', filename: 'pic ü.png', contentType: 'image/png' } })
    expect(await fileOf(form, 'f')).toEqual({ name: 'pic ü.png', type: 'image/png', bytes: [0, 1, 255] })
  })

  test('get a name and a type when they have none', async () => {
    expect(await fileOf(await read({ f: { base64: '' } }), 'f')).toEqual({ name: 'file', type: 'application/octet-stream', bytes: [] })
  })

  test('may be several under one name', async () => {
    const form = await read({
      f: [
        { base64: 'AA==', filename: 'a' },
        { base64: 'AQ==', filename: 'b' },
      ],
    })
    expect(form.getAll('f').map((file) => file instanceof File && file.name)).toEqual(['a', 'b'])
  })

  test('may have names with quotes and line ends, which inject nothing', async () => {
    const { body } = encodeMultipart({ f: { base64: '', filename: 'a"; x="\r\ny' } }, 'b')
    expect(Buffer.from(body).toString()).toContain('filename="a%22; x=%22%0D%0Ay"\r\n')
  })

  test.each(['text/plain\r\nx: y', 'text/☃', 'a\0b'])('cannot have the type %j', (contentType) => {
    expect(() => encodeMultipart({ f: { base64: '', filename: 'n', contentType } }, 'b')).toThrow('The content type of the file "n"')
  })

  test('cannot have bytes that are not base64', () => {
    expect(() => encodeMultipart({ f: { base64: '?' } }, 'b')).toThrow('is not base64')
  })
})

test('an empty form is a form', async () => {
  expect(Buffer.from(encodeMultipart({}, 'b').body).toString()).toBe('--b--\r\n')
})

test.each<[Json]>([[[]], [1], [true]])('%j is no form', (argument) => {
  expect(() => encodeMultipart(argument, 'b')).toThrow('A multipart body must be an object')
})

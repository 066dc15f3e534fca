import { Fault, operation, typeId } from '@millrace/contract'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { jsonDepthMax, jsonValuesMax, readBody } from './body.ts'
import { writeBase } from '#testing/operations.ts'

const plain = operation({ ...writeBase, body: z.looseObject({}), reply: typeId('wf') })
const withDocument = operation({ ...plain, document: { field: 'definition', mark: 'do' } })
const json = 'application/json'

function faultOf(run: () => unknown): Fault {
  try {
    run()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('nothing was refused')
}

const read = (text: string | Uint8Array, type: string | undefined = json, op = plain) => readBody(op, type, Buffer.from(text))
const refusal = (text: string | Uint8Array, type: string | undefined = json, op = plain) => faultOf(() => read(text, type, op))
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)

describe('a JSON body', () => {
  test('a JSON body is parsed, and an empty body reads as an empty object', () => {
    expect(read('{"a":[1,"ü",null]}')).toEqual({ a: [1, 'ü', null] })
    expect(readBody(plain, json, Buffer.alloc(0))).toEqual({})
    expect(readBody(plain, undefined, undefined)).toEqual({})
  })

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"', 'application/json ; charset=utf8'])(
    'may come as %s',
    (type) => {
      expect(read('{}', type)).toEqual({})
    },
  )

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonp',
    '',
    'application/yaml',
  ])('a body of the media type "%s" is refused', (type) => {
    expect(refusal('{}', type).code).toBe('unsupported_media_type')
  })

  test.each(['{', '{"a":}', '[1,]', 'nul', "{'a':1}", '{"a":1}}', '\uFEFF{}', '{"a":"\u0001"}', 'NaN', '{"a":01}'])(
    'a body that is not JSON is refused: %s',
    (text) => {
      expect(refusal(text).code).toBe('malformed_json')
    },
  )

  test('a body that is not UTF-8 is refused before it is parsed', () => {
    expect(refusal(Buffer.from([0x22, 0xff, 0x22])).details.detail).toBe('The body is not valid UTF-8.')
  })

  test('a body may contain keys such as __proto__', () => {
    const value = read('{"__proto__":{"x":1},"constructor":2}')
    expect(Object.hasOwn(Object(value), '__proto__')).toBe(true)
    expect(Reflect.get({}, 'x')).toBeUndefined()
  })
})

describe('a body that would cost too much', () => {
  test(`is refused beyond ${jsonDepthMax} levels, brackets in strings not counted`, () => {
    expect(() => read(nested(jsonDepthMax, '[', ']'))).not.toThrow()
    expect(refusal(nested(jsonDepthMax + 1, '[', ']')).code).toBe('request_invalid')
    expect(refusal(nested(jsonDepthMax + 1, '{"a":', '}')).code).toBe('request_invalid')
    expect(refusal('['.repeat(100_000)).code).toBe('request_invalid')
    expect(() => read(JSON.stringify({ a: '['.repeat(200), b: '\\"[[[[[['.repeat(40) }))).not.toThrow()
  })

  test(`is refused beyond ${jsonValuesMax} values, commas in strings not counted`, () => {
    expect(() => read(`[${'1,'.repeat(jsonValuesMax - 10)}1]`)).not.toThrow()
    expect(refusal(`[${'1,'.repeat(jsonValuesMax)}1]`).details.errors?.[0]?.detail).toContain('more than')
    expect(() => read(JSON.stringify([','.repeat(jsonValuesMax + 1)]))).not.toThrow()
  })
})

describe('a number that would be altered', () => {
  test.each([
    ['{"input":1e400}', '/input', 'beyond the largest'],
    ['-1e309', '', 'beyond the largest'],
    [`{"a":[1,${'9'.repeat(400)}]}`, '/a/1', 'beyond the largest'],
    ['{"a~/b":{"c":1e-400}}', '/a~0~1b/c', 'would be 0'],
    ['{"id":9007199254740993}', '/id', 'would lose digits'],
    ['[12345678901234567890123]', '/0', 'would lose digits'],
    ['{"__proto__":-9007199254740993}', '/__proto__', 'would lose digits'],
  ])('is refused with its place: %s', (text, pointer, words) => {
    const fault = refusal(text)
    expect(fault.code).toBe('request_invalid')
    expect(fault.details.errors).toEqual([{ pointer, detail: expect.stringContaining(words) }])
  })

  test('an unsafe number is refused at any position, and at most a hundred are reported', () => {
    expect(refusal('{"a":1e999,"b":[1e999]}').details.errors?.map(({ pointer }) => pointer)).toEqual(['/a', '/b/0'])
    expect(refusal(`[${'1e999,'.repeat(500)}1]`).details.errors).toHaveLength(100)
  })

  test.each([
    '9007199254740991',
    '9007199254740992',
    '-9007199254740994',
    '100000000000000000000',
    '1e100',
    '1.7976931348623157e308',
    '0.1000000000000000055511151231257827',
    '0e500',
    '0.000e-400',
    '-0',
    '"1e400"',
    '{"9007199254740993":"9007199254740993 and 1e400"}',
  ])('a safe number, or a string with digits, is accepted: %s', (text) => {
    expect(read(text)).toEqual(JSON.parse(text))
  })
})

describe('text that no database keeps', () => {
  test.each([
    ['{"a":{"b~c":["x","\\u0000"]}}', '/a/b~0c/1', 'NUL'],
    ['{"a/b":"\\ud800"}', '/a~1b', 'surrogate'],
    ['{"x\\u0000y":1}', '', 'NUL'],
    ['"\\udc00\\ud800"', '', 'surrogate'],
  ])('is refused with its place: %s', (text, pointer, word) => {
    const [part] = refusal(text).details.errors ?? []
    expect(part?.pointer).toBe(pointer)
    expect(part?.detail).toContain(word)
  })

  test('escapes of valid characters are accepted', () => {
    expect(read('{"a":"\\u00e9\\ud83d\\ude00\\\\u0000"}')).toEqual({ a: 'é😀\\u0000' })
  })
})

describe('a document as the whole body', () => {
  const yaml = 'document: {}\ndo: []\n'

  test.each(['application/yaml', 'text/yaml; charset=utf-8', 'application/x-yaml'])('stands for the member, as %s', (type) => {
    expect(read(yaml, type, withDocument)).toEqual({ definition: yaml })
  })

  test('a document in JSON keeps its text, so that lines and columns are those of the request', () => {
    const text = '{\n  "document": {},\n  "do": []\n}'
    expect(read(text, json, withDocument)).toEqual({ definition: text })
  })

  test('an object with the member of the document is not a bare document', () => {
    expect(read('{"definition":{"do":[]},"do":1}', json, withDocument)).toEqual({ definition: { do: [] }, do: 1 })
    expect(read('{"do":1}', json, plain)).toEqual({ do: 1 })
  })

  test('a document with NUL is refused', () => {
    expect(refusal('do: "\0"', 'application/yaml', withDocument).code).toBe('request_invalid')
  })
})

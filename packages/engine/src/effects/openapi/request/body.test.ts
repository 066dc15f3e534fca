import { afterEach, describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { documentWith, failure, kindOf, startApi, type TestApi } from '#effects/openapi/testing-api.ts'

// How the body of a call is found among its parameters and written, seen from the server that gets it.

let api: TestApi | undefined
afterEach(() => api?.close())

async function start(requestBody: Json, more: object = {}, root: Readonly<Record<string, Json>> = {}, method = 'post'): Promise<TestApi> {
  api = await startApi(documentWith({ requestBody, ...more }, root, '/things', method))
  return api
}

const json = (schema: Json, more: object = {}) => ({ content: { 'application/json': { schema } }, ...more })
const pet = { type: 'object', properties: { name: { type: 'string' }, tag: { type: 'string' } } }
const bodyOf = ({ last }: TestApi): Json => {
  const value: Json = JSON.parse(last().body.toString())
  return value
}

describe('a body of JSON', () => {
  test.each<[Json]>([[{ a: [1, { b: null }] }], [[1, 2]], ['text'], [7], [false], [{}], ['{"a":1}']])(
    'is the whole body %j',
    async (body) => {
      const started = await start(json({}))
      await started.call('op', { body })
      expect(bodyOf(started)).toEqual(body)
      expect(started.last().headers['content-type']).toBe('application/json')
    },
  )

  test('is made of the properties that its schema names', async () => {
    const started = await start(json(pet))
    await started.call('op', { name: 'Rex', tag: null })
    expect(bodyOf(started)).toEqual({ name: 'Rex' })
  })

  test('has the properties that are no parameters', async () => {
    const parameters = [{ name: 'name', in: 'query' }]
    const started = await start(json(pet), { parameters })
    await started.call('op', { name: 'q', tag: 'b' })
    expect(bodyOf(started)).toEqual({ tag: 'b' })
    expect(started.target()).toBe('https://api.test/things?name=q')
    await started.call('op', { name: 'q', body: { name: 'b' } })
    expect(bodyOf(started)).toEqual({ name: 'b' })
  })

  test('has a property called body where the schema says so, as comments have', async () => {
    const started = await start(json({ type: 'object', properties: { body: { type: 'string' } } }))
    await started.call('op', { body: 'a comment' })
    expect(bodyOf(started)).toEqual({ body: 'a comment' })
  })

  test('does not take a property that its schema does not name, and says how to send it all the same', async () => {
    const started = await start(json(pet))
    const error = await failure(started.call('op', { name: 'Rex', tags: 'x' }))
    expect(kindOf(error)).toBe('validation')
    expect(error.detail).toBe('The operation has no parameter "tags". Did you mean "tag"? It takes "body", "name", "tag".')
    await started.call('op', { body: { tga: 'x' } })
    expect(bodyOf(started)).toEqual({ tga: 'x' })
  })

  test('is either whole or in parts', async () => {
    const { call } = await start(json(pet))
    const { detail } = await failure(call('op', { body: {}, name: 'Rex' }))
    expect(detail).toContain('The body is given whole as "body", so that it cannot be a property of it.')
  })

  test('that is not needed is left out', async () => {
    const { call, last } = await start(json(pet))
    await call('op', { name: null, body: null })
    expect(last().body).toHaveLength(0)
    expect(last().headers).not.toHaveProperty('content-type')
  })

  test('that is needed has to be there', async () => {
    const { call, received } = await start(json(pet, { required: true }))
    const error = await failure(call('op'))
    expect(kindOf(error)).toBe('validation')
    expect(error.detail).toBe('The operation requires a body: give it as the parameter "body", or its properties as parameters.')
    expect(received).toEqual([])
  })

  test('may be a reference', async () => {
    const components = { requestBodies: { Pet: json({ $ref: '#/components/schemas/Pet' }) }, schemas: { Pet: pet } }
    const started = await start({ $ref: '#/components/requestBodies/Pet' }, {}, { components })
    await started.call('op', { name: 'Rex' })
    expect(bodyOf(started)).toEqual({ name: 'Rex' })
  })

  test.each(['get', 'head'])('a request with %s has no body', async (method) => {
    const { call, last } = await start(json(pet, { required: true }), {}, {}, method)
    await call('op')
    expect(last().body).toHaveLength(0)
    expect((await failure(call('op', { body: {} }))).detail).toContain('has no parameter "body"')
  })

  test('may go with delete', async () => {
    const started = await start(json(pet), {}, {}, 'delete')
    await started.call('op', { name: 'Rex' })
    expect(started.last().method).toBe('DELETE')
    expect(bodyOf(started)).toEqual({ name: 'Rex' })
  })

  test('that inherits nothing takes no inherited name', async () => {
    const { call } = await start(json(pet))
    expect((await failure(call('op', { constructor: 'x' }))).detail).toContain('has no parameter "constructor"')
  })
})

describe('schemas that take properties', () => {
  test.each<[string, Json, Json, boolean]>([
    ['without a word', {}, {}, true],
    ['that is an object and says no more', { type: 'object' }, {}, true],
    ['with others allowed', { ...pet, additionalProperties: true }, {}, true],
    ['with others described', { ...pet, additionalProperties: { type: 'string' } }, {}, true],
    ['with others refused', { ...pet, additionalProperties: false }, {}, false],
    ['of properties alone', { properties: { a: {} } }, {}, false],
    ['of parts', { allOf: [{ $ref: '#/components/schemas/P' }, pet] }, { P: { properties: { other: {} } } }, true],
    ['of alternatives', { oneOf: [pet, { properties: { other: {} } }] }, {}, true],
    ['of any of them', { anyOf: [{ type: 'string' }, { type: 'object', properties: { other: {} } }] }, {}, true],
    ['that is a list', { type: 'array', items: {} }, {}, false],
    ['that is text', { type: 'string' }, {}, false],
    ['of several types, an object among them', { type: ['object', 'null'] }, {}, true],
    ['of several types without an object', { type: ['string', 'null'] }, {}, false],
    ['in a circle', { $ref: '#/components/schemas/A' }, { A: { $ref: '#/components/schemas/A' } }, true],
    ['that contains itself', { $ref: '#/components/schemas/A' }, { A: { ...pet, allOf: [{ $ref: '#/components/schemas/A' }] } }, false],
    ['of another document', { $ref: 'other.yaml#/Pet' }, {}, true],
    ['of parts in another document', { allOf: [pet, { $ref: 'other.yaml#/Pet' }] }, {}, true],
    ['that is true', true, {}, true],
  ])('one %s', async (_name, schema, schemas, taken) => {
    const started = await start(json(schema), {}, { components: { schemas } })
    const call = started.call('op', { other: 1 })
    if (taken) {
      await call
      expect(bodyOf(started)).toEqual({ other: 1 })
    } else expect((await failure(call)).detail).toContain('has no parameter "other"')
  })
})

describe('the media type', () => {
  const contents = (...types: readonly string[]) => ({ content: Object.fromEntries(types.map((type) => [type, {}])) })

  test.each([
    [['application/xml', 'application/json'], 'application/json'],
    [['application/merge-patch+json', 'text/plain'], 'application/merge-patch+json'],
    [['text/json', 'application/json; charset=utf-8'], 'application/json; charset=utf-8'],
    [['multipart/form-data', 'application/x-www-form-urlencoded'], 'application/x-www-form-urlencoded'],
    [['text/plain', 'multipart/form-data'], 'multipart/form-data; boundary=a-fixed-id-for-this-test'],
    [['*/*'], 'application/json'],
    [['application/*'], 'application/json'],
  ])('of %j is %s for an object', async (types, chosen) => {
    const { call, last } = await start(contents(...types))
    await call('op', { body: { a: 'b' } })
    expect(last().headers['content-type']).toBe(chosen)
  })

  test.each<[readonly string[], Json, string, string]>([
    [['text/plain'], 'a text', 'text/plain', 'a text'],
    [['application/xml'], '<a/>', 'application/xml', '<a/>'],
    [['application/octet-stream', 'text/csv'], 'a,b', 'text/csv', 'a,b'],
    [['text/plain'], 7, 'text/plain', '7'],
    [['*/*'], 'a text', 'text/plain', 'a text'],
    [['text/*'], 'a text', 'text/plain', 'a text'],
    [['application/octet-stream'], { base64: 'AAEC' }, 'application/octet-stream', '\0\u0001\u0002'],
    [['*/*'], { base64: 'YQ==' }, 'application/octet-stream', 'a'],
    [['image/*'], { base64: 'YQ==', contentType: 'image/png' }, 'image/png', 'a'],
    [['application/json'], 'a text', 'application/json', '"a text"'],
    [['application/x-www-form-urlencoded'], 'a=b', 'application/x-www-form-urlencoded', 'a=b'],
  ])('of %j for %j is %s', async (types, body, chosen, sent) => {
    const { call, last } = await start(contents(...types))
    await call('op', { body })
    expect(last().headers['content-type']).toBe(chosen)
    expect(last().body.toString()).toBe(sent)
  })

  test('is the one that the author asks for', async () => {
    const { call, last } = await start(contents('application/json', 'application/xml', 'image/*'))
    await call('op', { 'Content-Type': 'application/xml', body: '<a/>' })
    expect(last().headers['content-type']).toBe('application/xml')
    await call('op', { 'content-type': 'image/webp', body: { base64: 'YQ==' } })
    expect(last().headers['content-type']).toBe('image/webp')
    await call('op', { 'Content-Type': 'application/json; charset=utf-8', body: 1 })
    expect(last().headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('with a name goes before a range that has it', async () => {
    const requestBody = { content: { '*/*': { schema: pet }, 'application/json': { schema: { type: 'object' } } } }
    const started = await start(requestBody)
    await started.call('op', { 'Content-Type': 'application/json', other: 1 })
    expect(bodyOf(started)).toEqual({ other: 1 })
  })

  test.each([
    ['text/html', 'does not take a body of type "text/html"; it takes "application/json".'],
    ['nonsense', '"nonsense" is not one: it must be type/subtype.'],
    ['application/json\r\nx-evil: 1', 'is not one'],
    ['application/json; a=\r\nx-evil: 1', 'a character that no header can carry'],
  ])('cannot be %j', async (contentType, reason) => {
    const { call } = await start(contents('application/json'))
    const error = await failure(call('op', { 'Content-Type': contentType, body: 1 }))
    expect(kindOf(error)).toBe('validation')
    expect(error.detail).toContain(reason)
  })

  test.each<[string, Json]>([
    ['image/*', { base64: 'YQ==' }],
    ['image/*', 'text'],
    ['text/*', { a: 1 }],
  ])('that is a range, %s, and not that of %j, has to be given', async (range, body) => {
    const { call } = await start(contents(range))
    expect((await failure(call('op', { body }))).detail).toContain(`of any type "${range}"; give the parameter "Content-Type"`)
  })

  test('an invalid media type of a document is refused', async () => {
    const { call } = await start(contents('json'))
    expect((await failure(call('op', { body: 1 }))).detail).toContain('"json" is not one')
  })

  test('that cannot carry an object says what it needs', async () => {
    const { call } = await start(contents('application/xml'))
    expect((await failure(call('op', { body: { a: 1 } }))).detail).toContain('A body of type application/xml must be a string')
    expect((await failure(call('op', { a: 1 }))).detail).toContain('has no parameter "a"')
  })

  test('for properties is one that has them', async () => {
    const started = await start({
      content: { 'application/json': { schema: { type: 'array' } }, 'application/x-www-form-urlencoded': { schema: pet } },
    })
    await started.call('op', { name: 'Rex' })
    expect(started.last().body.toString()).toBe('name=Rex')
    await started.call('op', { body: [1] })
    expect(started.last().body.toString()).toBe('[1]')
  })
})

describe('a form', () => {
  const form = (encoding: Json = {}) => ({ content: { 'application/x-www-form-urlencoded': { encoding } } })

  test('writes lists item by item and objects as JSON, where the document says no more', async () => {
    const { call, last } = await start(form())
    await call('op', { a: ['x', 'y z'], b: { c: 1 }, d: true, e: null, f: [{ g: 1 }] })
    expect(last().body.toString()).toBe(`a=x&a=y%20z&b=${encodeURIComponent('{"c":1}')}&d=true&f=${encodeURIComponent('[{"g":1}]')}`)
  })

  test('writes a property in the style that the document gives it', async () => {
    const encoding = {
      a: { style: 'pipeDelimited', explode: false },
      b: { style: 'deepObject' },
      c: { explode: false },
      d: { allowReserved: true },
    }
    const { call, last } = await start(form(encoding))
    await call('op', { a: ['x', 'y'], b: { k: 'v' }, c: ['x', 'y'], d: 'a/b' })
    expect(last().body.toString()).toBe('a=x%7Cy&b%5Bk%5D=v&c=x,y&d=a/b')
  })

  test('gets no further field out of a value', async () => {
    const { call, last } = await start(form())
    await call('op', { a: 'x&admin=1' })
    expect(new URLSearchParams(last().body.toString()).getAll('admin')).toEqual([])
  })

  test('of Swagger 2.0 has the fields that it declares, and needs those that are required', async () => {
    const parameters = [
      { name: 'a', in: 'formData', type: 'string', required: true },
      { name: 'b', in: 'formData', type: 'array', collectionFormat: 'pipes' },
      { name: 'c', in: 'formData', type: 'array', collectionFormat: 'multi' },
    ]
    api = await startApi({ swagger: '2.0', paths: { '/a': { post: { operationId: 'op', parameters } } } })
    await api.call('op', { a: 'x y', b: ['1', '2'], c: ['3', '4'] })
    expect(api.last().headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(api.last().body.toString()).toBe('a=x%20y&b=1%7C2&c=3&c=4')
    expect((await failure(api.call('op', { b: ['1'] }))).detail).toContain('requires "a" in its form')
    expect((await failure(api.call('op'))).detail).toContain('requires "a" in its form')
    expect((await failure(api.call('op', { a: 1, z: 1 }))).detail).toContain('has no parameter "z"')
  })
})

describe('a multipart body', () => {
  const multipart = (schema: Json, encoding: Json = {}) => ({ content: { 'multipart/form-data': { schema, encoding } } })
  const formOf = async ({ last }: TestApi) =>
    new Response(last().body, { headers: { 'content-type': last().headers['content-type'] ?? '' } }).formData()

  test('has fields and files', async () => {
    const started = await start(multipart({}))
    await started.call('op', { a: 'x', list: ['1', '2'], file: { base64: 'YQ==', filename: 'a.txt', contentType: 'text/plain' } })
    const form = await formOf(started)
    expect(form.get('a')).toBe('x')
    expect(form.getAll('list')).toEqual(['1', '2'])
    expect(form.get('file')).toMatchObject({ name: 'a.txt', type: 'text/plain', size: 1 })
  })

  test.each<[string, Json]>([
    ['format: binary', { type: 'string', format: 'binary' }],
    ['a media type', { contentMediaType: 'text/plain' }],
    ['a list of them', { type: 'array', items: { type: 'string', format: 'binary' } }],
    ['a reference', { $ref: '#/components/schemas/File' }],
  ])('takes text for a file that is declared by %s', async (_name, property) => {
    const components = { schemas: { File: { type: 'string', format: 'binary' } } }
    const started = await start(multipart({ properties: { file: property, note: { type: 'string' } } }), {}, { components })
    await started.call('op', { file: 'some text', note: 'some text' })
    const form = await formOf(started)
    expect(form.get('file')).toMatchObject({ name: 'file', size: 9 })
    expect(form.get('note')).toBe('some text')
  })

  test('gives a file the type of the document, where that is one type and the author names none', async () => {
    const encoding = { a: { contentType: 'image/png' }, b: { contentType: 'image/png, image/jpeg' }, c: { contentType: 'image/png' } }
    const started = await start(multipart({}, encoding))
    const file = { base64: 'YQ==' }
    await started.call('op', { a: file, b: file, c: { ...file, contentType: 'image/gif' } })
    const form = await formOf(started)
    const types = ['a', 'b', 'c'].map((name) => form.get(name)).map((value) => (value instanceof File ? value.type : undefined))
    expect(types).toEqual(['image/png', 'application/octet-stream', 'image/gif'])
  })

  test('with a type that would end its line is refused', async () => {
    const { call } = await start(multipart({}))
    const file = { base64: 'YQ==', contentType: 'text/plain\r\nx-evil: 1' }
    expect((await failure(call('op', { file }))).detail).toContain('a character that no header can carry')
  })
})

describe('the body of Swagger 2.0', () => {
  const swagger = (consumes: readonly string[] | undefined, more: object = {}): Json => ({
    swagger: '2.0',
    ...(consumes === undefined ? {} : { consumes }),
    paths: { '/a': { post: { operationId: 'op', parameters: [{ name: 'pet', in: 'body', schema: pet, required: true }], ...more } } },
  })

  test.each<[Json]>([[{ pet: { name: 'Rex' } }], [{ body: { name: 'Rex' } }], [{ name: 'Rex' }]])(
    'may be given as %j',
    async (parameters) => {
      api = await startApi(swagger(undefined))
      await api.call('op', parameters)
      expect(bodyOf(api)).toEqual({ name: 'Rex' })
      expect(api.last().headers['content-type']).toBe('application/json')
    },
  )

  test('that is missing is called by its name', async () => {
    api = await startApi(swagger(undefined))
    expect((await failure(api.call('op'))).detail).toContain('give it as the parameter "pet"')
  })

  test('has the type of the operation, else that of the document', async () => {
    api = await startApi(swagger(['application/json'], { consumes: ['application/vnd.pet+json'] }))
    await api.call('op', { name: 'Rex' })
    expect(api.last().headers['content-type']).toBe('application/vnd.pet+json')
    await api.close()
    api = await startApi(swagger(['text/plain']))
    await api.call('op', { pet: 'Rex' })
    expect(api.last().headers['content-type']).toBe('text/plain')
  })

  test('replies are accepted in the types that the document produces', async () => {
    api = await startApi(swagger(undefined, { produces: ['application/xml', 'application/json'] }))
    await api.call('op', { name: 'Rex' })
    expect(api.last().headers.accept).toBe('application/json, */*;q=0.5')
  })
})

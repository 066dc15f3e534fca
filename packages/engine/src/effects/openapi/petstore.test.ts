import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { type Received, sendJson } from '#effects/http/testing-server.ts'
import { failure, kindOf, startApi, type TestApi } from './testing-api.ts'
import { exampleDocument, exampleText } from './testing-documents.ts'

// The pet store example in Swagger 2.0 and OpenAPI 3, with a working store behind it.

interface Pet {
  readonly id: number
  readonly name: string
  readonly status: string
}

function createStore() {
  const pets = new Map<number, Pet>([
    [1, { id: 1, name: 'Rex', status: 'available' }],
    [2, { id: 2, name: 'Milou', status: 'sold' }],
  ])
  const put = (response: ServerResponse, body: Buffer) => {
    const pet: Pet = JSON.parse(body.toString())
    pets.set(pet.id, pet)
    sendJson(response, 200, pet)
  }
  return ({ method, url, headers, body }: Received, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(url, 'http://store')
    const id = Number(/^\/v2\/pet\/(\d+)$/.exec(pathname)?.[1])
    const pet = pets.get(id)
    if (pathname === '/v2/pet' && headers['content-type'] === 'application/json') put(response, body)
    else if (pathname === '/v2/pet/findByStatus') {
      const statuses = searchParams.getAll('status')
      sendJson(
        response,
        200,
        [...pets.values()].filter(({ status }) => statuses.includes(status)),
      )
    } else if (pathname === '/v2/store/inventory') sendJson(response, 200, { available: pets.size })
    else if (pet === undefined) sendJson(response, 404, { code: 1, type: 'error', message: 'Pet not found' })
    else if (method === 'GET') sendJson(response, 200, pet)
    else if (method === 'DELETE') {
      pets.delete(id)
      response.writeHead(200).end()
    } else {
      const form = new URLSearchParams(body.toString())
      pets.set(id, { ...pet, name: form.get('name') ?? pet.name, status: form.get('status') ?? pet.status })
      response.writeHead(200).end()
    }
  }
}

const documents: readonly (readonly [string, Json | string])[] = [
  ['Swagger 2.0 in JSON', exampleDocument('2.0/json/petstore.json')],
  ['Swagger 2.0 in YAML', exampleText('2.0/yaml/petstore.yaml')],
  ['OpenAPI 3.0 in JSON', exampleDocument('3.0/json/petstore.json')],
  ['OpenAPI 3.0 in YAML', exampleText('3.0/yaml/petstore.yaml')],
]

describe.each(documents)('the pet store, described by %s', (_name, document) => {
  let api: TestApi
  beforeEach(async () => {
    api = await startApi(document, { handle: createStore() })
  })
  afterEach(() => api.close())

  test('finds pets by one status, as the conformance kit asks', async () => {
    await expect(api.call('findPetsByStatus', { status: 'available' })).resolves.toEqual([{ id: 1, name: 'Rex', status: 'available' }])
    expect(api.target()).toBe('http://petstore.swagger.io/v2/pet/findByStatus?status=available')
  })

  test('finds pets by several', async () => {
    await expect(api.call('findPetsByStatus', { status: ['available', 'sold'] })).resolves.toHaveLength(2)
    expect(api.target()).toContain('?status=available&status=sold')
  })

  test('gives the whole response when it is asked for', async () => {
    const response = await api.call('getPetById', { petId: 1 }, { output: 'response' })
    expect(response).toMatchObject({
      request: {
        method: 'GET',
        uri: 'http://petstore.swagger.io/v2/pet/1',
        headers: { accept: expect.stringContaining('application/json') },
      },
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      content: { id: 1, name: 'Rex', status: 'available' },
    })
  })

  test('gives the bytes when they are asked for', async () => {
    const raw = await api.call('getPetById', { petId: 2 }, { output: 'raw' })
    expect(raw).toBe(Buffer.from('{"id":2,"name":"Milou","status":"sold"}').toString('base64'))
  })

  test('keeps a pet that is given as the whole body', async () => {
    const pet = { id: 7, name: 'Struppi', photoUrls: [], status: 'pending' }
    await expect(api.call('addPet', { body: pet })).resolves.toEqual(pet)
    await expect(api.call('getPetById', { petId: 7 })).resolves.toEqual(pet)
  })

  test('keeps a pet that is given by its properties', async () => {
    await api.call('addPet', { id: 8, name: 'Idefix', status: 'pending' })
    await expect(api.call('findPetsByStatus', { status: 'pending' })).resolves.toEqual([{ id: 8, name: 'Idefix', status: 'pending' }])
  })

  test('changes a pet with a form', async () => {
    await expect(api.call('updatePetWithForm', { petId: 1, name: 'Rex & Co', status: 'sold' })).resolves.toBeNull()
    expect(api.last().headers['content-type']).toBe('application/x-www-form-urlencoded')
    await expect(api.call('getPetById', { petId: 1 })).resolves.toMatchObject({ name: 'Rex & Co', status: 'sold' })
  })

  test('deletes a pet, with the key in its header', async () => {
    await api.call('deletePet', { petId: 2, api_key: 'special-key' })
    expect(api.last()).toMatchObject({ method: 'DELETE', url: '/v2/pet/2', headers: { api_key: 'special-key' } })
    expect(await failure(api.call('getPetById', { petId: 2 }))).toMatchObject({
      status: 404,
      detail: expect.stringContaining('Pet not found'),
    })
  })

  test('takes the key that it asks for as a parameter, and sends none of its own accord', async () => {
    await api.call('getInventory')
    expect(api.last().headers).not.toHaveProperty('api_key')
    await api.call('getInventory', { api_key: 'special-key' })
    expect(api.last().headers['api_key']).toBe('special-key')
  })

  test('says which parameter is missing', async () => {
    const error = await failure(api.call('findPetsByStatus'))
    expect(kindOf(error)).toBe('validation')
    expect(error.detail).toBe('The operation requires "status" (query): give it under "parameters".')
    expect(api.received).toEqual([])
  })

  test('says which parameter it does not know, and which was probably meant', async () => {
    const error = await failure(api.call('findPetsByStatus', { status: 'sold', stauts: 'x' }))
    expect(kindOf(error)).toBe('validation')
    expect(error.detail).toBe('The operation has no parameter "stauts". Did you mean "status"? It takes "status".')
  })

  test('says which operation was probably meant', async () => {
    const error = await failure(api.call('findPetByStatus'))
    expect(kindOf(error)).toBe('configuration')
    expect(error.detail).toBe('The OpenAPI document has no operation "findPetByStatus". Did you mean "findPetsByStatus"?')
  })

  test('sends the key of the attempt with the operation and not for the document', async () => {
    await api.call('addPet', { id: 1, name: 'x' })
    const [first, operation] = api.asked
    expect(first?.url).toBe('http://documents.test/v1/openapi.json')
    expect(first?.headers).not.toHaveProperty('idempotency-key')
    expect(operation?.headers['idempotency-key']).toBe('the-key')
  })
})

test('a file goes to the pet store as multipart, with its name and type', async () => {
  const api = await startApi(exampleDocument('2.0/json/petstore.json'))
  const file = { base64: Buffer.from('PNG').toString('base64'), filename: 'rex.png', contentType: 'image/png' }
  await api.call('uploadFile', { petId: 1, additionalMetadata: 'a photo', file })
  const form = await new Response(api.last().body, { headers: { 'content-type': api.last().headers['content-type'] ?? '' } }).formData()
  expect(form.get('additionalMetadata')).toBe('a photo')
  const sent = form.get('file')
  expect(sent).toMatchObject({ name: 'rex.png', type: 'image/png' })
  expect(sent instanceof File ? await sent.text() : '').toBe('PNG')
  await api.close()
})

test('text for a file goes as a file that is called like its field', async () => {
  const api = await startApi(exampleDocument('2.0/json/petstore.json'))
  await api.call('uploadFile', { petId: 1, file: 'some text' })
  expect(api.last().body.toString()).toContain('content-disposition: form-data; name="file"; filename="file"')
  await api.close()
})

test('a list of users goes as the body that the document names', async () => {
  const api = await startApi(exampleDocument('2.0/json/petstore.json'))
  await api.call('createUsersWithArrayInput', { body: [{ id: 1, username: 'u' }] })
  expect(JSON.parse(api.last().body.toString())).toEqual([{ id: 1, username: 'u' }])
  const error = await failure(api.call('createUsersWithArrayInput', { username: 'u' }))
  expect(error.detail).toContain('has no parameter "username"')
  await api.close()
})

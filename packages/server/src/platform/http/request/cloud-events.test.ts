import { type InvalidPart, Fault, operation } from '@millrace/contract'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { readEvents, withEventHeaders } from './cloud-events.ts'
import { served } from '#platform/http/http-server.ts'
import { problemIn, startKernel } from '#testing/kernel.ts'
import { writeBase } from '#testing/operations.ts'

const Event = z.looseObject({ id: z.string(), type: z.string().min(3), data: z.unknown().optional() })
const op = operation({
  ...writeBase,
  cloudEvents: { field: 'events' },
  body: z.strictObject({ events: z.array(Event).min(1) }),
  reply: z.object({ events: z.array(z.unknown()) }),
})
const event = { specversion: '1.0', id: '1', source: '/a', type: 'com.example' }
const attributes = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/a', 'ce-type': 'com.example' }

function read(body: string | Uint8Array, contentType: string | undefined, headers: Record<string, string> = {}) {
  return readEvents(op, 'events', { contentType, headers, body: Buffer.from(body) })
}

function refusalOf(run: () => unknown): { readonly code: string; readonly part: InvalidPart | undefined } {
  try {
    run()
  } catch (error) {
    if (error instanceof Fault) return { code: error.code, part: error.details.errors?.[0] }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('events in a body', () => {
  test.each([
    ['one, structured', JSON.stringify(event), 'application/cloudevents+json; charset=utf-8'],
    ['one, in plain JSON', JSON.stringify(event), 'application/json'],
    ['a batch', JSON.stringify([event]), 'application/cloudevents-batch+json'],
    ['a batch in plain JSON', JSON.stringify([event]), 'application/json'],
    ['as the member of the operation', JSON.stringify({ events: [event] }), 'application/json'],
  ])('events are read in every mode: %s', (_, body, contentType) => {
    expect(read(body, contentType).value).toEqual({ events: [event] })
  })

  test.each([
    ['application/cloudevents+xml', 'unsupported_media_type'],
    ['application/cloudevents-batch+xml', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type'],
  ])('events of the media type %s are refused', (contentType, code) => {
    expect(refusalOf(() => read('{}', contentType)).code).toBe(code)
  })

  test.each(['', '{', 'null,'])('events that are not JSON are refused: "%s"', (body) => {
    expect(refusalOf(() => read(body, 'application/cloudevents+json')).code).toBe('malformed_json')
  })

  test('the Content-Type of a structured event takes precedence over attributes in headers', () => {
    expect(read(JSON.stringify(event), 'application/cloudevents+json', { ...attributes, 'ce-id': '2' }).value).toEqual({ events: [event] })
  })

  test('faults have the pointer of their position in the request', () => {
    const at = (body: unknown, contentType: string, pointer: string) =>
      read(JSON.stringify(body), contentType).place({ pointer, detail: '' }).pointer
    expect(at(event, 'application/cloudevents+json', '/events/0/type')).toBe('/type')
    expect(at([event], 'application/cloudevents-batch+json', '/events/3/type')).toBe('/3/type')
    expect(at([], 'application/json', '/events')).toBe('')
    expect(at({ events: [] }, 'application/json', '/events/3/type')).toBe('/events/3/type')
  })
})

describe('an event in headers', () => {
  const binary = (body: string | Uint8Array, contentType: string | undefined, headers: Record<string, string> = {}) => {
    const { value } = read(body, contentType, { ...attributes, ...headers })
    return z.object({ events: z.tuple([z.looseObject({})]) }).parse(value).events[0]
  }

  test.each([
    ['JSON', '{"a":1}', 'application/json', { data: { a: 1 } }],
    ['JSON of a type of its own', '[1]', 'application/vnd.shop+json; charset=utf-8', { data: [1] }],
    ['text', 'Grüße', 'text/plain; charset=utf-8', { data: 'Grüße' }],
    ['bytes', Uint8Array.of(0, 255), 'application/octet-stream', { data_base64: 'AP8=' }],
    ['text that is not UTF-8', Uint8Array.of(0xe4), 'text/plain; charset=latin1', { data_base64: '5A==' }],
  ])('carries %s', (_, body, contentType, data) => {
    expect(binary(body, contentType)).toEqual({ ...event, datacontenttype: contentType, ...data })
  })

  test('needs no data', () => {
    expect(binary('', undefined)).toEqual(event)
  })

  test('data without a Content-Type is carried as bytes', () => {
    expect(binary('{}', undefined)).toEqual({ ...event, data_base64: 'e30=' })
  })

  test.each([
    ['Euro%20%E2%82%AC', 'Euro €'],
    ['"quoted, \\"twice\\""', 'quoted, "twice"'],
    ['100%25', '100%'],
    ['%7B%22a%22%3A1%7D', '{"a":1}'],
  ])('has its attributes decoded: %s', (header, value) => {
    expect(binary('', undefined, { 'ce-subject': header })).toEqual({ ...event, subject: value })
  })

  test.each(['100%', '%E2%82', '%00', 'Â€', '%ff'])(
    'an attribute that cannot be decoded is refused with the name of its header: %s',
    (header) => {
      const { code, part } = refusalOf(() => binary('', undefined, { 'ce-subject': header }))
      expect([code, part?.pointer, part?.in]).toEqual(['request_invalid', '/ce-subject', 'header'])
    },
  )

  test('cannot bring data or their type among its attributes', () => {
    expect(binary('1', 'application/json', { 'ce-data': 'x', 'ce-data_base64': 'x', 'ce-datacontenttype': 'x' })).toEqual({
      ...event,
      datacontenttype: 'application/json',
      data: 1,
    })
  })

  test('has no members but its own, whatever headers there are', () => {
    const made = binary('', undefined, { 'ce-__proto__': 'x', 'ce-constructor': 'y', accept: '*/*' })
    expect(made).toEqual({ ...event, constructor: 'y' })
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
  })

  test('faults of attributes name their headers, and faults of data their position in the body', () => {
    const { place } = read('{}', 'application/json', attributes)
    const at = (pointer: string) => place({ pointer, detail: 'x' })
    expect(at('/events/0/type')).toEqual({ pointer: '/ce-type', detail: 'x', in: 'header' })
    expect(at('/events/0/datacontenttype')).toEqual({ pointer: '/content-type', detail: 'x', in: 'header' })
    expect(at('/events/0/data/a/0')).toEqual({ pointer: '/a/0', detail: 'x' })
  })
})

test('requests with one body are two where their events are', () => {
  const of = (headers: Record<string, string>, body = '{}') =>
    withEventHeaders({ contentType: undefined, headers, body: Buffer.from(body) })
  expect(of(attributes)).toEqual(of({ ...attributes, 'user-agent': 'other' }))
  expect(of(attributes)).not.toEqual(of({ ...attributes, 'ce-id': '2' }))
  expect(of(attributes)).not.toEqual(of({ ...attributes, 'content-type': 'text/plain' }))
  expect(of({})).toEqual(Buffer.from('{}'))
})

test('an operation that accepts events reads them in every mode and reports faults by their position', async () => {
  await using kernel = await startKernel({
    groups: { test: served({ op }, { op: (_ctx, { body }) => Promise.resolve({ events: body.events }) }) },
  })
  const send = async (body: string, headers: Record<string, string>) => kernel.send('POST', '/api/v1/test', body, headers)
  const bodies = await Promise.all([
    send(JSON.stringify(event), { 'content-type': 'application/cloudevents+json' }),
    send(JSON.stringify([event]), { 'content-type': 'application/cloudevents-batch+json' }),
    send('{"a":1}', { ...attributes, 'content-type': 'application/json' }),
  ])
  expect(await Promise.all(bodies.map(async (response) => response.json()))).toEqual([
    { events: [event] },
    { events: [event] },
    { events: [{ ...event, datacontenttype: 'application/json', data: { a: 1 } }] },
  ])
  const refusal = await problemIn(await send('{}', { ...attributes, 'ce-type': 'x', 'content-type': 'application/json' }))
  expect(refusal).toMatchObject({ code: 'request_invalid', errors: [{ pointer: '/ce-type', in: 'header' }] })
  const second = await problemIn(await send(JSON.stringify([event, {}]), { 'content-type': 'application/cloudevents-batch+json' }))
  expect(second.errors?.map(({ pointer }) => pointer)).toEqual(['/1/id', '/1/type'])
})

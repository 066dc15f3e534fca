import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '#core/json.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import { responseTo, type Messages, readMessages } from './messages.ts'

function read(body: string | Uint8Array, type: string): Messages {
  return readMessages(
    { status: 200, headers: { 'content-type': type }, body: Buffer.from(body), url: 'http://x.test/' },
    'POST http://x.test/',
  )
}

const message = { jsonrpc: '2.0', id: 1, result: {} }
const event = `data: ${JSON.stringify(message)}\n\n`

describe('messages are read', () => {
  test('from JSON, one or a list, whatever the charset is called', () => {
    expect(read(JSON.stringify(message), 'application/json').messages).toEqual([message])
    expect(read(JSON.stringify([message, message]), 'Application/JSON; charset=utf-8').messages).toEqual([message, message])
  })

  test.each([
    ['line feeds', event],
    ['carriage returns and line feeds', event.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${event}`],
    ['comments that keep the connection', `: ping\n\n${event}: ping\n\n`],
    ['data in several lines', 'data: {"jsonrpc":"2.0",\ndata: "id":1,"result":{}}\n\n'],
    ['a list in an event', `data: [${JSON.stringify(message)}]\n\n`],
    ['events of another name', `event: ping\ndata: {}\n\n${event}`],
    ['a begun event at the end', `${event}data: {"jsonrpc"`],
  ])('from an event stream with %s', (_, body) => {
    expect(read(body, 'text/event-stream').messages).toEqual([message])
  })

  test('the event id to resume from is read, unless the server clears it', () => {
    expect(read(`retry: 250\nid: 7\n${event}`, 'text/event-stream')).toEqual({ messages: [message], resumeAfter: '7', resumeDelayMs: 250 })
    expect(read(`id: 7\n${event}${event}`, 'text/event-stream').resumeAfter).toBe('7')
    expect(read(`id: 7\n${event}id\n${event}`, 'text/event-stream').resumeAfter).toBeUndefined()
  })
})

describe('an answer', () => {
  const find = (id: Json, ...messages: readonly JsonObject[]): JsonObject | undefined => responseTo(id, messages, 'POST http://x.test/')

  test('is the message with the id of the request, not one that asks or answers something else', () => {
    const asked = { jsonrpc: '2.0', id: 1, method: 'roots/list' }
    expect(find(1, asked, { ...message, id: 2 }, { ...message, id: '1' }, message)).toEqual(message)
    expect(find(1, asked, { ...message, id: 2 })).toBeUndefined()
  })

  test('is preferred to an error without an id, which stands for it', () => {
    const lost = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'what?' } }
    expect(find(1, lost, message)).toEqual(message)
    expect(find(1, lost)).toEqual({ ...lost, id: 1 })
    expect(find(1, { jsonrpc: '2.0', error: lost.error })).toEqual({ ...lost, id: 1 })
    expect(find(1, { jsonrpc: '2.0', id: null, result: {} })).toBeUndefined()
  })

  test('has what JSON-RPC says, and nothing else', () => {
    expect(find(1, { ...message, extra: true })).toEqual(message)
    const error = { code: -1, message: 'no', data: [1] }
    expect(find(1, { jsonrpc: '2.0', id: 1, error: { ...error, extra: true } })).toEqual({ jsonrpc: '2.0', id: 1, error })
  })
})

test('whatever a server sends is read or refused as a workflow can catch it, and never a bug', () => {
  const types = fc.constantFrom('application/json', 'text/event-stream', 'text/plain', '')
  const part = fc.oneof(
    fc.constantFrom('data: ', 'id: ', 'retry: 1', 'event: message', '\n', '\n\n', '\r', JSON.stringify(message)),
    fc.string(),
  )
  const body = fc.oneof(
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.jsonValue().map((value) => `data: ${JSON.stringify(value)}\n\n`),
  )
  fc.assert(
    fc.property(types, body, fc.uint8Array({ maxLength: 4 }), (type, text, noise) => {
      try {
        const { messages } = read(Buffer.concat([Buffer.from(text), noise]), type)
        expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true)
        responseTo(1, messages, 'POST http://x.test/')
      } catch (error) {
        expect(error).toBeInstanceOf(HttpCallError)
      }
    }),
  )
})

import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { prepareCall } from './arguments.ts'
import { createTextMask } from '#core/secret-mask.ts'
import { shapeOutput } from './call-http.ts'
import type { HttpReply } from './port.ts'

const context = { idempotencyKey: 'key', uriVariables: {}, randomId: () => 'random' }
const reply: HttpReply = {
  status: 201,
  headers: { 'content-type': 'application/json', etag: '"1"' },
  body: Buffer.from('{"id":1}'),
  url: 'http://h.test/elsewhere',
}

function shape(args: Readonly<Record<string, Json>>, given: HttpReply = reply, secrets: readonly string[] = []): Json {
  return shapeOutput(
    prepareCall({ method: 'Post', endpoint: 'http://h.test/a?k=s3cr3t', ...args }, context),
    given,
    createTextMask(secrets),
  )
}

test('content is the default', () => {
  expect(shape({})).toEqual({ id: 1 })
})

test('raw is base64, and never parsed', () => {
  expect(shape({ output: 'raw' })).toBe('eyJpZCI6MX0=')
  expect(shape({ output: 'raw' }, { ...reply, body: Buffer.from('{') })).toBe('ew==')
})

describe('response', () => {
  test('has the request as it was written, the status, the headers and the content', () => {
    expect(shape({ output: 'response', headers: { 'X-Trace': 't' } })).toEqual({
      request: {
        method: 'Post',
        uri: 'http://h.test/a?k=s3cr3t',
        headers: { accept: '*/*', 'user-agent': 'millrace', 'idempotency-key': 'key', 'x-trace': 't' },
      },
      statusCode: 201,
      headers: { 'content-type': 'application/json', etag: '"1"' },
      content: { id: 1 },
    })
  })

  test('of a reply without a body has null for content', () => {
    expect(shape({ output: 'response' }, { ...reply, status: 204, headers: {}, body: new Uint8Array() })).toMatchObject({
      statusCode: 204,
      content: null,
    })
  })

  test('has content as base64 when it is no text', () => {
    const picture = { ...reply, headers: { 'content-type': 'image/png' }, body: Buffer.from([1, 2, 3]) }
    expect(shape({ output: 'response' }, picture)).toMatchObject({ content: 'AQID' })
  })

  test('has no secret in the request, in whatever place it was sent', () => {
    const output = shape({ output: 'response', headers: { 'X-Api-Key': 's3cr3t', Authorization: 'Token t' } }, reply, ['s3cr3t'])
    expect(output).toMatchObject({ request: { uri: 'http://h.test/a?k=***', headers: { 'x-api-key': '***', authorization: '***' } } })
    expect(JSON.stringify(output)).not.toContain('s3cr3t')
  })
})

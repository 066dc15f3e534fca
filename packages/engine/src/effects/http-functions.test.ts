import { expect, test } from 'vitest'
import { WorkflowError } from '#core/error.ts'
import type { HttpReply } from '#effects/http/index.ts'
import { createHttpFunction } from './http-functions.ts'

function calling(reply: Partial<HttpReply>, secrets = {}) {
  const http = createHttpFunction({
    http: { request: async ({ url }) => ({ status: 200, headers: {}, body: new Uint8Array(), url, ...reply }) },
    clock: () => 0,
    randomId: () => 'a-fixed-id-for-this-test',
    limits: { timeoutMs: 1_000, maxResponseBytes: 1_000 },
  })
  return http({
    accountId: 'account',
    executionId: 'execution',
    arguments: { method: 'get', endpoint: 'http://service.test/' },
    input: {},
    secrets,
    idempotencyKey: 'key',
    signal: new AbortController().signal,
  })
}

test('a failed call keeps how long the other side asks to be left alone', async () => {
  const error = await calling({ status: 503, headers: { 'retry-after': '7' } }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(WorkflowError)
  expect(error).toMatchObject({ retryAfterMs: 7_000, data: { status: 503 } })
})

test('a failed call that asks for nothing keeps nothing', async () => {
  await expect(calling({ status: 500 })).rejects.toMatchObject({ retryAfterMs: undefined })
})

test('what a failed call tells has no secret in it', async () => {
  const headers = { 'content-type': 'text/plain' }
  const failed = calling({ status: 500, headers, body: Buffer.from('your token hush-hush is wrong') }, { deep: [{ token: 'hush-hush' }] })
  const error = await failed.catch((caught: unknown) => caught)
  expect(error).toMatchObject({ data: { detail: expect.stringContaining('is wrong') } })
  expect(error).not.toMatchObject({ data: { detail: expect.stringContaining('hush-hush') } })
})

import { describe, expect, test } from 'vitest'
import { describeRequest, exchange } from './exchange.ts'
import { HttpCallError } from './http-call-error.ts'
import type { HttpPort, HttpRequest, TransportReason } from './port.ts'

const limits = { timeoutMs: 1_234, maxResponseBytes: 5_678 }
const request = { method: 'GET', url: 'http://h.test/path?key=secret', headers: {}, followRedirects: false } as const
const never = new AbortController().signal

function failing(error: unknown): HttpPort {
  return {
    request: async () => {
      throw error
    },
  }
}

describe('a failure of the transport', () => {
  test.each<[TransportReason, string, number]>([
    ['denied', 'authorization', 403],
    ['timeout', 'timeout', 408],
    ['dns', 'communication', 503],
    ['connect', 'communication', 503],
    ['tls', 'communication', 503],
    ['reset', 'communication', 502],
    ['protocol', 'communication', 502],
    ['too-large', 'communication', 502],
    ['redirects', 'communication', 502],
  ])('%s is an error of kind %s with status %d', async (reason, kind, status) => {
    const cause = Object.assign(new Error('it went wrong'), { reason })
    const failure: unknown = await exchange({ http: failing(cause), limits }, request, never).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(HttpCallError)
    expect(failure).toMatchObject({ kind, cause, error: { status, detail: 'GET http://h.test/path?key=***: it went wrong' } })
  })

  test.each([[new Error('no reason')], [Object.assign(new Error('x'), { reason: 'made-up' })], ['a string']])(
    '%s is passed on as it is',
    async (error) => {
      await expect(exchange({ http: failing(error), limits }, request, never)).rejects.toBe(error)
    },
  )

  test('after an abort, the reason of the abort is what counts', async () => {
    const controller = new AbortController()
    const http: HttpPort = {
      request: async () => {
        controller.abort(new Error('cancelled'))
        throw Object.assign(new Error('reset'), { reason: 'reset' })
      },
    }
    await expect(exchange({ http, limits }, request, controller.signal)).rejects.toThrow('cancelled')
  })
})

test('a call that is cancelled beforehand asks the port for nothing', async () => {
  const asked: HttpRequest[] = []
  const http: HttpPort = {
    request: async (given) => {
      asked.push(given)
      return { status: 200, headers: {}, body: new Uint8Array(), url: given.url }
    },
  }
  await expect(exchange({ http, limits }, request, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
  expect(asked).toEqual([])
})

test('the port receives the limits, and no body for a request without one', async () => {
  const seen: HttpRequest[] = []
  const http: HttpPort = {
    request: async (given) => {
      seen.push(given)
      return { status: 200, headers: {}, body: new Uint8Array(), url: given.url }
    },
  }
  await exchange({ http, limits }, { ...request, body: undefined }, never)
  await exchange({ http, limits }, { ...request, body: 'x' }, never)
  expect(seen).toEqual([
    { ...request, ...limits },
    { ...request, ...limits, body: 'x' },
  ])
})

test('a request is described with its query, without the values of credentials', () => {
  const described = (query: string) => describeRequest('PUT', `https://u:p@h.test:8443/a/b${query}`)
  expect(described('?token=x&page=2&api_key=y&q=a%20b')).toBe('PUT https://h.test:8443/a/b?token=***&page=2&api_key=***&q=a%20b')
  expect(described('')).toBe('PUT https://h.test:8443/a/b')
  expect(described(`?page=2&q=${'x'.repeat(400)}`)).toBe('PUT https://h.test:8443/a/b?page=2&…')
})

import { describe, expect, test } from 'vitest'
import type { WireReply, WireRequest } from './exchange.ts'
import { redirected } from './redirect.ts'

const headers = {
  accept: 'application/json',
  authorization: 'Bearer secret',
  cookie: 'session=1',
  'content-type': 'text/plain',
  'idempotency-key': 'key',
  'x-api-key': 'secret',
}
const request = (method = 'GET', body?: string): WireRequest => ({ method, url: new URL('https://a.test/dir/page?q=1'), headers, body })
const reply = (status: number, location?: string): WireReply => ({
  status,
  headers: location === undefined ? {} : { location },
  body: Buffer.alloc(0),
})

describe('where to', () => {
  test.each([
    ['https://b.test/x', 'https://b.test/x'],
    ['/x', 'https://a.test/x'],
    ['x?y=1', 'https://a.test/dir/x?y=1'],
    ['?z', 'https://a.test/dir/page?z'],
    ['//b.test/x', 'https://b.test/x'],
    ['http://a.test/', 'http://a.test/'],
    ['/x#part', 'https://a.test/x'],
    ['https://user:password@b.test/', 'https://b.test/'],
    ['', 'https://a.test/dir/page?q=1'],
  ])('%j leads to %s', (location, expected) => {
    expect(redirected(request(), reply(302, location))?.url.href).toBe(expected)
  })

  test.each(['file:///etc/passwd', 'javascript:alert(1)', 'ftp://b.test/', 'data:text/plain,x', 'https://', 'http://[::1'])(
    '%j leads nowhere',
    (location) => {
      expect(() => redirected(request(), reply(302, location))).toThrow(expect.objectContaining({ reason: 'redirects' }))
    },
  )

  test.each([200, 300, 304, 305, 306, 399, 404])('%d is no redirect', (status) => {
    expect(redirected(request(), reply(status, '/x'))).toBeUndefined()
  })

  test('a redirect without Location is not followed', () => {
    expect(redirected(request(), reply(302))).toBeUndefined()
  })
})

describe('how', () => {
  test.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'DELETE', 'GET'],
    [301, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
    [303, 'HEAD', 'HEAD'],
    [301, 'HEAD', 'HEAD'],
    [302, 'GET', 'GET'],
  ])('%d makes of %s a %s', (status, method, expected) => {
    const next = redirected(request(method, 'body'), reply(status, '/x'))
    expect(next?.method).toBe(expected)
    const keepsBody = method === expected
    expect(next?.body).toBe(keepsBody ? 'body' : undefined)
    expect(next?.headers['content-type']).toBe(keepsBody ? 'text/plain' : undefined)
  })
})

describe('with what', () => {
  test('within the origin everything goes along', () => {
    expect(redirected(request(), reply(302, '/x'))?.headers).toEqual(headers)
    expect(redirected(request(), reply(302, 'https://a.test:443/x'))?.headers).toEqual(headers)
  })

  test.each(['https://b.test/', 'http://a.test/', 'https://a.test:8443/', 'https://www.a.test/'])(
    'to %s no credentials go along, not even in headers of the author',
    (location) => {
      expect(redirected(request(), reply(307, location))?.headers).toEqual({
        accept: 'application/json',
        'content-type': 'text/plain',
        'idempotency-key': 'key',
      })
    },
  )

  test('credentials that were dropped do not come back', () => {
    const away = redirected(request(), reply(302, 'https://b.test/'))
    const back = away && redirected(away, reply(302, 'https://a.test/'))
    expect(back?.headers).not.toHaveProperty('authorization')
  })

  test('names of headers in any case are known', () => {
    const odd = { ...request(), headers: { Authorization: 'x', 'Content-Type': 'y', Accept: 'z' } }
    expect(redirected(odd, reply(302, 'https://b.test/'))?.headers).toEqual({ 'Content-Type': 'y', Accept: 'z' })
    expect(redirected({ ...odd, method: 'POST' }, reply(303, '/x'))?.headers).toEqual({ Authorization: 'x', Accept: 'z' })
  })
})

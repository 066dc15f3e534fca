import { describe, expect, test } from 'vitest'
import type { ResolvedAddress, Resolver, UnreachableName } from './guarded-lookup.ts'
import type { NetError } from './net-error.ts'
import { closeAfterEach, get, never, openFetch, reasonOf, text } from '#testing/net/fetch.ts'
import { startServer, type TestServer } from '#testing/net/server.ts'

const opened = closeAfterEach()

const v4 = (address: string): ResolvedAddress => ({ address, family: 4 })
const v6 = (address: string): ResolvedAddress => ({ address, family: 6 })

/** A name server that is the attacker's: it gives one answer after another, the last one forever. */
function hostile(...answers: readonly (readonly ResolvedAddress[])[]): Resolver & { readonly asked: string[] } {
  const left = [...answers]
  const asked: string[] = []
  const resolver: Resolver = async (hostname) => {
    asked.push(hostname)
    return (left.length > 1 ? left.shift() : left[0]) ?? []
  }
  return Object.assign(resolver, { asked })
}

const innerIsForbidden: Resolver = async (hostname) => [v4(hostname === 'inner.test' ? '127.0.0.2' : '127.0.0.1')]

const unknownName: Resolver = async () => {
  throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
}

async function serve(): Promise<TestServer> {
  return opened(await startServer((request, response) => response.setHeader('connection', 'close').end(`for ${request.headers.host}`)))
}

const named = (server: TestServer, host = 'evil.test'): string => `http://${host}:${server.port}/`

describe('a name that resolves to a forbidden address', () => {
  test.each([
    ['loopback', v4('127.0.0.1')],
    ['private', v4('10.0.0.1')],
    ['metadata', v4('169.254.169.254')],
    ['IPv6 loopback', v6('::1')],
    ['IPv4-mapped', v6('::ffff:127.0.0.1')],
    ['NAT64', v6('64:ff9b::7f00:1')],
    ['6to4', v6('2002:7f00:1::1')],
  ])('%s is refused without a connection', async (_, address) => {
    const server = await serve()
    const net = opened(openFetch({ allow: [], resolver: hostile([address]) }))
    expect(await reasonOf(net.request(get(named(server)), never))).toBe('dns')
    expect(server.connections()).toBe(0)
  })

  test('fails as one that does not exist does, which would map our network, and the operator alone learns why', async () => {
    const reported: UnreachableName[] = []
    const failureWith = async (resolver: Resolver) => {
      const net = opened(openFetch({ allow: [], resolver, onUnreachable: (name) => reported.push(name) }))
      const [outcome] = await Promise.allSettled([net.request(get('http://inside.test/'), never)])
      const { reason, message, cause }: NetError = Object(outcome).reason
      return { reason, message, cause }
    }
    const refused = await failureWith(hostile([v4('10.11.12.13')]))
    expect(refused).toMatchObject({ reason: 'dns', message: expect.stringContaining('inside.test cannot be resolved to an address') })
    expect(await failureWith(unknownName)).toEqual(refused)
    expect(reported).toEqual([
      { hostname: 'inside.test', addresses: ['10.11.12.13'] },
      { hostname: 'inside.test', addresses: [], error: expect.objectContaining({ code: 'ENOTFOUND' }) },
    ])
  })
})

describe('rebinding', () => {
  test('the address that was checked is the one that is connected to: the name is asked for once', async () => {
    const server = await serve()
    const resolver = hostile([v4('127.0.0.1')], [v4('10.0.0.1')])
    const net = opened(openFetch({ allow: ['127.0.0.1'], resolver }))
    const reply = await net.request(get(named(server)), never)
    expect(text(reply.body)).toBe(`for evil.test:${server.port}`)
    expect(resolver.asked).toEqual(['evil.test'])
  })

  test('a name that turns to a forbidden address is refused at the next connection', async () => {
    const server = await serve()
    const net = opened(openFetch({ allow: ['127.0.0.1'], resolver: hostile([v4('127.0.0.1')], [v4('127.0.0.2')]) }))
    await net.request(get(named(server)), never)
    expect(await reasonOf(net.request(get(named(server)), never))).toBe('dns')
    expect(server.connections()).toBe(1)
  })

  test('only the allowed addresses of a name are connected to', async () => {
    const server = await serve()
    const resolver = hostile([v4('10.0.0.1'), v6('::1'), v4('127.0.0.1'), v4('169.254.169.254')])
    const net = opened(openFetch({ allow: ['127.0.0.1'], resolver, connectTimeoutMs: 500 }))
    expect((await net.request(get(named(server)), never)).status).toBe(200)
  })

  test('when the first of several allowed addresses does not answer, the next is tried', async () => {
    const server = await serve()
    const net = opened(openFetch({ resolver: hostile([v4('127.0.0.2'), v4('127.0.0.3'), v4('127.0.0.1')]) }))
    expect((await net.request(get(named(server)), never)).status).toBe(200)
  })

  test('a redirect to a forbidden name or address is refused', async () => {
    const inner = await serve()
    const targets = [
      `http://inner.test:${inner.port}/`,
      `http://127.0.0.2:${inner.port}/`,
      `http://[::ffff:127.0.0.2]:${inner.port}/`,
      'http://169.254.169.254/',
    ]
    const outer = opened(
      await startServer((request, response) => response.writeHead(302, { location: targets[Number(request.url?.slice(1))] }).end()),
    )
    const net = opened(openFetch({ allow: ['127.0.0.1'], resolver: innerIsForbidden }))
    const reasons = await Promise.all(
      targets.map((_, index) => reasonOf(net.request(get(`${named(outer)}${index}`, { followRedirects: true }), never))),
    )
    expect(reasons).toEqual(['dns', 'denied', 'denied', 'denied'])
    expect(inner.connections()).toBe(0)
  })
})

describe('addresses written into the URL', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '①②⑦.⓪.⓪.①',
    '%31%32%37.0.0.1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '169.254.169.254',
    '0xa9fea9fe',
  ])('%s is refused in every notation', async (host) => {
    const server = await serve()
    const net = opened(openFetch({ allow: [], resolver: hostile([]) }))
    expect(await reasonOf(net.request(get(named(server, host)), never))).toBe('denied')
    expect(server.connections()).toBe(0)
  })

  test.each(['127.0.0.1', '127.1', '0x7f000001', '[::ffff:127.0.0.1]'])('%s is reached when the operator allows it', async (host) => {
    const server = await serve()
    const net = opened(openFetch({ allow: ['127.0.0.1'], resolver: hostile([]) }))
    expect((await net.request(get(named(server, host)), never)).status).toBe(200)
  })
})

describe('names', () => {
  test('localhost is this machine, and is refused unless an address of it is allowed', async () => {
    const server = await serve()
    expect(await reasonOf(opened(openFetch({ allow: [] })).request(get(named(server, 'localhost')), never))).toBe('denied')
    expect((await opened(openFetch({ allow: ['127.0.0.1'] })).request(get(named(server, 'localhost')), never)).status).toBe(200)
  })

  test('a name without an address is a DNS error', async () => {
    expect(await reasonOf(opened(openFetch({ resolver: unknownName })).request(get('http://nowhere.test/'), never))).toBe('dns')
    expect(await reasonOf(opened(openFetch({ resolver: hostile([]) })).request(get('http://nowhere.test/'), never))).toBe('dns')
  })

  test.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'unix:/run/x.sock', 'data:text/plain,x'])('%s is refused', async (url) => {
    expect(await reasonOf(opened(openFetch()).request(get(url), never))).toBe('denied')
  })
})

import { createHash } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { callHttp } from '#effects/http/call-http.ts'
import { testContext } from '#effects/http/testing-context.ts'
import { inTurn } from '#effects/http/testing-outcome.ts'
import { type Received, startServer, type TestServer } from '#effects/http/testing-server.ts'

interface Realm {
  algorithm: string
  qop: string
  /** How many uses a nonce is good for before it is called stale. */
  usesMax: number
  extra: string
}

/** A digest server after RFC 7616, written apart from the client: it checks every field that the client must send. */
class DigestServer {
  readonly realm: Realm = { algorithm: 'SHA-256', qop: 'auth', usesMax: Number.POSITIVE_INFINITY, extra: '' }
  readonly counts: string[] = []
  private issued = 0

  challenge(stale: boolean): string {
    const { algorithm, qop, extra } = this.realm
    this.issued++
    this.counts.length = 0
    return `${extra}Digest realm="the realm", nonce="nonce-${this.issued}", qop="${qop}", algorithm=${algorithm}, opaque="op"${stale ? ', stale=true' : ''}`
  }

  /** The challenge to send, or undefined when the request may pass. */
  check(request: Received): string | undefined {
    const fields = Object.fromEntries(
      [...(request.headers.authorization ?? '').matchAll(/(\w+)=(?:"([^"]*)"|([^,\s]+))/g)].map(([, name, a, b]) => [name, a ?? b]),
    )
    const { nonce, nc, cnonce, uri, opaque, response, qop } = fields
    if (nonce === undefined) return this.challenge(false)
    const hash = (text: string): string =>
      createHash(this.realm.algorithm === 'MD5' ? 'md5' : 'sha256')
        .update(text)
        .digest('hex')
    const expected = hash(`${hash('ann:the realm:pass')}:${nonce}:${nc}:${cnonce}:${qop}:${hash(`${request.method}:${uri}`)}`)
    if (response !== expected || opaque !== 'op' || uri !== request.url || fields['username'] !== 'ann') return this.challenge(false)
    if (nonce !== `nonce-${this.issued}` || this.counts.length >= this.realm.usesMax) return this.challenge(true)
    if (nc === undefined || this.counts.includes(nc)) return this.challenge(false)
    this.counts.push(nc)
    return undefined
  }
}

const servers: TestServer[] = []
let digest: DigestServer
let server: TestServer

beforeEach(async () => {
  const state = new DigestServer()
  digest = state
  server = await startServer((request, response) => {
    if (request.url === '/redirect') return response.writeHead(307, { location: '/other' }).end()
    const challenge = state.check(request)
    if (challenge !== undefined) return response.writeHead(401, { 'www-authenticate': challenge }).end()
    return response.writeHead(200, { 'content-type': 'text/plain' }).end(`hello ${request.body.toString()}`)
  })
  servers.push(server)
})

afterAll(() => Promise.all(servers.map((one) => one.close())))

function call(context = testContext(), password = 'pass', args: Readonly<Record<string, Json>> = {}): Promise<Json> {
  const endpoint = { uri: `${server.origin}/path?q=1`, authentication: { digest: { username: 'ann', password } } }
  return callHttp({ method: 'post', endpoint, body: 'body', ...args }, context)
}

describe('the challenge of a server is answered', () => {
  test.each(['MD5', 'SHA-256'])('with %s, the body sent again', async (algorithm) => {
    digest.realm.algorithm = algorithm
    expect(await call()).toBe('hello body')
    expect(server.received).toHaveLength(2)
    expect(server.received[0]?.headers).not.toHaveProperty('authorization')
  })

  test('with the same idempotency key on both requests', async () => {
    await call()
    expect(new Set(server.received.map((request) => request.headers['idempotency-key']))).toEqual(new Set(['key-1']))
  })

  test('with the strongest of several, other schemes left aside', async () => {
    digest.realm.extra = 'Basic realm="x", Digest realm="the realm", nonce="weak", qop="auth", algorithm=MD5, '
    expect(await call()).toBe('hello body')
    expect(server.received[1]?.headers.authorization).toContain('algorithm=SHA-256')
  })
})

describe('a nonce is used again', () => {
  test('by later calls, with a count that rises', async () => {
    const context = testContext()
    expect(await inTurn([1, 2, 3], () => call(context))).toEqual(Array(3).fill('hello body'))
    expect(server.received).toHaveLength(4)
    expect(digest.counts).toEqual(['00000001', '00000002', '00000003'])
  })

  test('by calls at the same time, each with a count of its own', async () => {
    const context = testContext()
    await call(context)
    await Promise.all(Array.from({ length: 10 }, () => call(context)))
    expect(new Set(digest.counts).size).toBe(11)
  })

  test('until the server calls it stale; the call then uses the new one', async () => {
    digest.realm.usesMax = 2
    const context = testContext()
    expect(await inTurn([1, 2, 3, 4, 5], () => call(context))).toEqual(Array(5).fill('hello body'))
  })

  test('but not with another password', async () => {
    const context = testContext()
    await call(context)
    const before = server.received.length
    await expect(call(context, 'wrong')).rejects.toMatchObject({ error: { status: 401 } })
    expect(server.received[before]?.headers).not.toHaveProperty('authorization')
  })

  test('and forgotten after ten minutes', async () => {
    let now = 0
    const context = testContext({ clock: () => now })
    await call(context)
    now += 10 * 60_000
    await call(context)
    expect(server.received).toHaveLength(4)
  })
})

describe('refusals', () => {
  test('a wrong password is a 401 after one more attempt, and not a loop', async () => {
    await expect(call(testContext(), 'wrong')).rejects.toMatchObject({ kind: 'communication', error: { status: 401 } })
    expect(server.received).toHaveLength(2)
  })

  test('an algorithm that is not supported is named', async () => {
    digest.realm.algorithm = 'SHA3-512'
    await expect(call()).rejects.toMatchObject({ kind: 'authentication', message: expect.stringContaining('SHA3-512 with qop auth') })
  })

  test('a 401 behind a redirect is not answered: the address that would be signed is another', async () => {
    const args = {
      endpoint: { uri: `${server.origin}/redirect`, authentication: { digest: { username: 'ann', password: 'pass' } } },
      redirect: true,
    }
    await expect(call(testContext(), 'pass', args)).rejects.toMatchObject({ error: { status: 401 } })
    expect(server.received).toHaveLength(2)
  })

  test.each([
    ['a 401 without a digest challenge', 'Basic realm="x"'],
    ['a digest challenge without a nonce', 'Digest realm="x", algorithm=NONE'],
  ])('%s cannot be answered, and is final', async (_what, challenge) => {
    const plain = await startServer((_, response) => response.writeHead(401, { 'www-authenticate': challenge }).end())
    servers.push(plain)
    const endpoint = { uri: plain.origin, authentication: { digest: { username: 'ann', password: 'pass' } } }
    await expect(callHttp({ method: 'get', endpoint }, testContext())).rejects.toMatchObject({
      kind: 'communication',
      error: { status: 401 },
    })
    expect(plain.received).toHaveLength(1)
  })
})

import { createServer } from 'node:https'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, test } from 'vitest'
import type { GuardedFetch } from './guarded-fetch.ts'
import { createCertificate, type TestCertificate } from '#testing/net/certificate.ts'
import { closeAfterEach, get, never, openFetch, reasonOf, text } from '#testing/net/fetch.ts'
import { closed, listen, startServer } from '#testing/net/server.ts'

const opened = closeAfterEach()
const good = createCertificate('good.test', new Date('2999-01-01T00:00:00Z'))

async function serve(certificate: TestCertificate = good): Promise<number> {
  const server = createServer(certificate, (request, response) => response.end(`secure ${request.headers.host}`))
  const { port } = await listen(server)
  opened({ close: () => closed(server, () => server.closeAllConnections()) })
  return port
}

const trusting = (...ca: readonly string[]): GuardedFetch =>
  opened(openFetch({ resolver: async () => [{ address: '127.0.0.1', family: 4 }], ...(ca.length === 0 ? {} : { ca }) }))

describe('TLS', () => {
  test('a server with a trusted certificate for its name is accepted', async () => {
    const port = await serve()
    const reply = await trusting(good.cert).request(get(`https://good.test:${port}/`), never)
    expect(text(reply.body)).toBe(`secure good.test:${port}`)
  })

  test('a certificate of an unknown authority is refused', async () => {
    expect(await reasonOf(trusting().request(get(`https://good.test:${await serve()}/`), never))).toBe('tls')
  })

  test('a certificate of another name is refused', async () => {
    expect(await reasonOf(trusting(good.cert).request(get(`https://other.test:${await serve()}/`), never))).toBe('tls')
  })

  test('an expired certificate is refused', async () => {
    const expired = createCertificate('good.test', new Date('2021-01-01T00:00:00Z'))
    expect(await reasonOf(trusting(expired.cert).request(get(`https://good.test:${await serve(expired)}/`), never))).toBe('tls')
  })

  test('a certificate that does not name the literal address of the URL is refused', async () => {
    expect(await reasonOf(trusting(good.cert).request(get(`https://127.0.0.1:${await serve()}/`), never))).toBe('tls')
  })

  test('fails clearly when the other side speaks plain HTTP', async () => {
    const server = opened(await startServer((_, response) => response.end()))
    expect(await reasonOf(trusting(good.cert).request(get(`https://good.test:${server.port}/`), never))).toBe('tls')
  })

  test('TLS before 1.2 is refused', async () => {
    const server = createTlsServer({ ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }, (socket) =>
      socket.end(),
    )
    server.on('tlsClientError', () => {})
    const { port } = await listen(server)
    opened({ close: () => closed(server, () => {}) })
    expect(await reasonOf(trusting(good.cert).request(get(`https://good.test:${port}/`), never))).toBe('tls')
  })

  test('a redirect from HTTPS to HTTP drops the credentials', async () => {
    const plain = opened(await startServer((request, response) => response.end(request.headers.authorization ?? 'no credentials')))
    const server = createServer(good, (_, response) => response.writeHead(302, { location: `http://good.test:${plain.port}/` }).end())
    const { port } = await listen(server)
    opened({ close: () => closed(server, () => server.closeAllConnections()) })
    const request = get(`https://good.test:${port}/`, { followRedirects: true, headers: { authorization: 'Bearer x' } })
    expect(text((await trusting(good.cert).request(request, never)).body)).toBe('no credentials')
  })
})

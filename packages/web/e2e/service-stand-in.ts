import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A service of the outside world: it takes one API key or its own tokens, and consents to every authorization at once. */
export async function startServiceStandIn(key: string, returnTo: () => string) {
  const issued = `issued-${key}`
  const server = createServer(({ url = '/', headers }, reply) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    if (pathname === '/token') {
      reply.writeHead(200, { 'content-type': 'application/json' })
      return reply.end(JSON.stringify({ access_token: issued, token_type: 'Bearer', expires_in: 3600, refresh_token: issued }))
    }
    if (pathname === '/authorize') {
      const given = new URLSearchParams({ state: searchParams.get('state') ?? '', code: 'a-code' })
      return reply.writeHead(302, { location: `${returnTo()}/connections/callback?${given.toString()}` }).end()
    }
    const known = headers['x-api-key'] === key || headers.authorization === `Bearer ${issued}`
    return reply.writeHead(known ? 200 : 401).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = addressOf(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(resolve)
      }),
  }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('the stand-in listens on a port')
  return address
}

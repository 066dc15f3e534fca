import { createServer, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** Starts a proxy of a server on a free port. Something can happen before it forwards a request. */
export async function startProxy(
  target: string,
  before: (method: string) => Promise<void>,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const body = await buffer(incoming)
      await before(incoming.method ?? '')
      const { method, headers } = incoming
      send(new URL(incoming.url ?? '', target), { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      }).end(body)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

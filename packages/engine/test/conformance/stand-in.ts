import { createHttpFunctions } from '#effects/http-functions.ts'
import type { HttpPort } from '#effects/http/index.ts'
import { fetchPort } from '#effects/http/testing-port.ts'
import { sendJson, startServer } from '#effects/http/testing-server.ts'
import { exampleText } from '#effects/openapi/testing-documents.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'

export interface StandIn {
  /** The functions that call services. All hosts lead to the stand-in. */
  readonly functions: Readonly<Record<string, EffectFunction>>
  /** Requested hosts and paths, in order. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

const petstore = exampleText('2.0/json/petstore.json')
const hosts = new Set(['petstore.swagger.io', 'httpbin.org'])

/** Serves the requests of the conformance kit to petstore.swagger.io and httpbin.org. */
export async function startStandIn(): Promise<StandIn> {
  const asked: string[] = []
  const server = await startServer(({ url, headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://stand-in')
    const [, first, ...rest] = pathname.split('/')
    if (pathname === '/v2/swagger.json') response.writeHead(200, { 'content-type': 'application/json' }).end(petstore)
    else if (pathname === '/v2/pet/findByStatus') sendJson(response, 200, [pet(1, searchParams.get('status') ?? ''), pet(2, 'sold')])
    else if (/^\/v2\/pet\/\d+$/.test(pathname)) sendJson(response, 200, pet(Number(rest.at(-1)), 'available'))
    else if (first === 'basic-auth') {
      const expected = `Basic ${Buffer.from(rest.map(decodeURIComponent).join(':')).toString('base64')}`
      if (headers.authorization === expected) sendJson(response, 200, { authenticated: true })
      else response.writeHead(401, { 'www-authenticate': 'Basic realm="stand-in"' }).end()
    } else sendJson(response, 404, { code: 404, type: 'unknown', message: 'not found' })
  })
  const http: HttpPort = {
    async request(request, signal) {
      const url = new URL(request.url)
      if (!hosts.has(url.host)) throw Object.assign(new Error(`${url.host} is not served here`), { reason: 'dns' })
      asked.push(`${url.host}${url.pathname}`)
      const reply = await fetchPort.request({ ...request, url: `${server.origin}${url.pathname}${url.search}` }, signal)
      return { ...reply, url: request.url }
    },
  }
  const limits = { timeoutMs: 5_000, timeoutMsMax: 5_000, maxResponseBytes: 1_000_000 }
  const functions = createHttpFunctions({ http, clock: Date.now, randomId: () => 'a-fixed-id-for-this-test', limits, version: '0.0.0' })
  return { functions: Object.fromEntries(functions), asked, close: () => server.close() }
}

function pet(id: number, status: string): object {
  return { id, name: `pet ${id}`, status, photoUrls: [], tags: [] }
}

import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Json, JsonObject } from '#core/json.ts'
import type { HttpPort } from '#effects/http/index.ts'
import { fetchPort } from '#effects/http/testing-port.ts'
import { type Received, startServer } from '#effects/http/testing-server.ts'

/** A response of the service. A body that is not text is sent as JSON. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
  /** Delay of the response. */
  readonly afterMs?: number
  readonly never?: boolean
}

export type Demand =
  | { readonly scheme: 'basic' | 'digest'; readonly username: string; readonly password: string }
  | { readonly scheme: 'bearer'; readonly token: string }

/** A received request, with its original URL. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly query: JsonObject
  readonly headers: JsonObject
  /** Parsed if it is JSON. */
  readonly body: Json
}

/** A real HTTP server that replaces every host of a scenario. */
export interface Service {
  readonly http: HttpPort
  readonly asked: readonly Asked[]
  /** Number of requests that wait for a delay or get no response. */
  readonly hanging: number
  /** Adds a response. Several are sent in order, and the last one is repeated. */
  answers(method: string, url: string, reply: Reply): void
  demands(url: string, demand: Demand): void
  /** Makes connections to that host fail. */
  isGone(host: string): void
  /** Sends requests for that host to another server. */
  leadsTo(host: string, origin: string): void
  close(): Promise<void>
}

const ORIGIN_HEADER = 'x-scenario-origin'

export async function startService(): Promise<Service> {
  const replies = new Map<string, Reply[]>()
  const demands = new Map<string, Demand>()
  const gone = new Set<string>()
  const elsewhere = new Map<string, string>()
  const asked: Asked[] = []
  let hanging = 0

  function delay(response: ServerResponse, afterMs: number | undefined, respond: () => void): void {
    hanging += 1
    let isCounted = true
    const release = () => {
      if (isCounted) hanging -= 1
      isCounted = false
    }
    response.on('close', release)
    if (afterMs === undefined) return
    setTimeout(() => {
      release()
      respond()
    }, afterMs)
  }

  const server = await startServer((request, response) => {
    const one = askedFrom(request)
    asked.push(one)
    const demand = demands.get(one.url)
    if (demand !== undefined && !meets(request, demand)) return refuse(response, demand)
    const waiting = replies.get(`${one.method} ${one.url}`) ?? []
    const reply = waiting.length > 1 ? waiting.shift() : waiting[0]
    if (reply?.never === true) delay(response, undefined, () => undefined)
    else if (reply?.afterMs !== undefined) delay(response, reply.afterMs, () => send(response, reply))
    else send(response, reply ?? { status: 404, body: { message: `no response for ${one.method} ${one.url}` } })
  })

  return {
    asked,
    get hanging() {
      return hanging
    },
    http: {
      async request(request, signal) {
        const url = new URL(request.url)
        if (gone.has(url.host)) throw Object.assign(new Error(`no server at ${url.host}`), { reason: 'connect' })
        if (url.hostname === '127.0.0.1') return fetchPort.request(request, signal)
        const other = elsewhere.get(url.host)
        const headers = other === undefined ? { ...request.headers, [ORIGIN_HEADER]: url.origin } : request.headers
        const target = `${other ?? server.origin}${url.pathname}${url.search}`
        const reply = await fetchPort.request({ ...request, headers, url: target }, signal)
        return { ...reply, url: request.url }
      },
    },
    answers(method, url, reply) {
      const key = `${method} ${url}`
      replies.set(key, [...(replies.get(key) ?? []), reply])
    },
    demands: (url, demand) => void demands.set(url, demand),
    isGone: (host) => void gone.add(host),
    leadsTo: (host, origin) => void elsewhere.set(host, origin),
    close: () => server.close(),
  }
}

function askedFrom({ method, url, headers, body }: Received): Asked {
  const { [ORIGIN_HEADER]: origin, ...given } = headers
  const { pathname, searchParams } = new URL(url, 'http://any')
  const text = body.toString()
  const isJson = (headers['content-type'] ?? '').includes('json') && text !== ''
  return {
    method,
    url: `${String(origin)}${pathname}`,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)])),
    body: isJson ? JSON.parse(text) : text,
  }
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: Reply): void {
  if (response.destroyed) return
  const isText = typeof body === 'string'
  const type = body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' }
  response.writeHead(status, { ...type, ...headers }).end(body === undefined || isText ? body : JSON.stringify(body))
}

const NONCE = 'dcd98b7102dd2f0e8b11d0f600bfb0c093'

function refuse(response: ServerResponse, { scheme }: Demand): void {
  const challenge =
    scheme === 'digest' ? `Digest realm="scenario", qop="auth", algorithm=SHA-256, nonce="${NONCE}"` : `${scheme} realm="scenario"`
  response.writeHead(401, { 'www-authenticate': challenge }).end()
}

function meets({ method, headers }: Received, demand: Demand): boolean {
  const given = headers.authorization ?? ''
  switch (demand.scheme) {
    case 'basic':
      return given === `Basic ${Buffer.from(`${demand.username}:${demand.password}`).toString('base64')}`
    case 'bearer':
      return given === `Bearer ${demand.token}`
    case 'digest': {
      // RFC 7616, section 3.4.1, with qop=auth.
      const parts = Object.fromEntries(
        [...given.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]*))/g)].map(([, name, quoted, bare]) => [name, quoted ?? bare]),
      )
      const secret = sha256(`${demand.username}:scenario:${demand.password}`)
      const response = sha256([secret, NONCE, parts.nc, parts.cnonce, 'auth', sha256(`${method}:${parts.uri}`)].join(':'))
      return given.startsWith('Digest ') && parts.nonce === NONCE && parts.response === response
    }
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import { duplexPair, type Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import tls from 'node:tls'
import type { PieceRequest } from './messages.ts'

/** What came back of a request. */
export interface PieceReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export type SendRequest = (request: PieceRequest) => Promise<PieceReply>

/** Headers that belong to one hop, or that the client of the parent sets itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  'expect',
  'upgrade',
])

/**
 * Takes the environment and the network from this process: `http`, `https` and `fetch` send their requests by `send`, and every other way is refused. It must be called before
 * other code is loaded, and cannot be undone.
 */
export function confineProcess(send: SendRequest): void {
  const origins = new WeakMap<object, string>()
  const server = http.createServer((request, response) => {
    relay(request, origins.get(request.socket) ?? '', send).then(
      ({ status, headers, body }) => {
        const kept = Object.entries(headers).filter(([name]) => !ownHeaders.has(name) && name !== 'content-encoding')
        response.writeHead(status, { ...Object.fromEntries(kept), 'content-length': body.length }).end(body)
      },
      (error: unknown) => request.socket.destroy(error instanceof Error ? error : new Error(String(error))),
    )
  })
  const request = http.request
  const agents = { http: tunnel('http', server, origins), https: tunnel('https', server, origins) }
  for (const [scheme, module] of [
    ['http', http],
    ['https', https],
  ] as const) {
    const requestOf = (...given: readonly unknown[]) => {
      const { options, callback } = optionsOf(given)
      const defaultPort = scheme === 'https' ? 443 : 80
      return request({ ...options, protocol: 'http:', defaultPort, port: options.port ?? defaultPort, agent: agents[scheme] }, callback)
    }
    replace(module, 'request', requestOf)
    replace(module, 'get', (...given: readonly unknown[]) => {
      const made = requestOf(...given)
      made.end()
      return made
    })
  }
  replace(globalThis, 'fetch', (input: string | URL | Request, init?: RequestInit) => fetched(new Request(input, init), send))
  // The shell that starts a process adds some variables.
  replace(process, 'env', {})
  const refuse = () => {
    throw Object.assign(new Error('A piece has no network of its own: requests by http, https and fetch only.'), {
      code: 'ERR_ACCESS_DENIED',
    })
  }
  for (const [target, names] of refused) for (const name of names) if (name in target) replace(target, name, refuse)
  syncBuiltinESMExports()
}

const refused: readonly (readonly [target: object, names: readonly string[]])[] = [
  [net, ['connect', 'createConnection', 'createServer', '_createServerHandle', '_normalizeArgs']],
  [net.Socket.prototype, ['connect']],
  [net.Server.prototype, ['listen', '_listen2']],
  [tls, ['connect', 'createServer']],
  [dgram, ['createSocket', '_createSocketHandle']],
  [dgram.Socket.prototype, ['bind', 'connect', 'send', 'addMembership']],
  [dns, Object.keys(dns).filter((name) => /^(?:lookup|resolve|reverse)/.test(name))],
  [dns.promises, Object.keys(dns.promises).filter((name) => /^(?:lookup|resolve|reverse)/.test(name))],
  [dns.Resolver.prototype, Object.getOwnPropertyNames(dns.Resolver.prototype).filter((name) => /^(?:resolve|reverse)/.test(name))],
  [http2, ['connect', 'createServer', 'createSecureServer']],
  [childProcess, ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync']],
  [globalThis, ['WebSocket', 'EventSource']],
  [os, ['setPriority']],
  // A signal can end another process, or start its debugger.
  [process, ['kill', '_kill', '_debugProcess', '_debugEnd', 'setuid', 'setgid', 'dlopen', 'binding', '_linkedBinding', 'chdir', 'execve']],
]

function replace(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: false, writable: false, enumerable: true })
}

/** An agent whose connections lead to a server in this process. */
function tunnel(scheme: 'http' | 'https', server: http.Server, origins: WeakMap<object, string>): http.Agent {
  const agent = new http.Agent({ keepAlive: false })
  agent.createConnection = ({ host, port }) => {
    const [near, far] = duplexPair()
    origins.set(far, `${scheme}://${String(host).includes(':') ? `[${host}]` : host}:${port}`)
    for (const end of [near, far]) asSocket(end)
    server.emit('connection', far)
    return near
  }
  return agent
}

/** Clients set options of sockets, which have no meaning here. */
function asSocket(duplex: Duplex): void {
  for (const name of ['setTimeout', 'setNoDelay', 'setKeepAlive', 'ref', 'unref'])
    Object.defineProperty(duplex, name, { value: () => duplex })
}

interface Given {
  readonly options: http.RequestOptions
  readonly callback: ((response: http.IncomingMessage) => void) | undefined
}

/** The arguments of `request`: an address, options, or both, and a callback. */
function optionsOf(given: readonly unknown[]): Given {
  const callback = given.find((value) => typeof value === 'function')
  const [first, second] = given
  const url = typeof first === 'string' ? new URL(first) : first instanceof URL ? first : undefined
  const own = url === undefined ? first : second
  const options: http.RequestOptions = typeof own === 'object' && own !== null ? own : {}
  const addressed = url === undefined ? {} : addressOf(url)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The only function of the arguments is the callback.
  return { options: { ...addressed, ...options }, callback: callback as Given['callback'] }
}

function addressOf({ hostname, port, pathname, search }: URL): http.RequestOptions {
  return { hostname: hostname.replace(/^\[|\]$/g, ''), path: `${pathname}${search}`, ...(port === '' ? {} : { port }) }
}

async function relay(request: http.IncomingMessage, origin: string, send: SendRequest): Promise<PieceReply> {
  const { method = 'GET', url = '/', headers } = request
  return send({ method, url: new URL(url, origin).href, headers: sent(headers), body: await buffer(request) })
}

function sent(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined || ownHeaders.has(name) ? [] : [[name, String(value)]])),
  )
}

async function fetched(request: Request, send: SendRequest): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer())
  const reply = await send({ method: request.method, url: request.url, headers: sent(Object.fromEntries(request.headers)), body })
  const isEmpty = [101, 204, 205, 304].includes(reply.status)
  return new Response(isEmpty ? null : Buffer.from(reply.body), { status: reply.status, headers: reply.headers })
}

import { Agent, type IncomingMessage, request } from 'node:http'

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A response. A request without a response has the status 0 and the reason in `text`. */
export interface Reply {
  readonly status: number
  readonly ms: number
  readonly text: string
}

export interface Api {
  readonly url: string
  call(call: Call): Promise<Reply>
  close(): void
}

/** Client addresses: a new one after a number of requests, so that no rate limit per address applies. */
export function createAddresses(network: number, requestsEach: number): () => string {
  let requests = 0
  return () => {
    const index = Math.floor(requests++ / requestsEach)
    return `10.${network}.${Math.floor(index / 250) % 250}.${(index % 250) + 1}`
  }
}

/**
 * A minimal client over keep-alive connections, since it shares the machine's cores with the measured server.
 *
 * @param addressOf the client's address as reported by a trusted proxy; rate limits count by it
 */
export function createApi(url: string, token: string | undefined, addressOf: () => string, timeoutMs = 30_000): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 })
  const { hostname, port, pathname } = new URL(url)
  const root = pathname.replace(/\/$/, '')
  const credential = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return {
    url,
    call: ({ method = 'GET', path, body, type, headers, signal }) => {
      const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
      const content = text === undefined ? {} : { 'content-type': type ?? 'application/json', 'content-length': Buffer.byteLength(text) }
      const startedAt = performance.now()
      return new Promise((resolve) => {
        const finish = (status: number, answer: string) => resolve({ status, ms: performance.now() - startedAt, text: answer })
        const options = { agent, hostname, port, method, path: root + path, ...(signal === undefined ? {} : { signal }) }
        const sent = request({ ...options, headers: { ...credential, 'x-forwarded-for': addressOf(), ...content, ...headers } })
        sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no answer within ${timeoutMs} ms`)))
        sent.once('error', (error) => finish(0, error.message))
        sent.once('response', (response) => void readWhole(response, finish))
        sent.end(text)
      })
    },
    close: () => agent.destroy(),
  }
}

async function readWhole(response: IncomingMessage, finish: (status: number, text: string) => void): Promise<void> {
  const parts: string[] = []
  try {
    for await (const part of response.setEncoding('utf8')) parts.push(String(part))
    finish(response.statusCode ?? 0, parts.join(''))
  } catch (error) {
    finish(0, String(error))
  }
}

/** A member of a response, if the response is an object. */
export function read(reply: Reply, name: string): unknown {
  try {
    const parsed: unknown = JSON.parse(reply.text)
    return typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : undefined
  } catch {
    return undefined
  }
}

/** The same for text, such as an id. */
export function readText(reply: Reply, name: string): string | undefined {
  const value = read(reply, name)
  return typeof value === 'string' ? value : undefined
}

export function isGood({ status }: Reply): boolean {
  return status >= 200 && status < 300
}

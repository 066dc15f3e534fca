import { getEventListeners } from 'node:events'
import { gzipSync } from 'node:zlib'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { closeAfterEach, get, never, openFetch, reasonOf, text } from '#testing/net/fetch.ts'
import { startServer, startTcpServer, type TestServer } from '#testing/net/server.ts'

const opened = closeAfterEach()

async function serve(listener: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<TestServer> {
  return opened(await startServer((request, response) => void listener(request, response)))
}

/** Reads a request to its end. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks = await request.toArray()
  return Buffer.concat(chunks).toString()
}

describe('an exchange', () => {
  test('carries method, path, query, headers and body there, and status, headers and body back', async () => {
    const server = await serve(async (request, response) => {
      response.setHeader('x-saw', `${request.method} ${request.url} ${String(request.headers['x-a'])}`)
      response.writeHead(201).end(await bodyOf(request))
    })
    const request = get(`${server.origin}/a/b?c=%20d`, { method: 'POST', headers: { 'x-a': '1' }, body: 'bödy' })
    const reply = await opened(openFetch()).request(request, never)
    expect(reply).toMatchObject({ status: 201, headers: { 'x-saw': 'POST /a/b?c=%20d 1' }, url: `${server.origin}/a/b?c=%20d` })
    expect(text(reply.body)).toBe('bödy')
  })

  test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s works, with a body and without', async (method) => {
    const seen: string[] = []
    const server = await serve(async (request, response) => {
      seen.push(`${request.method} ${await bodyOf(request)}`)
      response.end()
    })
    const net = opened(openFetch())
    await net.request(get(server.origin, { method }), never)
    await net.request(get(server.origin, { method, body: Buffer.from('bytes') }), never)
    expect(seen).toEqual([`${method} `, `${method} bytes`])
  })

  test('takes a reply in pieces', async () => {
    const server = await serve((_, response) => {
      response.write('one ')
      setImmediate(() => {
        response.write('two ')
        setImmediate(() => response.end('three'))
      })
    })
    expect(text((await opened(openFetch()).request(get(server.origin), never)).body)).toBe('one two three')
  })

  test('asks for compression and undoes it', async () => {
    const server = await serve((request, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(`accepts ${request.headers['accept-encoding']}`)),
    )
    const reply = await opened(openFetch()).request(get(server.origin), never)
    expect(text(reply.body)).toBe('accepts gzip, deflate, br, zstd')
    expect(reply.headers).not.toHaveProperty('content-encoding')
  })

  test('joins headers that come several times', async () => {
    const server = await serve((_, response) => response.setHeader('set-cookie', ['a=1', 'b=2']).end())
    expect((await opened(openFetch()).request(get(server.origin), never)).headers['set-cookie']).toBe('a=1, b=2')
  })

  test('skips what a server says in between', async () => {
    const server = opened(
      await startTcpServer((socket) =>
        socket.once('data', () =>
          socket.end('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
        ),
      ),
    )
    const reply = await opened(openFetch()).request(get(server.origin), never)
    expect(reply.status).toBe(200)
    expect(text(reply.body)).toBe('ok')
  })
})

const circle = (request: IncomingMessage, response: ServerResponse): void => {
  const left = Number(request.url?.slice(1))
  if (left === 0) response.end(`arrived ${request.headers.authorization ?? 'without credentials'}`)
  else response.writeHead(302, { location: `/${left - 1}` }).end()
}

describe('redirects', () => {
  test('redirects are not followed by default', async () => {
    const server = await serve(circle)
    expect(await opened(openFetch()).request(get(`${server.origin}/1`), never)).toMatchObject({ status: 302, url: `${server.origin}/1` })
  })

  test('five redirects are followed and a sixth is an error', async () => {
    const server = await serve(circle)
    const net = opened(openFetch())
    const reply = await net.request(get(`${server.origin}/5`, { followRedirects: true, headers: { authorization: 'x' } }), never)
    expect(text(reply.body)).toBe('arrived x')
    expect(reply.url).toBe(`${server.origin}/0`)
    expect(await reasonOf(net.request(get(`${server.origin}/6`, { followRedirects: true }), never))).toBe('redirects')
  })

  test('a redirect to another origin drops the credentials', async () => {
    const other = await serve(circle)
    const server = await serve((_, response) => response.writeHead(307, { location: `${other.origin}/1` }).end())
    const request = get(server.origin, { followRedirects: true, headers: { authorization: 'x', cookie: 'y', 'x-api-key': 'z' } })
    const reply = await opened(openFetch()).request(request, never)
    expect(text(reply.body)).toBe('arrived without credentials')
  })

  test('all together have the time of one request', async () => {
    const server = await serve((_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 30)
    })
    expect(await reasonOf(opened(openFetch()).request(get(server.origin, { followRedirects: true, timeoutMs: 70 }), never))).toBe('timeout')
  })
})

describe('size', () => {
  test('a body that says it is too large is refused before it comes', async () => {
    const server = await serve((_, response) => response.writeHead(200, { 'content-length': '1000000' }).flushHeaders())
    expect(await reasonOf(opened(openFetch()).request(get(server.origin, { maxResponseBytes: 999_999 }), never))).toBe('too-large')
  })

  test('a large Content-Length in the reply to HEAD is accepted', async () => {
    const server = await serve((_, response) => response.writeHead(200, { 'content-length': '1000000' }).end())
    const reply = await opened(openFetch()).request(get(server.origin, { method: 'HEAD', maxResponseBytes: 10 }), never)
    expect(reply).toMatchObject({ status: 200, headers: { 'content-length': '1000000' } })
    expect(reply.body).toHaveLength(0)
  })

  test('a body without end is refused when it passes the limit', async () => {
    const stopped = Promise.withResolvers<void>()
    const server = await serve((_, response) => {
      response.on('close', () => stopped.resolve())
      const pump = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', pump)
      pump()
    })
    expect(await reasonOf(opened(openFetch()).request(get(server.origin), never))).toBe('too-large')
    await stopped.promise
  })

  test('a body without end is read until the caller says that it is whole, and its connection is closed', async () => {
    const closed = Promise.withResolvers<void>()
    const server = await serve((_, response) => {
      response.on('close', () => closed.resolve())
      response.write('one ')
      setTimeout(() => response.write('two'), 20)
    })
    let read = ''
    const untilWhole = () => (piece: Uint8Array) => {
      read += text(piece)
      return read === 'one two'
    }
    expect(text((await opened(openFetch()).request(get(server.origin, { untilWhole }), never)).body)).toBe('one two')
    await closed.promise
  })

  test('exactly the limit is fine', async () => {
    const server = await serve((_, response) => response.end('x'.repeat(1_000)))
    const net = opened(openFetch())
    expect((await net.request(get(server.origin, { maxResponseBytes: 1_000 }), never)).body).toHaveLength(1_000)
    expect(await reasonOf(net.request(get(server.origin, { maxResponseBytes: 999 }), never))).toBe('too-large')
  })

  test('a small body that unfolds to a large one is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    const server = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb))
    expect(await reasonOf(opened(openFetch()).request(get(server.origin), never))).toBe('too-large')
  })

  test('headers without end are refused', async () => {
    const server = opened(
      await startTcpServer((socket) =>
        socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${`x-a: ${'y'.repeat(1_000)}\r\n`.repeat(100)}`)),
      ),
    )
    expect(await reasonOf(opened(openFetch()).request(get(server.origin), never))).toBe('too-large')
  })
})

describe('time', () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ['before the headers', () => {}],
    ['after the headers', (response) => response.flushHeaders()],
    ['within the body', (response) => response.write('some')],
  ])('a server that stops %s runs into the timeout', async (_, stop) => {
    const server = await serve((__, response) => stop(response))
    expect(await reasonOf(opened(openFetch()).request(get(server.origin, { timeoutMs: 50 }), never))).toBe('timeout')
  })

  test('a server that sends slowly runs into the timeout, which bounds the whole request', async () => {
    const server = await serve((_, response) => {
      const timer = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(timer))
    })
    expect(await reasonOf(opened(openFetch()).request(get(server.origin, { timeoutMs: 80 }), never))).toBe('timeout')
  })

  test('a limit longer than a timer can be is no limit, and not none at all', async () => {
    const server = await serve((_, response) => setImmediate(() => response.end('ok')))
    const reply = await opened(openFetch()).request(get(server.origin, { timeoutMs: Number.MAX_SAFE_INTEGER }), never)
    expect(text(reply.body)).toBe('ok')
  })

  test('a name server that does not respond runs into the timeout', async () => {
    const net = opened(openFetch({ resolver: () => new Promise(() => {}) }))
    expect(await reasonOf(net.request(get('http://slow.test/', { timeoutMs: 50 }), never))).toBe('timeout')
  })

  test('waiting for a free connection counts', async () => {
    const server = await serve(() => {})
    const net = opened(openFetch({ connectionsPerOrigin: 1 }))
    const both = [net.request(get(server.origin, { timeoutMs: 60 }), never), net.request(get(server.origin, { timeoutMs: 40 }), never)]
    expect(await Promise.all(both.map(reasonOf))).toEqual(['timeout', 'timeout'])
  })
})

describe('aborting', () => {
  const reason = new Error('cancelled')

  test('beforehand sends nothing', async () => {
    const server = await serve((_, response) => response.end())
    await expect(opened(openFetch()).request(get(server.origin), AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(server.connections()).toBe(0)
  })

  test.each<[string, (response: ServerResponse) => void]>([
    ['while waiting for the reply', () => {}],
    ['while reading the body', (response) => response.write('some')],
  ])('%s ends at once, with the reason, and closes the connection', async (_, stop) => {
    const arrived = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const server = await serve((__, response) => {
      response.on('close', closed.resolve)
      stop(response)
      arrived.resolve()
    })
    const controller = new AbortController()
    const requesting = opened(openFetch()).request(get(server.origin), controller.signal)
    await arrived.promise
    controller.abort(reason)
    await expect(requesting).rejects.toBe(reason)
    await closed.promise
  })

  test('while the name is being resolved ends at once', async () => {
    const asked = Promise.withResolvers<void>()
    const net = openFetch({
      resolver: () => {
        asked.resolve()
        return new Promise(() => {})
      },
    })
    const controller = new AbortController()
    const requesting = net.request(get('http://slow.test/'), controller.signal)
    await asked.promise
    controller.abort(reason)
    await expect(requesting).rejects.toBe(reason)
  })

  test('while queued for a connection ends at once, and the request is never sent', async () => {
    const seen: string[] = []
    const first = Promise.withResolvers<ServerResponse>()
    const server = await serve((request, response) => {
      seen.push(request.url ?? '')
      if (request.url === '/first') first.resolve(response)
      else response.end()
    })
    const net = opened(openFetch({ connectionsPerOrigin: 1 }))
    const controller = new AbortController()
    const busy = net.request(get(`${server.origin}/first`), never)
    const response = await first.promise
    const queued = net.request(get(`${server.origin}/queued`), controller.signal)
    const last = net.request(get(`${server.origin}/last`), never)
    controller.abort(reason)
    await expect(queued).rejects.toBe(reason)
    response.end()
    await Promise.all([busy, last])
    expect(seen).toEqual(['/first', '/last'])
  })

  test('leaves no listener on the signal of a long-lived caller', async () => {
    const server = await serve((_, response) => response.end())
    const { signal } = new AbortController()
    await opened(openFetch()).request(get(server.origin), signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

const raw = async (bytes: string): Promise<TestServer> =>
  opened(await startTcpServer((socket) => socket.once('data', () => socket.end(bytes))))

/** How many connections a request makes when each is broken. */
async function attemptsOf(method: string): Promise<number> {
  const server = opened(await startTcpServer((socket) => socket.once('data', () => socket.destroy())))
  expect(await reasonOf(opened(openFetch()).request(get(server.origin, { method, body: 'x' }), never))).toBe('reset')
  return server.connections()
}

describe('broken replies', () => {
  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'protocol'],
    ['a body shorter than it says', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort', 'reset'],
    ['invalid chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'protocol'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'protocol'],
    ['nothing', '', 'reset'],
  ])('%s: %j is %s', async (_, bytes, reason) => {
    const server = await raw(bytes)
    expect(await reasonOf(opened(openFetch()).request(get(server.origin, { method: 'POST' }), never))).toBe(reason)
  })

  test('a closed port is a connection error', async () => {
    const server = await startServer(() => {})
    await server.close()
    expect(await reasonOf(opened(openFetch()).request(get(server.origin), never))).toBe('connect')
  })

  test('an idempotent request is sent again when its connection breaks, and any other is not', async () => {
    expect(await Promise.all(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'].map(attemptsOf))).toEqual([2, 2, 2, 1, 1, 1, 1])
  })

  test('a connection that the server closes while it is kept does not fail the next read', async () => {
    const server = opened(
      await startTcpServer((socket) =>
        socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', () => setImmediate(() => socket.destroy()))),
      ),
    )
    const net = opened(openFetch())
    expect(text((await net.request(get(server.origin), never)).body)).toBe('ok')
    expect(text((await net.request(get(server.origin), never)).body)).toBe('ok')
  })
})

test('an address that is no URL is refused', async () => {
  expect(await reasonOf(opened(openFetch()).request(get('not a url'), never))).toBe('protocol')
})

test('a header that would break out of its line is refused and nothing is sent', async () => {
  const server = await serve((_, response) => response.end())
  expect(await reasonOf(opened(openFetch()).request(get(server.origin, { headers: { 'x-a': 'b\r\nc: d' } }), never))).toBe('protocol')
  expect(server.connections()).toBe(0)
})

import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { callHttp } from './call-http.ts'
import { testContext } from './testing-context.ts'
import { failureOf } from './testing-outcome.ts'

// Replies as bytes on the wire, in the pieces and with the faults that HTTP servers do not make on demand.

const servers: { readonly server: Server; readonly sockets: Set<Socket> }[] = []

afterEach(async () => {
  await Promise.all(
    servers.splice(0).map(({ server, sockets }) => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    }),
  )
})

async function serve(handle: (socket: Socket, head: string) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => handle(socket, chunk.toString('latin1')))
  })
  servers.push({ server, sockets })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return `http://127.0.0.1:${address.port}`
}

/** Writes one piece after another, each in a packet of its own. */
function writeInTurn(socket: Socket, [piece, ...rest]: readonly (string | Buffer)[]): void {
  if (piece === undefined) return
  socket.write(piece, () => setImmediate(() => writeInTurn(socket, rest)))
}

const inPieces = (...pieces: readonly (string | Buffer)[]): Promise<string> => serve((socket) => writeInTurn(socket, pieces))

const call = (origin: string, args: Readonly<Record<string, Json>> = {}, timeoutMs = 5_000): Promise<Json> =>
  callHttp({ method: 'get', endpoint: origin, ...args }, testContext({ limits: { timeoutMs, maxResponseBytes: 100_000 } }))

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

describe('a reply is whole however it comes', () => {
  test.each<[string, readonly string[]]>([
    ['byte by byte', [...`${head}content-length: 9\r\n\r\n{"a":"b"}`]],
    ['in chunks', [`${head}transfer-encoding: chunked\r\n\r\n`, '4\r\n{"a"\r\n', '5\r\n:"b"}\r\n', '0\r\n\r\n']],
    ['in chunks with extensions and trailers', [`${head}transfer-encoding: chunked\r\n\r\n9;x=y\r\n{"a":"b"}\r\n0\r\nx-sum: 1\r\n\r\n`]],
    ['after what comes in between', ['HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', `${head}content-length: 9\r\n\r\n{"a":"b"}`]],
  ])('%s', async (_, pieces) => {
    expect(await call(await inPieces(...pieces))).toEqual({ a: 'b' })
  })

  test('until the connection ends, where nothing says its length', async () => {
    const origin = await serve((socket) => socket.end(`${head}connection: close\r\n\r\n{"a":"b"}`))
    expect(await call(origin)).toEqual({ a: 'b' })
  })

  test('a character that two packets share is one character', async () => {
    const [first, second] = [Buffer.from('"☃"').subarray(0, 2), Buffer.from('"☃"').subarray(2)]
    expect(await call(await inPieces(`${head}content-length: 5\r\n\r\n`, first, second))).toBe('☃')
  })
})

describe('a reply that breaks is a communication error', () => {
  test.each<[string, string]>([
    ['before it began', ''],
    ['within the headers', 'HTTP/1.1 200 OK\r\ncontent-ty'],
    ['within the body', `${head}content-length: 100\r\n\r\n{"a"`],
    ['within a chunk', `${head}transfer-encoding: chunked\r\n\r\nff\r\n{"a"`],
    ['because it is no HTTP', '220 mail.test ESMTP\r\n'],
    ['because its length is invalid', `${head}content-length: x\r\n\r\n`],
  ])('%s', async (_, bytes) => {
    const origin = await serve((socket) => socket.end(bytes))
    expect(await failureOf(call(origin))).toMatchObject({ kind: 'communication' })
  })
})

describe('a response that stalls is a timeout', () => {
  test.each<[string, string]>([
    ['before it began', ''],
    ['within the headers', 'HTTP/1.1 200 OK\r\ncontent-ty'],
    ['within the body', `${head}content-length: 100\r\n\r\n{"a"`],
  ])('%s', async (_, bytes) => {
    const origin = await serve((socket) => socket.write(bytes))
    expect(await failureOf(call(origin, {}, 40))).toMatchObject({ kind: 'timeout', error: { status: 408 } })
  })
})

describe('every output of every kind of reply', () => {
  const reply = (type: string, body: string | Buffer): Promise<string> => {
    const bytes = Buffer.from(body)
    return inPieces(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${type}content-length: ${bytes.length}\r\n\r\n`), bytes]))
  }

  test.each<[string, string | Buffer, Json]>([
    ['content-type: application/json\r\n', 'null', null],
    ['content-type: application/json\r\n', '"text"', 'text'],
    ['content-type: application/json\r\n', ' [1, 2.5e3] ', [1, 2500]],
    ['content-type: application/hal+json\r\n', '{}', {}],
    ['content-type: text/csv\r\n', 'a;b\r\n', 'a;b\r\n'],
    ['content-type: application/xml\r\n', '<a/>', '<a/>'],
    ['content-type: application/pdf\r\n', '%PDF', 'JVBERg=='],
    ['', 'plain', 'plain'],
    ['', Buffer.from([0x80]), 'gA=='],
    ['content-type: application/json\r\n', '', null],
  ])('%j %j', async (type, body, content) => {
    const origin = await reply(type, body)
    const [asContent, asRaw, asResponse] = await Promise.all(['content', 'raw', 'response'].map((output) => call(origin, { output })))
    expect(asContent).toEqual(content)
    expect(asRaw).toBe(Buffer.from(body).toString('base64'))
    expect(asResponse).toMatchObject({ statusCode: 200, content, request: { method: 'get', uri: `${origin}/` } })
  })
})

test('what reaches the wire is one request and nothing more, whatever the author gives', async () => {
  const heads: string[] = []
  const origin = await serve((socket, received) => {
    heads.push(received)
    socket.end('HTTP/1.1 204 No Content\r\n\r\n')
  })
  const hostile = '\r\nGET /smuggled HTTP/1.1\r\nhost: evil.test\r\n\r\n'
  const attempts: Readonly<Record<string, Json>>[] = [
    { headers: { 'x-a': hostile } },
    { headers: { [`x-a: b${hostile}`]: 'c' } },
    { query: { [hostile]: hostile } },
    { endpoint: `${origin}/${hostile}` },
    { method: `get /${hostile}` },
    { headers: { 'transfer-encoding': 'chunked' }, body: hostile, method: 'post' },
    { headers: { 'content-length': '0' }, body: hostile, method: 'post' },
  ]
  await Promise.allSettled(attempts.map((args) => call(origin, args)))
  expect(heads.length).toBeGreaterThan(0)
  expect(heads.filter((received) => /^GET \/smuggled/m.test(received) || /^host: evil/im.test(received))).toEqual([])
})

import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { TestCertificate } from './net/certificate.ts'

/** A message of RFC 5424 in its parts. */
export interface ReceivedMessage {
  readonly priority: number
  readonly version: string
  readonly at: string
  readonly host: string
  readonly app: string
  readonly event: string
  readonly data: string
  readonly text: string
}

/** A syslog server of this machine on any free port, over TCP or TLS, which reads frames with octet counting (RFC 6587, section 3.4.1). */
export async function startSyslogReceiver({ certificate, refuses = () => false }: SyslogReceiverOptions = {}) {
  const messages: ReceivedMessage[] = []
  let connections = 0
  const take = (socket: Socket) => {
    if (refuses(++connections)) return void socket.resetAndDestroy()
    const chunks: Buffer[] = []
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk))
    socket.on('end', () => void messages.push(...framesOf(Buffer.concat(chunks)).map(messageOf)))
    return undefined
  }
  const server = certificate === undefined ? createServer(take) : createTlsServer(certificate, take)
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen on a port')
  return {
    port: address.port,
    /** What came, in order. */
    messages,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => void server.close(() => done())),
  }
}

interface SyslogReceiverOptions {
  /** Over TLS, with this certificate. */
  readonly certificate?: TestCertificate
  /** Whether it resets the connection with this number, from 1. */
  readonly refuses?: (connection: number) => boolean
}

function framesOf(bytes: Buffer): readonly string[] {
  const frames: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const length = Number(bytes.subarray(at, space).toString('latin1'))
    if (!Number.isInteger(length) || space < 0) throw new Error('a frame has no number of octets')
    frames.push(bytes.subarray(space + 1, space + 1 + length).toString('utf8'))
    at = space + 1 + length
  }
  return frames
}

function messageOf(frame: string): ReceivedMessage {
  const groups =
    /^<(?<priority>\d+)>(?<version>\d+) (?<at>\S+) (?<host>\S+) (?<app>\S+) - (?<event>\S+) (?<data>-|\[[^\]]*\]) (?<text>.*)$/su.exec(
      frame,
    )?.groups
  if (groups === undefined) throw new Error(`not a message of RFC 5424: ${frame}`)
  const { priority = '', version = '', at = '', host = '', app = '', event = '', data = '', text = '' } = groups
  return { priority: Number(priority), version, at, host, app, event, data, text }
}

import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

/** A mail as it arrived: what the conversation said, and what a reader of its own makes of the bytes. */
export interface Delivery {
  readonly from: string
  readonly recipients: readonly string[]
  readonly secure: boolean
  readonly user: unknown
  readonly raw: string
  readonly mail: Email
}

export interface TestSmtpServer extends AsyncDisposable {
  readonly port: number
  readonly deliveries: readonly Delivery[]
  /** How many connections it has had. */
  readonly connections: () => number
}

/** A real SMTP server on this machine; without options it offers no TLS and asks for no user. */
export async function startSmtpServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const deliveries: Delivery[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: options.onAuth === undefined,
    disableReverseLookup: true,
    closeTimeout: 1,
    ...(options.key === undefined ? { hideSTARTTLS: true, allowInsecureAuth: true } : {}),
    ...options,
    onConnect(session, callback) {
      connections += 1
      if (options.onConnect === undefined) callback()
      else options.onConnect.call(server, session, callback)
    },
    async onData(stream, session, callback) {
      const raw = await buffer(stream).catch(() => undefined)
      // The client went away in the middle, so there is no mail and no one to reply to.
      if (raw === undefined) return
      if (options.onData !== undefined) return options.onData.call(server, stream, session, callback)
      deliveries.push(await deliveryOf(raw, session))
      return callback()
    },
  })
  // A client that goes away in the middle is what some tests are about.
  server.on('error', () => undefined)
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen on a port')
  return {
    port: address.port,
    deliveries,
    connections: () => connections,
    [Symbol.asyncDispose]: () => new Promise((done) => server.close(done)),
  }
}

async function deliveryOf(raw: Buffer, { envelope, secure, user }: SMTPServerSession): Promise<Delivery> {
  return {
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    recipients: envelope.rcptTo.map(({ address }) => address),
    secure,
    user,
    raw: raw.toString(),
    mail: await PostalMime.parse(raw),
  }
}

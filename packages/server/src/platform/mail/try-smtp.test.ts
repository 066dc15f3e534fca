import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from '#testing/free-port.ts'
import type { SmtpSettings } from './smtp-mailer.ts'
import { box, messageTo } from './testing-mailer.ts'
import { trySmtp } from './try-smtp.ts'

const limits = { connections: 1, connectMs: 300, silenceMs: 300, totalMs: 2_000 }

function attempt(given: Pick<SmtpSettings, 'port'> & Partial<SmtpSettings>) {
  const settings: SmtpSettings = {
    host: '127.0.0.1',
    tls: 'off',
    ca: undefined,
    credentials: undefined,
    from: box('flows@example.com'),
    senderDomains: [],
    ...given,
  }
  return trySmtp(settings, messageTo('ada@example.org'), { now: Date.now, limits })
}

/** A server that says the given greeting, and nothing more unless given what it repeats without an end. */
async function silentServer(greeting: string, repeated?: string) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write(greeting)
    if (repeated === undefined) return
    const timer = setInterval(() => socket.write(repeated), 50)
    socket.on('close', () => clearInterval(timer))
  })
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    return Promise.resolve()
  }
  return { port, [Symbol.asyncDispose]: stop }
}

test.each([
  ['says nothing', '', undefined],
  ['stops after its greeting', '220 mail.example.org ready\r\n', undefined],
  ['never ends its answer', '220 mail.example.org ready\r\n', '250-more\r\n'],
])('a server that %s did not answer in time', async (_what, greeting, repeated) => {
  await using server = await silentServer(greeting, repeated)
  const { outcome, detail } = await attempt({ port: server.port })
  expect([outcome, detail]).toEqual(['timeout', expect.stringContaining(`127.0.0.1:${server.port} did not answer in time`)])
})

test('a port without a server is unreachable', async () => {
  const port = await freePort()
  expect(await attempt({ port })).toMatchObject({ outcome: 'unreachable', detail: expect.stringContaining(`127.0.0.1:${port}`) })
})

test('a host without an address is not known', async () => {
  expect(await attempt({ host: 'nowhere.invalid', port: 25 })).toMatchObject({
    outcome: 'unknown_host',
    detail: expect.stringContaining('nowhere.invalid'),
  })
})

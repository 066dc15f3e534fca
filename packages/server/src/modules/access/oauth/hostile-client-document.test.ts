import type { ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGuardedFetch, type GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { createCertificate } from '#testing/net/certificate.ts'
import { never } from '#testing/net/fetch.ts'
import { fetchClientDocument } from './client-document.ts'

/** Stands for the internet: the only address that is allowed. Everything else here is inside. */
const outside = '127.0.0.2'
const inside = '127.0.0.1'

const certificate = createCertificate('evil.test', new Date('2999-01-01T00:00:00Z'))
let site: Server
let internal: Server
let http: GuardedFetch
/** The answers of the name server of the attacker, the last one for ever. */
let answers: string[]
let respond: (response: ServerResponse) => void
let reached: number
let id: string

beforeEach(async () => {
  site = createServer(certificate, (_request, response) => respond(response.setHeader('connection', 'close')))
  site.listen(0, outside)
  await once(site, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A server that listens on a port has such an address.
  const { port } = site.address() as AddressInfo
  reached = 0
  internal = createServer(certificate)
  internal.on('connection', () => reached++)
  internal.listen(port, inside)
  await once(internal, 'listening')
  id = `https://evil.test:${port}/client.json`
  answers = [outside]
  const resolver = async () => [{ address: (answers.length > 1 ? answers.shift() : answers[0]) ?? '', family: 4 as const }]
  http = createGuardedFetch({ allow: [outside], resolver, ca: [certificate.cert] })
  respond = (response) => {
    const document = { client_id: id, client_name: 'An editor', redirect_uris: ['http://127.0.0.1:7777/'] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  }
})
afterEach(async () => {
  await http.close()
  for (const server of [site, internal]) {
    server.closeAllConnections()
    server.close()
  }
})

const problem = async () => {
  const [outcome] = await Promise.allSettled([fetchClientDocument(http, id, never)])
  if (outcome.status === 'fulfilled') throw new Error('the client was accepted')
  return String(Object(outcome.reason).details.errors[0].detail)
}

test('a name that leads outside when it is checked and inside afterwards never leads inside', async () => {
  answers = [outside, inside]
  expect((await fetchClientDocument(http, id, never)).client.name).toBe('An editor')
  expect(await problem()).toContain('evil.test cannot be resolved to an address')
  expect(reached).toBe(0)
})

test('a document that redirects inside is not followed there', async () => {
  respond = (response) => response.writeHead(302, { location: id.replace('evil.test', inside) }).end()
  expect(await problem()).toContain('status 302')
  expect(reached).toBe(0)
})

test('a document without end is refused at 10 KiB', async () => {
  const closed = Promise.withResolvers<void>()
  respond = (response) => {
    response.on('close', () => closed.resolve()).writeHead(200, { 'content-type': 'application/json' })
    const pump = (): void => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    }
    response.on('drain', pump)
    pump()
  }
  expect(await problem()).toContain('larger than 10240 bytes')
  await closed.promise
})

test('a document that comes byte by byte is refused after 5 seconds', async () => {
  const closed = Promise.withResolvers<void>()
  respond = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const drip = setInterval(() => response.write(' '), 100)
    response.on('close', () => {
      clearInterval(drip)
      closed.resolve()
    })
  }
  expect(await problem()).toContain('no complete reply within 5000 ms')
  await closed.promise
})

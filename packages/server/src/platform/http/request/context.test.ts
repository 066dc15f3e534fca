import { Agent, request as send } from 'node:http'
import { EventEmitter, once } from 'node:events'
import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Context } from './context.ts'

let server: FastifyInstance
let url: string
let work: (signal: AbortSignal) => Promise<string>
let failed: PromiseWithResolvers<string>
/** What is left of requests on their connections. */
let listeners: number[]
beforeEach(async () => {
  listeners = []
  server = fastify()
  failed = Promise.withResolvers()
  server.addHook('onError', (_request, _reply, { name }, done) => {
    failed.resolve(name)
    done()
  })
  server.get('/', async (request) => {
    const answer = await new Context(request, undefined).whileConnected((signal) => work(signal))
    listeners.push(request.raw.socket.listenerCount('close'))
    return answer
  })
  url = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => server.close())

test('work for a caller who disconnects is aborted', async () => {
  const begun = Promise.withResolvers<void>()
  const over = Promise.withResolvers<string>()
  work = async (signal) => {
    begun.resolve()
    await once(signal, 'abort')
    over.resolve('aborted')
    return ''
  }
  const caller = new AbortController()
  const answer = fetch(url, { signal: caller.signal })
  await begun.promise
  caller.abort()
  await expect(answer).rejects.toThrow(/abort/)
  await expect(over.promise).resolves.toBe('aborted')
})

test.each<[string, (signal: AbortSignal) => Promise<unknown>, string]>([
  [
    'the end of work by a closed connection is known as such',
    (signal) => once(new EventEmitter(), 'never', { signal }),
    'ConnectionClosed',
  ],
  [
    'another error after it stays what it is',
    (signal) => once(signal, 'abort').then(() => Promise.reject(new RangeError('x'))),
    'RangeError',
  ],
])('%s', async (_case, wait, name) => {
  const begun = Promise.withResolvers<void>()
  work = async (signal) => {
    begun.resolve()
    await wait(signal)
    return ''
  }
  const caller = new AbortController()
  const answer = fetch(url, { signal: caller.signal })
  await begun.promise
  caller.abort()
  await expect(answer).rejects.toThrow(/abort/)
  await expect(failed.promise).resolves.toBe(name)
})

test('a request leaves nothing with a connection that others come by, whether it succeeds or fails', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let failing = false
  work = async (signal) => {
    if (failing) throw new Error('it failed')
    return signal.aborted ? 'gone' : 'there'
  }
  for (let count = 0; count < 6; count++) {
    failing = count % 2 === 1
    const [response] = await once(send(url, { agent }).end(), 'response')
    await response.resume().toArray()
  }
  agent.destroy()
  expect(new Set(listeners).size).toBe(1)
})

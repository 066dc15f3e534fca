import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { closeAfterEach, get, never, openFetch, text } from '#testing/net/fetch.ts'
import { startServer } from '#testing/net/server.ts'

const opened = closeAfterEach()

const inTurn = (urls: readonly string[], net: ReturnType<typeof openFetch>): Promise<void> =>
  urls.reduce(async (before, url) => {
    await before
    await net.request(get(url), never)
  }, Promise.resolve())

describe('connections', () => {
  test('connections are reused: twenty sequential requests need at most two', async () => {
    const server = opened(await startServer((_, response) => response.end('ok')))
    await inTurn(Array(20).fill(server.origin), opened(openFetch()))
    // The second is there because a request may begin before the first connection is marked as free.
    expect(server.connections()).toBeLessThanOrEqual(2)
  })

  test('connections to one origin are bounded, and waiting requests are sent later', async () => {
    let active = 0
    let most = 0
    const server = opened(
      await startServer((_, response) => {
        most = Math.max(most, ++active)
        setImmediate(() => {
          active--
          response.end('ok')
        })
      }),
    )
    const net = opened(openFetch({ connectionsPerOrigin: 3 }))
    const replies = await Promise.all(Array.from({ length: 50 }, () => net.request(get(server.origin), never)))
    expect(replies.map((reply) => text(reply.body))).toEqual(Array(50).fill('ok'))
    expect(most).toBeLessThanOrEqual(3)
    expect(server.connections()).toBeLessThanOrEqual(3)
  })

  test('the number of origins is bounded, and the least recently used one is closed', async () => {
    const servers = await Promise.all([1, 2, 3].map(async () => opened(await startServer((_, response) => response.end('ok')))))
    const [a = '', b = '', c = ''] = servers.map((server) => server.origin)
    await inTurn([a, b, a, c, a, b], opened(openFetch({ originsMax: 2 })))
    expect(servers.map((server) => server.connections())).toEqual([1, 2, 1])
  })

  test('a pool that is closed finishes its requests first', async () => {
    const pending = Promise.withResolvers<ServerResponse>()
    const slow = opened(await startServer((_, response) => pending.resolve(response)))
    const other = opened(await startServer((_, response) => response.end('ok')))
    const net = opened(openFetch({ originsMax: 1 }))
    const requesting = net.request(get(slow.origin), never)
    const response = await pending.promise
    await net.request(get(other.origin), never)
    response.end('late but whole')
    expect(text((await requesting).body)).toBe('late but whole')
  })
})

describe('closing', () => {
  test('ends what is under way', async () => {
    const arrived = Promise.withResolvers<void>()
    const server = opened(await startServer(() => arrived.resolve()))
    const net = openFetch()
    const requesting = net.request(get(server.origin), never)
    await arrived.promise
    await Promise.all([expect(requesting).rejects.toMatchObject({ reason: 'reset' }), net.close()])
  })

  test('no request is sent after close', async () => {
    const server = opened(await startServer((_, response) => response.end()))
    const net = openFetch()
    await net.close()
    await expect(net.request(get(server.origin), never)).rejects.toMatchObject({
      reason: 'reset',
      message: expect.stringContaining('closed'),
    })
    expect(server.connections()).toBe(0)
  })

  test('close without open connections resolves at once', async () => {
    await expect(openFetch().close()).resolves.toBeUndefined()
  })
})

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { keepAlive, watchedSocket } from './watched-socket.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** The database behind a network that can be made to lose what is sent over the connections there are. */
async function behindNetwork() {
  const testing = await createTestDatabase()
  cleanups.push(() => testing[Symbol.asyncDispose]())
  const target = new pg.Client(testing.url)
  const path = target.host.startsWith('/') ? { path: `${target.host}/.s.PGSQL.${target.port}` } : { host: target.host, port: target.port }
  const pairs = new Set<readonly [Socket, Socket]>()
  const network = createServer((near) => {
    const far = connect(path)
    pairs.add([near, far])
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => undefined)
  })
  network.listen(0, '127.0.0.1')
  await once(network, 'listening')
  cleanups.push(() => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    network.close()
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A server that listens on TCP has such an address.
  const { port } = network.address() as AddressInfo
  const { user, password, database } = target
  return {
    config: { host: '127.0.0.1', port, user, password: password ?? '', database },
    loseAll() {
      for (const [near, far] of pairs) {
        near.unpipe(far)
        far.unpipe(near)
        near.resume()
      }
    },
  }
}

test('who waits for an answer that is lost hears of it, and a new connection works', async () => {
  const { config, loseAll } = await behindNetwork()
  const pool = new pg.Pool({ ...config, ...keepAlive, max: 1, stream: watchedSocket(2_000) })
  pool.on('error', () => undefined)
  cleanups.push(() => pool.end())
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  loseAll()
  await expect(pool.query('select 2')).rejects.toThrow(/has not answered for 2 s|terminated/)
  expect((await pool.query('select 3 as three')).rows).toEqual([{ three: 3 }])
})

test('a transaction that is lost in its middle ends, and its connection is not used again', async () => {
  const { config, loseAll } = await behindNetwork()
  const pool = new pg.Pool({ ...config, ...keepAlive, max: 1, stream: watchedSocket(2_000) })
  pool.on('error', () => undefined)
  cleanups.push(() => pool.end())
  const client = await pool.connect()
  client.on('error', () => undefined)
  await client.query('begin')
  loseAll()
  await expect(client.query('select 1')).rejects.toThrow(/has not answered for 2 s|terminated/)
  client.release()
  expect((await pool.query('select 3 as three')).rows).toEqual([{ three: 3 }])
})

test('an answer that takes its time within the bound is waited for', async () => {
  const { config } = await behindNetwork()
  const pool = new pg.Pool({ ...config, max: 1, stream: watchedSocket(10_000) })
  cleanups.push(() => pool.end())
  expect((await pool.query(`select 'late' as answer from pg_sleep(0.5)`)).rows).toEqual([{ answer: 'late' }])
})

import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createEmptyTestDatabase } from '#testing/database.ts'
import { openDatabase, waitForServer } from './open-database.ts'

const common = { home: '/nonexistent', connectionsMax: 8, randomBytes }

/** A server on a free port that sends the same bytes to whoever connects. */
async function fakeServer(reply: Buffer): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `postgresql://u:hunter2@127.0.0.1:${port}/db`, close: () => void server.close() }
}

/** An ErrorResponse of PostgreSQL's protocol. */
function errorResponse(code: string, message: string): Buffer {
  const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`
  const body = Buffer.from(fields)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

test('a PostgreSQL of the operator is migrated and used as it is', async () => {
  await using empty = await createEmptyTestDatabase()
  const migrated: number[] = []
  const opened = await openDatabase({ ...common, url: empty.url, onMigrated: ({ number }) => migrated.push(number) })
  expect(opened).toMatchObject({ kind: 'external', version: expect.stringMatching(/^1[89]\./) })
  expect(migrated[0]).toBe(1)
  expect((await sql`select from accounts`.execute(opened.database.system)).rows).toEqual([])
  expect(opened.database.stats()).toMatchObject({ system: { max: 4 }, account: { max: 4 } })
  await opened.close()
})

test('a server that does not listen is waited for, and then named', async () => {
  await expect(waitForServer('postgresql://u:hunter2@127.0.0.1:1/db', 100)).rejects.toThrow(/did not answer within 0.1 s: .*ECONNREFUSED/)
})

test('a server that starts up is waited for', async () => {
  const server = await fakeServer(errorResponse('57P03', 'the database system is starting up'))
  await expect(waitForServer(server.url, 100)).rejects.toThrow('did not answer within 0.1 s: the database system is starting up')
  server.close()
})

test('what waiting cannot mend fails at once, and no message shows the password', async () => {
  const server = await fakeServer(errorResponse('28P01', 'password authentication failed for user "u"'))
  const startedAt = performance.now()
  const failure = await waitForServer(server.url, 30_000).catch((error: unknown) => String(error))
  expect(failure).toContain('password authentication failed for user "u". Check DATABASE_URL.')
  expect(failure).not.toContain('hunter2')
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  server.close()
})

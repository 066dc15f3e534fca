import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createEmptyTestDatabase } from '#testing/database.ts'
import { openDatabase, waitForServer } from './open-database.ts'

const migrations = [{ number: 1, name: 'things', sql: 'create table things (id uuid)', checksum: 'x' }]
const common = { home: '/nonexistent', migrations, connectionsMax: 8, randomBytes }

/** A server on a free port that sends the next of these replies for each message that it gets. */
async function fakeServer(...replies: readonly Buffer[]): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const left = [...replies]
    socket.on('data', () => socket.write(left.shift() ?? ''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `postgresql://u:hunter2@127.0.0.1:${port}/db`, close: () => void server.close() }
}

/** A message of PostgreSQL's protocol 3.0, https://www.postgresql.org/docs/current/protocol-message-formats.html. */
function message(type: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function errorResponse(code: string, text: string): Buffer {
  return message('E', `SFATAL\0VFATAL\0C${code}\0M${text}\0\0`)
}

/** What a server answers to a password-less start and to one query with one row of text. */
function conversation(row: Readonly<Record<string, string>>): readonly Buffer[] {
  const ready = message('Z', 'I')
  const columns = Object.keys(row).map((name) => Buffer.concat([Buffer.from(`${name}\0`), Buffer.alloc(6), int32(25), Buffer.alloc(8)]))
  const values = Object.values(row).flatMap((value) => [int32(value.length), Buffer.from(value)])
  const count = Buffer.from([0, columns.length])
  const result = [message('T', count, ...columns), message('D', count, ...values), message('C', 'SELECT 1\0'), ready]
  return [Buffer.concat([message('R', int32(0)), ready]), Buffer.concat(result)]
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}

test('a PostgreSQL of the operator is migrated and used as it is', async () => {
  await using empty = await createEmptyTestDatabase()
  const migrated: number[] = []
  const opened = await openDatabase({ ...common, url: empty.url, onMigrated: ({ number }) => migrated.push(number) })
  expect(opened).toMatchObject({ kind: 'external', version: expect.stringMatching(/^1[89]\./) })
  expect(migrated[0]).toBe(1)
  expect((await sql`select from things`.execute(opened.database.system)).rows).toEqual([])
  expect(opened.database.stats()).toMatchObject({ system: { max: 4 }, account: { max: 4 } })
  await opened.close()
})

test('a server that is too old is refused at once, with its version and the one that is needed', async () => {
  const server = await fakeServer(...conversation({ number: '150012', version: '15.12' }))
  await expect(waitForServer(server.url, 30_000)).rejects.toThrow('it is version 15.12, and Millrace needs 16 or newer')
  server.close()
})

test('the oldest server that is new enough is taken', async () => {
  const server = await fakeServer(...conversation({ number: '160000', version: '16.0' }))
  expect(await waitForServer(server.url, 30_000)).toBe('16.0')
  server.close()
})

test('a server that does not listen is waited for, and then named', async () => {
  await expect(waitForServer('postgresql://u:hunter2@127.0.0.1:1/db', 100)).rejects.toThrow(/did not answer within 0.1 s: .*ECONNREFUSED/)
})

test('waiting for a server is reported once, with where it is and no password', async () => {
  const reports: unknown[] = []
  await waitForServer('postgresql://u:hunter2@127.0.0.1:1/db', 200, (waiting) => reports.push(waiting)).catch(() => undefined)
  expect(reports).toEqual([{ host: '127.0.0.1:1', seconds: 0.2, reason: expect.stringContaining('ECONNREFUSED') }])
})

test('a server that starts up is waited for', async () => {
  const server = await fakeServer(errorResponse('57P03', 'the database system is starting up'))
  await expect(waitForServer(server.url, 100)).rejects.toThrow('did not answer within 0.1 s: the database system is starting up')
  server.close()
})

test('an error that waiting cannot resolve is thrown at once, without the password', async () => {
  const server = await fakeServer(errorResponse('28P01', 'password authentication failed for user "u"'))
  // Waiting would last longer than the test may.
  const failure = await waitForServer(server.url, 3_600_000).catch((error: unknown) => String(error))
  expect(failure).toContain('password authentication failed for user "u". Check DATABASE_URL.')
  expect(failure).not.toContain('hunter2')
  server.close()
})

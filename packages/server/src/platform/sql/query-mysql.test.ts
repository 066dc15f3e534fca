import { once } from 'node:events'
import { createServer, Server, type Socket } from 'node:net'
import { createServer as createMysqlServer } from 'mysql2'
import { expect, test } from 'vitest'
import type { SqlQuery, SqlServer } from './sql-query.ts'
import { queryMysql } from './query-mysql.ts'

const query: SqlQuery = { text: 'select 1', values: [], rowsMax: 10, bytesMax: 10_000, timeoutMs: 2_500 }
const never = new AbortController().signal

function at(address: unknown): SqlServer {
  const port: unknown = Reflect.get(Object(address), 'port')
  const password = ['pass', '4711'].join('-')
  return { host: '127.0.0.1', address: '127.0.0.1', port: Number(port), database: 'shop', username: 'w', password, tls: 'none' }
}

/** Answers statements in the protocol of MySQL with the number of an error, or without one. */
async function startServer(numberOf: (statement: string) => number | undefined) {
  const statements: string[] = []
  const server = createMysqlServer((connection) => {
    connection.on('error', () => undefined)
    // Each command begins its numbers of packets anew, which the server side of the library leaves to its user.
    const startAnew = () => Reflect.set(connection, 'sequenceId', 0)
    connection.serverHandshake({
      protocolVersion: 10,
      serverVersion: '8.0.0',
      connectionId: 1,
      statusFlags: 2,
      characterSet: 8,
      capabilityFlags: 0xff_f7_ff,
      authCallback: (_given: unknown, done: (error: null) => void) => {
        done(null)
        startAnew()
      },
    })
    const handle = (statement: string): void => {
      statements.push(statement)
      const code = numberOf(statement)
      if (code === undefined) connection.writeOk()
      else connection.writeError({ code, message: 'No' })
      startAnew()
    }
    connection.on('stmt_prepare', handle).on('query', handle)
  })
  // The library listens on every address of the machine.
  const tcp: unknown = Reflect.get(server, '_server')
  if (!(tcp instanceof Server)) throw new Error('it has no server of TCP')
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  return { statements, address: tcp.address(), close: () => void tcp.close() }
}

test.each([
  ['the limit of MySQL, which is reported as a timeout', 3024, [], 'timeout'],
  ['the limit of MariaDB where the server does not know that of MySQL', 1969, ['set session max_execution_time = 2500'], 'timeout'],
  ['no limit that the fault of another statement is taken for', 1064, [], 'refused'],
])('a statement gets %s', async (_what, code, unknown: string[], failure) => {
  const { statements, address, close } = await startServer((text) => {
    if (unknown.includes(text)) return 1193
    return text.startsWith('set ') ? undefined : code
  })
  await expect(queryMysql(at(address), query, never)).rejects.toMatchObject({ name: 'SqlError', failure })
  const limits = ['set session max_execution_time = 2500', 'set session max_statement_time = 2.5']
  expect(statements).toEqual([...limits.slice(0, unknown.length + 1), 'select 1'])
  close()
})

test('an abort ends the statement and its connection at once, whatever the server does', async () => {
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const abort = new AbortController()
  const run = queryMysql(at(silent.address()), query, abort.signal)
  const [socket]: Socket[] = await once(silent, 'connection')
  socket?.on('error', () => undefined).resume()
  abort.abort(new Error('cancelled'))
  await expect(run).rejects.toThrow('cancelled')
  if (socket?.destroyed === false) await once(socket, 'close')
  silent.close()
})

test('a server that cannot be reached is an error of its own', async () => {
  await expect(queryMysql(at({ port: 9 }), query, never)).rejects.toMatchObject({ failure: 'unreachable' })
})

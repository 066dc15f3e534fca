import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import type { DestinationStream } from 'pino'
import { createLogger } from '#compose/logger.ts'
import { type RunningServer, startServer } from '#compose/start-server.ts'
import { thisSystem } from '#compose/system.ts'
import { readConfig } from '#config/read-config.ts'
import type { Database } from '#platform/db/database.ts'
import { fromTypeId } from '#platform/ids.ts'
import { createTestDatabase } from './database.ts'

type Groups = typeof groups

/** A complete server, started as in an installation, with a database of its own. */
export interface TestServer extends AsyncDisposable {
  readonly url: string
  readonly operatorCode: string | undefined
  /** Calls without a credential. */
  readonly client: Client<Groups>
  readonly database: Database
  /** For further connections of the test. */
  readonly databaseUrl: string
  /** The logged lines, as JSON. */
  readonly log: readonly string[]
  registerAccount(): Promise<TestAccount>
  /** Starts a second server on the same database. */
  startSecond(environment?: Environment): Promise<RunningServer>
  close(): Promise<void>
}

/** An account with its first user signed in. */
export interface TestAccount {
  readonly email: string
  readonly password: string
  readonly token: string
  /** Uuids. */
  readonly accountId: string
  readonly userId: string
  readonly client: Client<Groups>
  /** Sends a request: text unchanged, any other body as JSON. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
}

/** A response with its parsed body. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- Tests compare members of responses; a missing member is undefined and fails the comparison.
  readonly body: any
}

export type Environment = Readonly<Record<string, string>>

// Hashing at the default cost would dominate the time of the tests.
const passwordCost = { memoryKib: 64, passes: 1, lanes: 1 }
const plenty = '1000000/60'
const password = 'a rather unusual phrase 4711'

/** @param environment settings in addition to those of every test server: few connections, unreachable rate limits, and access to this machine. */
export async function createTestServer(environment: Environment = {}): Promise<TestServer> {
  const home = await mkdtemp(join(tmpdir(), 'millrace-test-'))
  const db = await createTestDatabase()
  const log: string[] = []
  const settings: Environment = {
    PORT: '0',
    DATABASE_URL: db.url,
    MILLRACE_HOME: home,
    MILLRACE_DATABASE_CONNECTIONS: '16',
    MILLRACE_RATE_LIMIT_GLOBAL: plenty,
    MILLRACE_RATE_LIMIT_AUTH: plenty,
    MILLRACE_RATE_LIMIT_REFRESH: plenty,
    MILLRACE_RATE_LIMIT_EXECUTION: plenty,
    MILLRACE_PRIVATE_NETWORK: '127.0.0.0/8',
    ...environment,
  }
  const destination = { write: (line: string) => void log.push(line) }
  const start = (more: Environment) => startServer(readConfig({ ...settings, ...more }), hostOf(destination))
  const server = await start({})
  const running: RunningServer[] = [server]
  let accounts = 0

  async function close(): Promise<void> {
    await Promise.all(running.map((started) => started.close()))
    await db.drop()
    await rm(home, { recursive: true, force: true })
  }

  const { url, operatorCode } = server
  return {
    url,
    operatorCode,
    client: createClient({ baseUrl: url, groups }),
    database: db.database,
    databaseUrl: db.url,
    log,
    registerAccount: () => registerAccount(url, `user${++accounts}@example.com`),
    async startSecond(more = {}) {
      const second = await start(more)
      running.push(second)
      return second
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

let processes = 0

/**
 * Servers of one test process stand for several processes. Each has a pid that no process of the machine has, so they have a host of their own: a real process
 * with the same host would find that these pids do not exist, and take the servers for dead.
 */
function hostOf(destination: DestinationStream) {
  const system = { ...thisSystem(), host: `test servers of process ${process.pid}`, pid: pidMax + ++processes, lives: () => true }
  return { logger: createLogger('info', destination), system, strict: true, passwordCost }
}

/** The largest process id of Linux. */
const pidMax = 2 ** 22

async function registerAccount(url: string, email: string): Promise<TestAccount> {
  const { accessToken: token, user } = await createClient({ baseUrl: url, groups }).auth.register({ body: { email, password } })
  return {
    email,
    password,
    token,
    accountId: fromTypeId('acct', user.accountId) ?? '',
    userId: fromTypeId('usr', user.id) ?? '',
    client: createClient({ baseUrl: url, groups, token }),
    send: (method, path, body, headers = {}) => send(url, token, { method, path, body, headers }),
  }
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

async function send(url: string, token: string, { method, path, body, headers }: Sent): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { freePort } from './free-port.ts'

const tables = ['mysql_system_tables.sql', 'mysql_system_tables_data.sql'].map((name) => `/usr/share/mysql/${name}`)

/** Whether this machine has MariaDB; `.ci/run` installs it on Debian. */
export function hasMysqlServer(): boolean {
  try {
    execFileSync('mariadbd', ['--no-defaults', '--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A real MariaDB with one database and one user, without data on a disk that outlives it. */
export async function startMysqlServer({ username, password }: { readonly username: string; readonly password: string }) {
  const home = await mkdtemp(join(tmpdir(), 'millrace-mysql-'))
  const common = [
    '--no-defaults',
    ...(userInfo().uid === 0 ? ['--user=root'] : []),
    `--datadir=${home}`,
    '--innodb-log-file-size=4M',
    '--innodb-buffer-pool-size=8M',
    '--innodb-flush-log-at-trx-commit=0',
    '--skip-name-resolve',
    '--log-warnings=0',
  ]
  await bootstrap(common, [
    'create database shop;',
    'flush privileges;',
    `create user '${username}'@'%' identified by '${password}';`,
    `grant all on shop.* to '${username}'@'%';`,
  ])
  const port = await freePort()
  const child = spawn('mariadbd', [...common, `--socket=${join(home, 'socket')}`, `--port=${port}`, '--bind-address=127.0.0.1'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const open = () => createConnection({ host: '127.0.0.1', port, user: username, password, database: 'shop' })
  for (let tries = 0; ; tries++) {
    const admitted = await open().then(
      (connection) => connection.end().then(() => true),
      () => false,
    )
    if (admitted) break
    if (tries > 200 || child.exitCode !== null) throw new Error(`MariaDB does not listen: ${output}`)
    await setTimeout(50)
  }
  return {
    settings: { kind: 'database', engine: 'mysql', host: '127.0.0.1', port, database: 'shop', username, tls: 'none' } as const,
    secrets: { password },
    /** Runs statements as another program would. */
    async run(...statements: readonly string[]): Promise<void> {
      const connection = await open()
      for (const statement of statements) await connection.query(statement)
      await connection.end()
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Makes the system tables, which the package leaves to an installer. */
async function bootstrap(common: readonly string[], statements: readonly string[]): Promise<void> {
  const child = spawn('mariadbd', [...common, '--bootstrap'], { stdio: ['pipe', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const script = async function* () {
    yield 'create database mysql;\nuse mysql;\nset @auth_root_socket=null;\n'
    for (const file of tables) yield* createReadStream(file)
    yield `${statements.join('\n')}\n`
  }
  await pipeline(Readable.from(script()), child.stdin)
  const [code] = await ended
  if (code !== 0) throw new Error(`MariaDB was not set up: ${output}`)
}

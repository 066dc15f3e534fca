import { spawn } from 'node:child_process'
import { chown, rm, writeFile } from 'node:fs/promises'
import { type Launch, programEnvironment } from './launch.ts'

export interface InitialiseOptions {
  readonly initdb: string
  readonly launch: Launch
  /** Must not exist yet, or be empty. */
  readonly dataDirectory: string
  /** A file beside the data directory that holds the password for the moment that initdb reads it. */
  readonly passwordFile: string
  readonly password: string
  /** Skips fsync at the end; for databases that are thrown away. */
  readonly disposable?: boolean
}

/** Makes a new, empty PostgreSQL data directory whose superuser is `postgres`. */
export async function initialise(options: InitialiseOptions): Promise<void> {
  const { launch, passwordFile } = options
  try {
    await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 })
    if (launch.account !== undefined) await chown(passwordFile, launch.account.uid, launch.account.gid)
    await runInitdb(options)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

function initdbArguments(options: InitialiseOptions): readonly string[] {
  return [
    `--pgdata=${options.dataDirectory}`,
    '--username=postgres',
    `--pwfile=${options.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Sorting and case rules that do not change with the operating system's libraries, so that indexes stay valid when those are upgraded.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    ...(options.disposable === true ? ['--no-sync'] : []),
  ]
}

async function runInitdb(options: InitialiseOptions): Promise<void> {
  const [command, args] = options.launch.command(options.initdb, initdbArguments(options))
  const child = spawn(command, args, {
    ...options.launch.account,
    cwd: '/',
    env: programEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`The built-in PostgreSQL could not create its data directory ${options.dataDirectory}: ${output.trim()}`)
}

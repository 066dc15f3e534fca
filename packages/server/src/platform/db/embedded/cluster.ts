import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseClient } from '#platform/db/database-client.ts'
import { errorCode } from '#platform/error-code.ts'
import type { Binaries } from './binaries.ts'
import { type Endpoint, urlOf } from './endpoint.ts'
import { type Launch, type OsAccount, programEnvironment } from './launch.ts'

/** The files of the built-in PostgreSQL. */
export interface ClusterPaths {
  /** Belongs to the account that PostgreSQL runs as; contains its socket. */
  readonly directory: string
  readonly dataDirectory: string
  readonly logFile: string
}

/** Creates MILLRACE_HOME if it is missing. Throws, naming the remedy, when this user cannot use it. */
export async function prepareHome(home: string): Promise<void> {
  try {
    // Other users may pass through, since PostgreSQL may run as one; every secret file in it has permissions of its own.
    await mkdir(home, { recursive: true, mode: 0o711 })
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(`${await describeHomeProblem(home)} Set MILLRACE_HOME to a directory of this user, or change its owner.`, { cause })
  }
}

async function describeHomeProblem(home: string): Promise<string> {
  const ownUid = process.getuid?.()
  const user = ownUid === undefined ? 'this user' : `user ${ownUid}`
  const stats = await stat(home).catch(() => undefined)
  if (stats === undefined) return `MILLRACE_HOME ${home} cannot be created in ${dirname(home)} by ${user}.`
  if (!stats.isDirectory()) return `MILLRACE_HOME ${home} is not a directory.`
  if (stats.uid !== ownUid) return `MILLRACE_HOME ${home} belongs to user ${stats.uid} and cannot be used by ${user}.`
  return `MILLRACE_HOME ${home} cannot be written to by ${user}.`
}

/** Creates the directory of PostgreSQL under MILLRACE_HOME and makes `account` its owner. */
export async function prepareClusterDirectory(home: string, account: OsAccount | undefined): Promise<ClusterPaths> {
  const directory = join(home, 'postgres')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { uid } = await stat(directory)
  const ownUid = process.getuid?.()
  if (account !== undefined && uid !== account.uid) await chown(directory, account.uid, account.gid)
  if (account === undefined && ownUid !== undefined && uid !== ownUid) {
    throw new Error(
      `${directory} belongs to user ${uid}, and Millrace runs as user ${ownUid}: it was started as another user before, perhaps root. ` +
        `Start it as that user again, change the owner ("chown -R ${ownUid} ${directory}"), or set MILLRACE_HOME.`,
    )
  }
  return { directory, dataDirectory: join(directory, 'data'), logFile: join(directory, 'postgres.log') }
}

/** Reads the password of the built-in PostgreSQL from a file that only its owner can read; generates it for a new data directory. */
export async function loadPassword(
  home: string,
  { dataDirectory }: Pick<ClusterPaths, 'dataDirectory'>,
  randomBytes: (size: number) => Uint8Array,
): Promise<string> {
  const path = join(home, 'postgres-password')
  const existing = (await readFile(path, 'utf8').catch(undefinedIfMissing))?.trim()
  if (existing !== undefined && existing !== '') return existing
  if ((await stat(dataDirectory).catch(undefinedIfMissing)) !== undefined) {
    throw new Error(`${path} is missing, and the data in ${dataDirectory} can be opened only with it. Restore the file from a backup.`)
  }
  const password = Buffer.from(randomBytes(24)).toString('base64url')
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(`${password}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  return password
}

function undefinedIfMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined
  throw error
}

export interface DataDirectoryOptions {
  readonly dataDirectory: string
  readonly binaries: Binaries
  readonly launch: Launch
  readonly password: string
}

/**
 * Creates the data directory if it is missing; throws when it was made by another major version. It is created under another name and
 * renamed when it is complete, so a start that was interrupted leaves no half-made data directory.
 */
export async function prepareDataDirectory({ dataDirectory, binaries, launch, password }: DataDirectoryOptions): Promise<void> {
  const version = (await readFile(`${dataDirectory}/PG_VERSION`, 'utf8').catch(() => undefined))?.trim()
  if (version !== undefined) {
    if (version !== binaries.majorVersion) throw new Error(describeVersionMismatch(dataDirectory, version, binaries.majorVersion))
    return
  }
  if ((await stat(dataDirectory).catch(() => undefined)) !== undefined) {
    throw new Error(
      `${dataDirectory} is not a data directory of PostgreSQL: it has no file PG_VERSION. Restore it from a backup, or move it away.`,
    )
  }
  const draft = `${dataDirectory}.new`
  await rm(draft, { recursive: true, force: true })
  await initialiseCluster({ initdb: binaries.initdb, launch, dataDirectory: draft, password, passwordFile: `${draft}.password` })
  await rename(draft, dataDirectory)
}

function describeVersionMismatch(directory: string, dataVersion: string, ownVersion: string): string {
  return (
    `The data in ${directory} was made by PostgreSQL ${dataVersion}, and this release of Millrace brings PostgreSQL ${ownVersion}, which cannot read it. ` +
    `Start the release that made it and take a dump (pg_dump), then start this one on an empty MILLRACE_HOME and restore the dump; ` +
    `or run PostgreSQL ${dataVersion} on that directory yourself and set DATABASE_URL to it.`
  )
}

export interface InitialiseOptions {
  readonly initdb: string
  readonly launch: Launch
  /** Must not exist yet, or be empty. */
  readonly dataDirectory: string
  /** A temporary file from which initdb reads the password; removed afterwards. */
  readonly passwordFile: string
  readonly password: string
  /** Skips fsync at the end; for databases of tests. */
  readonly disposable?: boolean
}

/** Creates a new, empty data directory whose superuser is `postgres`. */
export async function initialiseCluster(options: InitialiseOptions): Promise<void> {
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
    // The built-in collation does not depend on libraries of the operating system, so indexes stay valid when those are upgraded.
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

/**
 * Creates the role `millrace` and its database where they are missing.
 *
 * The role is not a superuser: SQL injected into a query could neither read files nor start programs.
 */
export async function createRoleAndDatabase(endpoint: Endpoint, password: string, database: string): Promise<void> {
  const client = new DatabaseClient({ connectionString: urlOf(endpoint, 'postgres', password, 'postgres') })
  await client.connect()
  try {
    const existing = await client.query<{ readonly role: boolean; readonly database: boolean }>(
      `select exists (select from pg_roles where rolname = 'millrace') as role, exists (select from pg_database where datname = $1) as database`,
      [database],
    )
    const [row] = existing.rows
    if (row?.role === false) await client.query(`create role millrace login createdb createrole password ${client.escapeLiteral(password)}`)
    if (row?.database === false) await client.query(`create database ${client.escapeIdentifier(database)} owner millrace`)
  } finally {
    await client.end()
  }
}

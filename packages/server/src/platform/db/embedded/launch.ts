import { execFile, spawnSync } from 'node:child_process'
import { access, constants, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** How a PostgreSQL program is started: as which account, and through which helper. */
export interface Launch {
  /** The `uid` and `gid` for spawn(); `undefined` when the helper changes them, or when they do not change. */
  readonly account: OsAccount | undefined
  /** The command and its arguments that start `program`. */
  command(program: string, args: readonly string[]): readonly [command: string, args: readonly string[]]
}

/**
 * Chooses how root starts PostgreSQL as `account` so that it can reach all `paths`. Without an `account`, programs start directly.
 *
 * An installation under /root is closed to every other user. Rather than open root's directory, `setpriv` of util-linux then gives PostgreSQL
 * the one capability to pass closed directories. Throws, naming the remedy, when neither works.
 */
export async function chooseLaunch(account: OsAccount | undefined, paths: readonly string[]): Promise<Launch> {
  if (account === undefined || canReach(account, paths)) return { account, command: (program, args) => [program, args] }
  const capability = await reachingCapability()
  if (capability === undefined) {
    throw new Error(
      `PostgreSQL does not run as root, and user ${account.uid} may not enter ${paths.join(' or ')}. ` +
        'Put Millrace and MILLRACE_HOME outside of /root, start Millrace as the user who owns them, or set DATABASE_URL.',
    )
  }
  const identity = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
  const capabilities = [`--inh-caps=-all,+${capability}`, `--ambient-caps=-all,+${capability}`, `--bounding-set=-all,+${capability}`]
  return { account: undefined, command: (program, args) => ['setpriv', [...identity, ...capabilities, '--', program, ...args]] }
}

/** PostgreSQL reads options from its environment (PGOPTIONS, PGDATA, LC_ALL …), so it does not inherit ours. */
export function programEnvironment(): Record<string, string> {
  return { LC_ALL: 'C', LC_MESSAGES: 'C', PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' }
}

/** Tested by a shell that runs as that user, since groups, access lists and mounts all matter. */
function canReach(account: OsAccount, paths: readonly string[]): boolean {
  const script = 'for path; do test -r "$path" && test -x "$path" || exit 1; done'
  return spawnSync('/bin/sh', ['-c', script, 'sh', ...paths], { uid: account.uid, gid: account.gid, cwd: '/' }).status === 0
}

const capabilityBits = [
  { name: 'dac_read_search', bit: 2n },
  // Also allows writing; containers usually have only this one.
  { name: 'dac_override', bit: 1n },
] as const

async function reachingCapability(): Promise<string | undefined> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  const bounding = /^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1]
  if (bounding === undefined || !(await hasSetpriv())) return undefined
  const available = BigInt(`0x${bounding}`)
  return capabilityBits.find(({ bit }) => (available & (1n << bit)) !== 0n)?.name
}

async function hasSetpriv(): Promise<boolean> {
  return await access('/usr/bin/setpriv', constants.X_OK).then(
    () => true,
    () => false,
  )
}

const run = promisify(execFile)

/** The operating-system account that PostgreSQL runs as; `undefined` stands for the account of this process. */
export interface OsAccount {
  readonly uid: number
  readonly gid: number
}

/**
 * Finds the account for PostgreSQL, which refuses to run as root: under root the account that owns the data, else `millrace` or `postgres`
 * if it exists, else a new account `millrace`.
 */
export async function findOsAccount(home?: string): Promise<OsAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = home === undefined ? undefined : await stat(join(home, 'postgres', 'data')).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return (await readAccount('millrace')) ?? (await readAccount('postgres')) ?? (await createAccount())
}

async function createAccount(): Promise<OsAccount> {
  const failure = await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'millrace']).then(
    () => undefined,
    (error: unknown) => error,
  )
  // Read even after a failure: when two servers start at once, one of them fails to create the account.
  const account = await readAccount('millrace')
  if (account !== undefined) return account
  throw new Error(
    'PostgreSQL does not run as root, and a system user for it could not be created. ' +
      'Create one ("useradd --system millrace"), start Millrace as another user, or set DATABASE_URL.',
    { cause: failure },
  )
}

async function readAccount(name: string): Promise<OsAccount | undefined> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  for (const line of users.split('\n')) {
    const [user, , uid, gid] = line.split(':')
    if (user === name && uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}

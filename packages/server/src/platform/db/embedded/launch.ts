import { spawnSync } from 'node:child_process'
import { access, constants, readFile } from 'node:fs/promises'
import type { OsAccount } from './os-account.ts'

/** How a PostgreSQL program is started: as whom, and through which helper. */
export interface Launch {
  /** For the `uid` and `gid` of spawn(); `undefined` where the helper changes them, or nobody has to. */
  readonly account: OsAccount | undefined
  /** The command and its arguments that start `program`. */
  command(program: string, args: readonly string[]): readonly [command: string, args: readonly string[]]
}

/**
 * Chooses how PostgreSQL is started as `account` (of root's choosing) so that it can reach all `paths`.
 *
 * An installation under /root is closed to every other user. Rather than open root's directory, PostgreSQL is then given the one
 * capability to pass closed directories, by `setpriv` of util-linux. Throws with what to do where that cannot be had.
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

/** PostgreSQL takes options from its environment (PGOPTIONS, PGDATA, LC_ALL …), so it is given one of its own. */
export function programEnvironment(): Record<string, string> {
  return { LC_ALL: 'C', LC_MESSAGES: 'C', PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' }
}

/** Asked of the system itself, as that user: groups, access lists and mounts all have a say. */
function canReach(account: OsAccount, paths: readonly string[]): boolean {
  const script = 'for path; do test -r "$path" && test -x "$path" || exit 1; done'
  return spawnSync('/bin/sh', ['-c', script, 'sh', ...paths], { uid: account.uid, gid: account.gid, cwd: '/' }).status === 0
}

const capabilityBits = [
  { name: 'dac_read_search', bit: 2n },
  // Also allows writing; containers usually have this one alone.
  { name: 'dac_override', bit: 1n },
] as const

async function reachingCapability(): Promise<string | undefined> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  const bounding = /^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1]
  if (bounding === undefined || !(await hasSetpriv())) return undefined
  const held = BigInt(`0x${bounding}`)
  return capabilityBits.find(({ bit }) => (held & (1n << bit)) !== 0n)?.name
}

async function hasSetpriv(): Promise<boolean> {
  return await access('/usr/bin/setpriv', constants.X_OK).then(
    () => true,
    () => false,
  )
}

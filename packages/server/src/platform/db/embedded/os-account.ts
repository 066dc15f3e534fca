import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The operating-system account that PostgreSQL runs as; `undefined` means the one that we run as. */
export interface OsAccount {
  readonly uid: number
  readonly gid: number
}

/**
 * PostgreSQL refuses to run as root. As root we give it the account that owns the data already; else `millrace` or `postgres`, whichever
 * there is; and when there is neither, we make `millrace`.
 */
export async function findOsAccount(home?: string): Promise<OsAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = home === undefined ? undefined : await stat(join(home, 'postgres', 'data')).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return (await readAccount('millrace')) ?? (await readAccount('postgres')) ?? (await makeAccount())
}

async function makeAccount(): Promise<OsAccount> {
  const failure = await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'millrace']).then(
    () => undefined,
    (error: unknown) => error,
  )
  // Asked again even after a failure: two servers that start at once make it both, and one of them fails.
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

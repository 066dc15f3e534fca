import { readFileSync } from 'node:fs'
import { readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a running PostgreSQL says of itself in `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number
  readonly port: number
  /** Empty when it listens on no unix socket. */
  readonly socketDirectory: string
  readonly status: string
}

/** Reads `postmaster.pid`; `undefined` when there is none, or it is still being written. Source: miscinit.c of PostgreSQL, pidfile.h. */
export async function readPostmasterFile(dataDirectory: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid = '', , , port = '', socketDirectory = '', , , status = ''] = text.split('\n')
  if (!/^-?\d+$/.test(pid)) return undefined
  return { pid: Math.abs(Number(pid)), port: Number(port), socketDirectory, status: status.trim() }
}

/** Whether a process with this id runs, whoever owns it. One that has ended and was not yet fetched by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return process.platform !== 'linux' || !isZombie(pid)
}

function isZombie(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).startsWith('Z')
  } catch {
    return true // It went away between the two looks.
  }
}

/**
 * Whether the process is a PostgreSQL on this data directory: it stands in it. After a crash the number may belong to any other process.
 * `undefined` where the system does not tell (not Linux).
 */
export async function standsIn(pid: number, dataDirectory: string): Promise<boolean | undefined> {
  if (process.platform !== 'linux') return undefined
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === dataDirectory
}

/**
 * Makes PostgreSQL see that the lock files of a crashed one are stale, where it could be misled: it asks only whether the process id
 * exists, which may be another process by now.
 *
 * It takes the id of its own parent for stale (CreateLockFile in miscinit.c), so ours is written there. The rest of the file stays, by
 * which it finds out whether a process of the crashed one still uses the shared memory. The caller holds the instance lock.
 */
export async function disarmLockFiles(dataDirectory: string, socketDirectory: string): Promise<void> {
  const path = join(dataDirectory, 'postmaster.pid')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text !== undefined) await writeFile(path, text.replace(/^-?\d+/, String(process.pid)))
  await Promise.all(['.s.PGSQL.5432', '.s.PGSQL.5432.lock'].map((name) => rm(join(socketDirectory, name), { force: true })))
}

import { constants, type Stats } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail, type Finding, ok, warn } from './check.ts'

const name = 'Data directory'

/** Whether MILLRACE_HOME can be used, or made, by this user, and is closed to others. */
export async function checkHome(home: string): Promise<Finding> {
  const status = await look(home)
  if (status === undefined) return checkParent(home)
  if (!status.isDirectory()) return fail(name, `${home} is a file.`, 'Set MILLRACE_HOME to a directory, or move the file away.')
  if (!(await allows(home, constants.R_OK | constants.W_OK | constants.X_OK))) {
    return fail(name, `${home} cannot be written to by this user.`, 'Change its owner, or set MILLRACE_HOME to a directory of this user.')
  }
  const open = await openToOthers(home)
  if (open === undefined) return ok(name, home)
  return warn(name, `${open} can be read by other users of this machine.`, `Close it: chmod go-rwx ${open}`)
}

async function checkParent(home: string): Promise<Finding> {
  const parent = await nearestDirectory(home)
  if (await allows(parent, constants.W_OK | constants.X_OK)) return ok(name, `${home} will be made at the first start.`)
  return fail(name, `${home} is not there and cannot be made in ${parent}.`, 'Set MILLRACE_HOME to a directory of this user.')
}

/** The first of the files with secrets that others may read. */
async function openToOthers(home: string): Promise<string | undefined> {
  for (const file of ['secret.key', 'postgres/data']) {
    const path = join(home, file)
    const status = await look(path)
    if (process.platform !== 'win32' && status !== undefined && (status.mode & 0o077) !== 0) return path
  }
  return undefined
}

/** The directory itself, or the nearest one above it that is there. */
export async function nearestDirectory(path: string): Promise<string> {
  const status = await look(path)
  return status?.isDirectory() === true || dirname(path) === path ? path : nearestDirectory(dirname(path))
}

async function look(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined)
}

async function allows(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  )
}

import { constants } from 'node:fs'
import { access, chown, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { OsAccount } from './os-account.ts'

/** Where the built-in PostgreSQL keeps its things. */
export interface Home {
  /** Belongs to the account that PostgreSQL runs as; its socket lies here. */
  readonly directory: string
  readonly dataDirectory: string
  readonly logFile: string
}

/** Makes MILLRACE_HOME where it is missing. Throws, saying what to do, when it cannot be used by this user. */
export async function prepareHome(home: string): Promise<void> {
  try {
    // Others may pass through, because PostgreSQL may run as another user; every file in it that is secret is closed by itself.
    await mkdir(home, { recursive: true, mode: 0o711 })
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(`${await reasonFor(home)} Set MILLRACE_HOME to a directory of this user, or change its owner.`, { cause })
  }
}

/** Makes the directory of PostgreSQL and gives it to the account. */
export async function preparePostgresDirectory(home: string, account: OsAccount | undefined): Promise<Home> {
  const directory = join(home, 'postgres')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { uid } = await stat(directory)
  const self = process.getuid?.()
  if (account !== undefined && uid !== account.uid) await chown(directory, account.uid, account.gid)
  if (account === undefined && self !== undefined && uid !== self) {
    throw new Error(
      `${directory} belongs to user ${uid}, and Millrace runs as user ${self}: it was started as another user before, root perhaps. ` +
        `Start it as that user again, change the owner ("chown -R ${self} ${directory}"), or set MILLRACE_HOME.`,
    )
  }
  return { directory, dataDirectory: join(directory, 'data'), logFile: join(directory, 'postgres.log') }
}

async function reasonFor(home: string): Promise<string> {
  const self = process.getuid?.()
  const who = self === undefined ? 'this user' : `user ${self}`
  const found = await stat(home).catch(() => undefined)
  if (found === undefined) return `MILLRACE_HOME ${home} cannot be created in ${dirname(home)} by ${who}.`
  if (!found.isDirectory()) return `MILLRACE_HOME ${home} is not a directory.`
  if (found.uid !== self) return `MILLRACE_HOME ${home} belongs to user ${found.uid} and cannot be used by ${who}.`
  return `MILLRACE_HOME ${home} cannot be written to by ${who}.`
}

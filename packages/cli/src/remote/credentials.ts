import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ClientEnvironment } from '@millrace/server/client-environment'
import { Failure, systemCodeOf } from '#command/failure.ts'

/** The servers that a person is signed in to, by URL, and the one that commands use by default. */
export interface StoredLogins {
  readonly current?: string
  readonly servers: Readonly<Record<string, StoredLogin>>
}

export interface StoredLogin {
  readonly email: string
  /** The secret of an API key. */
  readonly key: string
  /** The id of a key that `millrace login` issued, which the next login revokes; a key that was entered has none. */
  readonly keyId?: string
}

/** Where logins are stored: `$XDG_CONFIG_HOME/millrace/logins.json`, by default below `~/.config`. */
export function loginsFile({ configDirectory }: ClientEnvironment): string {
  if (configDirectory === undefined)
    throw new Failure('There is no place for logins: neither XDG_CONFIG_HOME nor HOME is set.', { hint: 'Set MILLRACE_API_KEY.' })
  return join(configDirectory, 'millrace', 'logins.json')
}

/** Reads the stored logins; none where nothing is stored. */
export async function readLogins(file: string): Promise<StoredLogins> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return { servers: {} }
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by writeLogins; a damaged file fails below.
    const logins = JSON.parse(text) as StoredLogins
    if (typeof logins.servers === 'object') return logins
  } catch {
    // Reported below.
  }
  throw new Failure(`${file} is damaged.`, { hint: 'Delete it and run "millrace login" again.' })
}

/** Writes the logins so that only this user can read them; an interrupted write leaves the old ones. */
export async function writeLogins(file: string, logins: StoredLogins): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.new`
  await writeFile(draft, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 })
  await chmod(draft, 0o600)
  await rename(draft, file)
}

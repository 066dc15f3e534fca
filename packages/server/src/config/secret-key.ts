import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '#platform/error-code.ts'
import { secretKey } from './parse.ts'
import { Mistake } from './reader.ts'
import { Secret } from './secret.ts'

export interface SecretKeyDeps {
  readonly home: string
  readonly randomBytes: (size: number) => Uint8Array
}

/**
 * Loads the key of an installation without MILLRACE_SECRET_KEY from `secret.key` under MILLRACE_HOME. It is generated on first use and readable only
 * by its owner.
 *
 * Without the file, everything encrypted under the key is lost, so an unreadable file is an error and is never replaced.
 */
export async function loadSecretKey(deps: SecretKeyDeps): Promise<Secret<Uint8Array>> {
  const path = join(deps.home, 'secret.key')
  const found = await readKey(path)
  if (found !== undefined) return new Secret(found)
  await mkdir(deps.home, { recursive: true, mode: 0o700 })
  await writeOnce(path, `${Buffer.from(deps.randomBytes(32)).toString('base64')}\n`)
  // Read again: another process may have written the file first.
  const made = await readKey(path)
  if (made === undefined) throw new Error(`${path} was deleted while it was created`)
  return new Secret(made)
}

/** The key in `secret.key` under a directory; undefined without the file. Throws for a file that is no key. */
export function findSecretKey(home: string): Promise<Uint8Array | undefined> {
  return readKey(join(home, 'secret.key'))
}

async function readKey(path: string): Promise<Uint8Array | undefined> {
  try {
    return secretKey((await readFile(path, 'utf8')).trim())
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined
    const reason = cause instanceof Mistake ? cause.message : `cannot be read (${String(cause)}).`
    throw new Error(`The secret key in ${path} ${reason} Restore the file from a backup, or set MILLRACE_SECRET_KEY.`, { cause })
  }
}

/** Writes a file atomically and durably, and never replaces an existing one. */
async function writeOnce(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
    await link(draft, path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
}

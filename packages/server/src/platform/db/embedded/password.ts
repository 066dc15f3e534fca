import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The password of the built-in PostgreSQL: kept in a file that its owner alone can read, made on first use. */
export async function loadPassword(home: string, randomBytes: (size: number) => Uint8Array): Promise<string> {
  const path = join(home, 'postgres-password')
  const found = (await readFile(path, 'utf8').catch(ignoreMissing))?.trim()
  if (found !== undefined && found !== '') return found
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

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}

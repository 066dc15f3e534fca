import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type CheckedDefinition, checkDefinition } from './check-definition.ts'

/** A folder with more definitions than these is not searched to its end. */
const filesMax = 1000
/** Larger files are data, not definitions. */
const bytesMax = 1_000_000

/**
 * The definitions in a folder that mention `name`, wrong ones included.
 * Files that cannot be read, and files with other content, are skipped: the user did not name them.
 */
export async function definitionsIn(folder: string, name: string): Promise<readonly CheckedDefinition[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((file) => /\.(ya?ml|json)$/i.test(file)).toSorted()
  const read = await Promise.all(files.slice(0, filesMax).map((file) => readSmall(join(folder, file))))
  return read.flatMap((found) => (found?.text.includes(name) === true ? [checkDefinition(found.path, found.text)] : []))
}

async function readSmall(path: string): Promise<{ readonly path: string; readonly text: string } | undefined> {
  const status = await stat(path).catch(() => undefined)
  if (status === undefined || !status.isFile() || status.size > bytesMax) return undefined
  return readFile(path, 'utf8').then(
    (text) => ({ path, text }),
    () => undefined,
  )
}

import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'millrace-work-'
/** Longer than any use takes. */
const abandonedMs = 60 * 60 * 1000

/**
 * Makes a folder for the files of one piece of work, which deletes it in the end, and deletes those of processes that were killed before they could.
 * @param parent where; the folder for temporary files unless given.
 */
export async function makeWorkFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, prefix))
  await deleteAbandoned(parent, folder)
  return folder
}

async function deleteAbandoned(parent: string, own: string): Promise<void> {
  const { mtimeMs: nowMs, uid } = await lstat(own)
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue
    const path = join(parent, name)
    // Another process may delete it at the same time.
    const found = await lstat(path).catch(() => undefined)
    const isAbandoned = found?.isDirectory() === true && found.uid === uid && nowMs - found.mtimeMs > abandonedMs
    if (isAbandoned) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

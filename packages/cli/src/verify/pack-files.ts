import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { openPromise } from 'yauzl'
import { Failure, messageOf } from '#command/failure.ts'

/** The files of an evidence pack, by their paths in its bag. */
export interface PackFiles {
  readonly names: ReadonlySet<string>
  /** Rejects for a name that does not exist, and for damaged content. */
  open(name: string): Promise<Readable>
  close(): void
}

/** Opens a pack as it was downloaded (ZIP), or as a folder. */
export async function openPack(path: string): Promise<PackFiles> {
  try {
    return (await stat(path)).isDirectory() ? await ofFolder(path) : await ofZip(path)
  } catch (error) {
    throw new Failure(`${path} cannot be read as an evidence pack: ${messageOf(error)}`, { cause: error })
  }
}

async function ofFolder(folder: string): Promise<PackFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
  const names = new Set(paths.map((path) => relative(folder, path).split(sep).join('/')))
  return {
    names,
    async open(name) {
      if (!names.has(name)) throw new Error(`${name} does not exist`)
      return createReadStream(join(folder, name))
    },
    close: () => undefined,
  }
}

/** The files are read where they are; nothing is unpacked. */
async function ofZip(path: string): Promise<PackFiles> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  const entries = new Map<string, Parameters<typeof zip.openReadStreamPromise>[0]>()
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    const name = entry.fileName.slice(entry.fileName.indexOf('/') + 1)
    if (entries.has(name)) throw new Error(`it has ${name} twice`)
    entries.set(name, entry)
  }
  return {
    names: new Set(entries.keys()),
    async open(name) {
      const entry = entries.get(name)
      if (entry === undefined) throw new Error(`${name} does not exist`)
      return zip.openReadStreamPromise(entry)
    },
    close: () => zip.close(),
  }
}

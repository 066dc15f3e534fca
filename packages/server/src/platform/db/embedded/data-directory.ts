import { readFile, rename, rm, stat } from 'node:fs/promises'
import type { Binaries } from './binaries.ts'
import { initialise } from './initialise.ts'
import type { Launch } from './launch.ts'

export interface DataDirectoryOptions {
  readonly dataDirectory: string
  readonly binaries: Binaries
  readonly launch: Launch
  readonly password: string
}

/**
 * Makes the data directory where there is none; throws when there is one of another major version. Tells whether it was made.
 * It is made under another name first, so that what is found under its own is whole.
 */
export async function prepareDataDirectory(options: DataDirectoryOptions): Promise<'made' | 'found'> {
  const { dataDirectory, binaries, launch, password } = options
  const version = (await readFile(`${dataDirectory}/PG_VERSION`, 'utf8').catch(() => undefined))?.trim()
  if (version !== undefined) {
    if (version !== binaries.majorVersion) throw new Error(otherVersion(dataDirectory, version, binaries.majorVersion))
    return 'found'
  }
  if ((await stat(dataDirectory).catch(() => undefined)) !== undefined) {
    throw new Error(
      `${dataDirectory} is no data directory of PostgreSQL: it has no file PG_VERSION. Restore it from a backup, or move it away.`,
    )
  }
  const draft = `${dataDirectory}.new`
  await rm(draft, { recursive: true, force: true })
  await initialise({ initdb: binaries.initdb, launch, dataDirectory: draft, password, passwordFile: `${draft}.password` })
  await rename(draft, dataDirectory)
  return 'made'
}

function otherVersion(directory: string, found: string, brought: string): string {
  return (
    `The data in ${directory} was made by PostgreSQL ${found}, and this release of Millrace brings PostgreSQL ${brought}, which cannot read it. ` +
    `Start the release that made it and take a dump (pg_dump), then start this one on an empty MILLRACE_HOME and restore the dump; ` +
    `or run PostgreSQL ${found} on that directory yourself and set DATABASE_URL to it.`
  )
}

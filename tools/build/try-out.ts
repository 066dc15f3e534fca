import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Manifest } from './manifest.ts'

const run = promisify(execFile)

/**
 * Installs the built packages the way npm would, below `node_modules`, where Node does not run TypeScript, and uses them there:
 * each is imported, and each program prints its help.
 */
export async function tryOut(root: string, dist: string, packages: ReadonlyMap<string, Manifest>): Promise<void> {
  // Outside of the project, whose node_modules also has what a package does not declare.
  const place = await mkdtemp(join(tmpdir(), 'millrace-try-out-'))
  const modules = join(place, 'node_modules')
  for (const [folder, { name }] of packages) await cp(join(dist, 'packages', folder), join(modules, name), { recursive: true })
  const own = new Set([...packages.values()].map(({ name }) => name))
  const others = new Set(
    [...packages.values()].flatMap(({ dependencies = {} }) => Object.keys(dependencies)).filter((name) => !own.has(name)),
  )
  for (const name of others) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(modules, name))
  }
  for (const { name, exports, bin } of packages.values()) {
    if (exports !== undefined) await use(place, ['--input-type=module', '--eval', `await import(${JSON.stringify(name)})`], name)
    for (const [program, path] of Object.entries(bin ?? {}))
      await use(place, [join(modules, name, path.replace(/\.ts$/, '.js')), '--help'], program)
  }
  await rm(place, { recursive: true })
}

async function use(place: string, args: readonly string[], what: string): Promise<void> {
  await run(process.execPath, args, { cwd: place, timeout: 30_000 }).catch((error: unknown) => {
    throw new Error(`The built ${what} does not run:\n${Object(error).stderr}`, { cause: error })
  })
}

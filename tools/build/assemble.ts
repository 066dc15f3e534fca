import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { libraries } from './compile.ts'
import { builtManifest, type Manifest } from './manifest.ts'

/** What a package brings beside its code. */
const extras = ['README.md', 'assets', 'migrations', 'templates'] as const

/** Completes one compiled package: its package.json, its licence, and what it reads at run time. */
export async function assemble(root: string, dist: string, folder: string): Promise<Manifest> {
  const source = join(root, 'packages', folder)
  const target = join(dist, 'packages', folder)
  const manifest = await readManifest(join(source, 'package.json'))
  await rm(join(target, 'package.json'), { force: true })
  await writeFile(
    join(target, 'package.json'),
    `${JSON.stringify(builtManifest(manifest, libraries.includes(folder) ? 'library' : 'program'), undefined, 2)}\n`,
  )
  await cp(join(root, 'LICENSE'), join(target, 'LICENSE'))
  await Promise.all(extras.map((name) => copyIfThere(join(source, name), join(target, name))))
  return manifest
}

async function readManifest(path: string): Promise<Manifest> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Our own package.json, which npm has read before us.
  return JSON.parse(await readFile(path, 'utf8')) as Manifest
}

async function copyIfThere(from: string, to: string): Promise<void> {
  // TypeScript among them is compiled already.
  await cp(from, to, { recursive: true, filter: (path) => !path.endsWith('.ts') }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  })
}

import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { buildWeb } from '@millrace/web/build'
import { libraries } from './compile.ts'
import { builtManifest, type Manifest } from './manifest.ts'

/** Files for development, and files that the build itself makes. */
const leftOut = /(?:^|\/)(?:node_modules|testing|laws|bench|demo|test)(?:\/|$)|\.ts$|\.test\.[^/]*$|^(?:package\.json|schema\.sql)$/

const publishing = { publishConfig: { access: 'public' } }

/** Completes one compiled package: its package.json, its licence, and the files that it reads at run time. */
export async function assemble(root: string, dist: string, folder: string): Promise<Manifest> {
  const source = join(root, 'packages', folder)
  const target = join(dist, 'packages', folder)
  const manifest = await readManifest(join(source, 'package.json'))
  if (folder === 'web') return assembleWeb(source, target, manifest)
  await rm(join(target, 'package.json'), { force: true })
  await writeFile(
    join(target, 'package.json'),
    textOf({ ...builtManifest(manifest, libraries.includes(folder) ? 'library' : 'program'), files: ['**'], ...publishing }),
  )
  await cp(join(root, 'LICENSE'), join(target, 'LICENSE'))
  // Files that the code reads at run time: migrations, templates, pages. Compiled files exist already.
  await cp(source, target, { recursive: true, filter: (path) => !leftOut.test(relative(source, path).replaceAll(sep, '/')) })
  return manifest
}

/** The interface is shipped built: its libraries are in its bundle, so the package depends on nothing. */
async function assembleWeb(source: string, target: string, manifest: Manifest): Promise<Manifest> {
  await buildWeb()
  const { name, version, description, keywords } = manifest
  await mkdir(target, { recursive: true })
  await writeFile(
    join(target, 'package.json'),
    textOf({ name, version, description, keywords, license: 'Apache-2.0', files: ['dist'], ...publishing }),
  )
  await cp(join(source, '../../LICENSE'), join(target, 'LICENSE'))
  await cp(join(source, 'README.md'), join(target, 'README.md'))
  for (const part of ['index.html', 'assets']) await cp(join(source, 'dist', part), join(target, 'dist', part), { recursive: true })
  return { name, version }
}

function textOf(manifest: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

async function readManifest(path: string): Promise<Manifest> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Our own package.json, which npm has read before us.
  return JSON.parse(await readFile(path, 'utf8')) as Manifest
}

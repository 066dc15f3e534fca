import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assemble } from './assemble.ts'
import { compile } from './compile.ts'
import type { Manifest } from './manifest.ts'
import { tryOut } from './try-out.ts'

// "npm run build": builds publishable packages in dist/packages and tries them out.
const root = fileURLToPath(new URL('../../', import.meta.url))
const dist = join(root, 'dist')

await rm(dist, { recursive: true, force: true })
await mkdir(dist)
await compile(root, dist)
const packages = new Map<string, Manifest>()
for (const folder of (await readdir(join(root, 'packages'))).toSorted()) packages.set(folder, await assemble(root, dist, folder))
await tryOut(root, dist, packages)
await rm(join(dist, 'tsconfig.json'))
console.log(`Built ${[...packages.values()].map(({ name, version }) => `${name} ${version}`).join(', ')} in dist/packages`)

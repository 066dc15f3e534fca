import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSite } from './build-site.ts'

// "npm run docs [SOURCE_URL]": builds the documentation as a static site in dist/docs.
const root = fileURLToPath(new URL('../../', import.meta.url))
const target = join(root, 'dist/docs')
const site = await buildSite(root, { sourceUrl: process.argv[2] })
await rm(target, { recursive: true, force: true })
for (const [path, html] of site) {
  await mkdir(dirname(join(target, path)), { recursive: true })
  await writeFile(join(target, path), html)
}
console.log(`Built ${site.size} pages; open ${join(target, 'docs/index.html')}`)

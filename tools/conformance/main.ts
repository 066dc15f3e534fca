import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fetchedFolder } from './locate.ts'
import { fetchConformance, github } from './fetch.ts'
import manifest from './manifest.json' with { type: 'json' }

// "npm run conformance": downloads the data of the conformance tests. `--base URL` uses a mirror instead of both hosts of GitHub.
const { values } = parseArgs({ options: { base: { type: 'string' } } })
const base = values.base?.replace(/\/$/, '')
const folder = fileURLToPath(new URL(`../../${fetchedFolder}`, import.meta.url))
try {
  const count = await fetchConformance(manifest.sources, folder, base === undefined ? github : { api: base, raw: base })
  console.log(`${count} files are in ${fetchedFolder}.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

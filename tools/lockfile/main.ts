import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { completeEntries, findGaps, type LockEntries } from './complete.ts'

// "npm run lockfile": run it after an "npm install" with a registry that lacks packages; see findGaps.
const path = fileURLToPath(new URL('../../package-lock.json', import.meta.url))
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- npm has written it.
const lockfile = JSON.parse(await readFile(path, 'utf8')) as { readonly packages: LockEntries }
const gaps = findGaps(lockfile.packages)
if (gaps.length > 0)
  await writeFile(path, `${JSON.stringify({ ...lockfile, packages: completeEntries(lockfile.packages) }, undefined, 2)}\n`)
console.log(gaps.length === 0 ? 'package-lock.json is complete.' : `Added ${gaps.map(({ name }) => name).join(', ')}.`)

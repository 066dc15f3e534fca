import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { webRoot } from './paths.ts'

/** What the interface is built from. */
const sources = [
  'build',
  'src',
  'index.html',
  'package.json',
  '../contract/src',
  '../client/src',
  '../dsl/src',
  '../jq/src',
  '../engine/src',
]

/** A digest of the sources by path, size and time of change. */
export async function stampOfSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) for (const line of await linesOf(join(webRoot, source))) hash.update(line)
  return hash.digest('hex')
}

async function linesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path)
  if (!found.isDirectory()) return [`${path} ${found.size} ${found.mtimeMs}\n`]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
  const stats = await Promise.all(files.map((file) => stat(file)))
  return files.map((file, index) => `${file} ${stats[index]?.size} ${stats[index]?.mtimeMs}\n`).toSorted()
}

/** Whether `dist` was built from the present sources. */
export async function isFresh(dist: string): Promise<boolean> {
  const built = await readFile(join(dist, 'stamp'), 'utf8').catch(() => '')
  return built !== '' && built === (await stampOfSources())
}

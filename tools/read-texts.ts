import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const folders = ['packages', 'docs', 'tools', 'bench', 'examples']
const skipped = new Set(['node_modules', 'dist', 'coverage', '.git', '.millrace', '.conformance', '.screens'])
const read = /\.(?:tsx?|sql|md|feature)$|\/package\.json$/

/** Reads the code and the documents of the repository, by their path from the root, for the rules and the check of words. */
export function readTexts(root: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const name of readdirSync(root)) if (name.endsWith('.md')) texts.set(name, readFileSync(join(root, name), 'utf8'))
  for (const folder of folders) collect(root, folder, texts)
  return texts
}

function collect(root: string, folder: string, texts: Map<string, string>): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory() && !skipped.has(entry.name)) collect(root, path, texts)
    if (entry.isFile() && read.test(path)) texts.set(path, readFileSync(join(root, path), 'utf8'))
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const folders = ['packages', 'docs', 'tools', 'bench', 'examples']
const skipped = new Set(['node_modules', 'dist', 'coverage', '.conformance'])
const checked = /\.(?:ts|sql|md|feature)$/

/** Reads the files whose words are checked, by their path from the root. This folder, which lists the banned words, is left out. */
export function readTexts(root: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const name of readdirSync(root)) if (name.endsWith('.md')) texts.set(name, withoutGlossary(readFileSync(join(root, name), 'utf8')))
  for (const folder of folders) collect(root, folder, texts)
  return texts
}

/** The glossary of CONTRIBUTING.md names the words that it rejects. */
function withoutGlossary(text: string): string {
  return text.replace(/^## Glossary$[^]*?(?=^## )/m, (section) => section.replaceAll(/[^\n]/g, ''))
}

function collect(root: string, folder: string, texts: Map<string, string>): void {
  if (folder === 'tools/words') return
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory() && !skipped.has(entry.name)) collect(root, path, texts)
    if (entry.isFile() && checked.test(entry.name)) texts.set(path, readFileSync(join(root, path), 'utf8'))
  }
}

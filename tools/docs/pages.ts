import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Every page for people, as a path from the root of the repository. */
export function pagesOf(root: string): readonly string[] {
  const below = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.md') && !entry.parentPath.includes('node_modules'))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
  return [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    ...below('docs'),
    ...below('examples'),
    ...below('packages/server/src/catalog'),
  ].toSorted()
}

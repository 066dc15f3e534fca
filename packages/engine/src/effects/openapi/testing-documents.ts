import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Json } from '#core/json.ts'

const require = createRequire(import.meta.url)
const folder = dirname(require.resolve('@readme/oas-examples/package.json'))

/** The text of a document of the package `@readme/oas-examples`, such as `2.0/json/petstore.json`. */
export function exampleText(name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}

/** The same, parsed. */
export function exampleDocument(name: string): Json {
  const document: Json = JSON.parse(exampleText(`${name}.json`.replace(/\.json\.json$/, '.json')))
  return document
}

/** Names of all documents of a version and a format. */
export function exampleNames(version: '2.0' | '3.0' | '3.1', format: 'json' | 'yaml'): readonly string[] {
  return globSync(`${version}/${format}/*.${format}`, { cwd: folder }).toSorted()
}

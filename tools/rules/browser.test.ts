import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf } from './imports.ts'
import { createResolver } from './resolve.ts'

const root = join(import.meta.dirname, '../..')
const packages = ['jq', 'dsl', 'engine', 'contract']
const resolve = createResolver(new Map(packages.map((name) => [`packages/${name}/package.json`, read(`packages/${name}/package.json`)])))

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** The entry points that run in a browser, and the npm packages that each may load at once. */
const entries: readonly (readonly [entry: string, packages: readonly string[]])[] = [
  ['packages/dsl/src/edit/index.ts', ['yaml']],
  ['packages/dsl/src/outline/index.ts', ['yaml']],
  ['packages/dsl/src/shape/index.ts', []],
  ['packages/dsl/src/index.ts', ['re2js', 'yaml']],
  ['packages/jq/src/index.ts', ['re2js']],
  ['packages/jq/src/stages/index.ts', ['re2js']],
  ['packages/engine/src/replay.ts', ['re2js', 'yaml']],
]

/** The npm packages that a file loads at once, directly or through others; imports of types load nothing. */
function packagesOf(entry: string): readonly string[] {
  const seen = new Set<string>()
  const found = new Set<string>()
  const open = [entry]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const values = read(path)
      .replaceAll(/^(?:import|export) type [^;]*? from '[^']*'$/gm, '')
      .replaceAll(/\bimport\(/g, 'later(')
    for (const specifier of importsOf(values)) {
      const target = resolve(path, specifier)
      if (target.kind === 'file') open.push(target.path)
      else found.add(target.name)
    }
  }
  return [...found].toSorted()
}

test.each(entries)('%s loads nothing of Node and only %j', (entry, allowed) => {
  expect(packagesOf(entry)).toEqual(allowed)
})

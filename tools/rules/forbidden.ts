import type { Findings } from './rule.ts'
import type { SourceTree } from './source-tree.ts'

/** No import leads to a parent folder; across folders imports use the "imports" of package.json. */
export function checkNoParentImports(tree: SourceTree): Findings {
  const imports = tree.files.flatMap((file) => file.imports.map(({ specifier }) => ({ path: file.path, specifier })))
  const violations = imports
    .filter(({ specifier }) => specifier.startsWith('..'))
    .map(({ path, specifier }) => `${path} imports ${specifier}`)
  return { seen: imports.length, violations }
}

const environment =
  /\bprocess\s*\.\s*env\b|\bprocess\s*\[|\benv\s*\}\s*=\s*process\b|import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*'node:process'/

/** Only packages/server/src/config reads the environment. Tests may pass theirs on to their child processes. */
export function checkEnvironment(tree: SourceTree): Findings {
  const files = tree.files.filter((file) => !file.isTest && !file.path.startsWith('tools/'))
  const readers = files.filter((file) => environment.test(file.text))
  const violations = readers
    .filter((file) => !file.path.startsWith('packages/server/src/config/'))
    .map((file) => `${file.path} reads process.env`)
  // Counts the permitted readers, to notice a pattern that matches nothing any more.
  return { seen: readers.length - violations.length, violations }
}

const ownClient = /new (?:pg\.)?Client\(/
const ownPool = /new (?:pg\.)?Pool\(/

/**
 * Clients of PostgreSQL outside of the engine are those of packages/server/src/platform/db/database-client.ts, which always listen for errors:
 * an `error` event without a listener ends the process.
 */
export function checkDatabaseClients(tree: SourceTree): Findings {
  const files = tree.files.filter(
    ({ path, isTest, imports }) =>
      /^packages\/(?:server|cli)\/src\//.test(path) &&
      !isTest &&
      !path.includes('/testing/') &&
      imports.some(({ specifier }) => /^pg$/.test(specifier)),
  )
  const violations = files
    .filter(
      ({ path, text }) =>
        (ownClient.test(text) && !path.endsWith('/database-client.ts')) || (ownPool.test(text) && !text.includes('...pooledClient')),
    )
    .map(({ path }) => `${path} makes a client of PostgreSQL that is not a DatabaseClient`)
  return { seen: files.length, violations }
}

/** Code that runs for each execution. */
const hotFolders = /^packages\/engine\/src\/(?:core|durable|postgres\/journal)\//

/**
 * No object literal on the way of an execution has an accessor. V8 gives each such literal a hidden class of its own, which keeps the scope of the
 * accessor, and so the whole execution, until the next major garbage collection. Accessors of classes are shared.
 */
export function checkNoAccessorsInLiterals(tree: SourceTree): Findings {
  const files = tree.files.filter(({ path, isTest }) => !isTest && hotFolders.test(path))
  const violations = files.flatMap(({ path, text }) =>
    accessorsOf(text)
      .filter(({ scope }) => !/\bclass\b/.test(scope))
      .map(({ line }) => `${path}:${line} has an accessor in an object literal`),
  )
  return { seen: files.length, violations }
}

/** Accessors with the line that opens the block around them: the nearest line above with less indentation. */
function accessorsOf(text: string): readonly { readonly line: number; readonly scope: string }[] {
  const lines = text.split('\n')
  const indentOf = (line: string) => line.length - line.trimStart().length
  return lines.flatMap((line, index) => {
    if (!/^\s+(?:static )?[gs]et #?\w+\(.*\{$/.test(line)) return []
    const scope = lines.slice(0, index).findLast((above) => above.trim() !== '' && indentOf(above) < indentOf(line))
    return [{ line: index + 1, scope: scope ?? '' }]
  })
}

/** No path leads out of the repository. Only tools/conformance/locate.ts finds external data. */
export function checkInside(tree: SourceTree): Findings {
  const climbs = tree.files.flatMap(({ path, text }) =>
    [...text.matchAll(/['"`/](?<up>(?:\.\.\/)+)/g)].map((match) => ({ path, steps: (match.groups?.['up'] ?? '').length / '../'.length })),
  )
  const violations = climbs
    .filter(({ path, steps }) => steps > path.split('/').length - 1)
    .map(({ path }) => `${path} names a path outside of the repository`)
  return { seen: climbs.length, violations }
}

import type { Findings } from './rule.ts'
import type { SourceTree } from './source-tree.ts'

/** Imports do not climb: across folders they go by the "imports" of package.json. */
export function checkNoParentImports(tree: SourceTree): Findings {
  const imports = tree.files.flatMap((file) => file.imports.map(({ specifier }) => ({ path: file.path, specifier })))
  const violations = imports
    .filter(({ specifier }) => specifier.startsWith('..'))
    .map(({ path, specifier }) => `${path} imports ${specifier}`)
  return { seen: imports.length, violations }
}

const environment =
  /\bprocess\s*\.\s*env\b|\bprocess\s*\[|\benv\s*\}\s*=\s*process\b|import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*'node:process'/

/** The environment is read in one place, packages/server/src/config. Tests hand theirs on to the processes that they start. */
export function checkEnvironment(tree: SourceTree): Findings {
  const files = tree.files.filter((file) => !file.isTest && !file.path.startsWith('tools/'))
  const readers = files.filter((file) => environment.test(file.text))
  const violations = readers
    .filter((file) => !file.path.startsWith('packages/server/src/config/'))
    .map((file) => `${file.path} reads process.env`)
  // Not the files that it searches, but the reader that it finds where one must be: the pattern still works.
  return { seen: readers.length - violations.length, violations }
}

const ownClient = /new (?:pg\.)?Client\(/
const ownPool = /new (?:pg\.)?Pool\(/

/**
 * Clients of PostgreSQL outside of the engine are those of packages/server/src/platform/db/database-client.ts, which hear their errors for their whole
 * life: an `error` event without a listener ends the process.
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

/** A clone stands alone: no path leads out of the repository. What others have made is found by tools/conformance/locate.ts alone. */
export function checkInside(tree: SourceTree): Findings {
  const climbs = tree.files.flatMap(({ path, text }) =>
    [...text.matchAll(/['"`/](?<up>(?:\.\.\/)+)/g)].map((match) => ({ path, steps: (match.groups?.['up'] ?? '').length / '../'.length })),
  )
  const violations = climbs
    .filter(({ path, steps }) => steps > path.split('/').length - 1)
    .map(({ path }) => `${path} names a path outside of the repository`)
  return { seen: climbs.length, violations }
}

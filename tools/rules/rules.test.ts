import { expect, test } from 'vitest'
import { checkArrows } from './arrows.ts'
import { checkImportCounts, checkSizes, checkTestRatio } from './budgets.ts'
import { checkDatabaseClients, checkEnvironment, checkInside, checkNoAccessorsInLiterals, checkNoParentImports } from './forbidden.ts'
import { importsOf } from './imports.ts'
import { checkModules } from './modules.ts'
import { countCodeLines, type SourceTree, treeOf } from './source-tree.ts'

const manifests = {
  'packages/jq/package.json': '{ "name": "@millrace/jq", "imports": { "#src/*": "./src/*" } }',
  'packages/engine/package.json':
    '{ "name": "@millrace/engine", "imports": { "#core/*": "./src/core/*", "#effects/*": "./src/effects/*", "#postgres/*": "./src/postgres/*" } }',
  'packages/server/package.json':
    '{ "name": "@millrace/server", "imports": { "#platform/*": "./src/platform/*", "#catalog/*": "./src/catalog/*", "#modules/*": "./src/modules/*" } }',
}

function tree(files: Readonly<Record<string, string>>): SourceTree {
  return treeOf(new Map(Object.entries({ ...manifests, ...files })))
}

const module = (path: string) => `packages/server/src/modules/${path}`

test('every form of import is found, and nothing else', () => {
  const text = [
    `import fs from 'node:fs'`,
    `import type { A } from './a.ts'`,
    `import {\n  b,\n  type C,\n} from '#core/b.ts'`,
    `import * as d from 'd'`,
    `import './side-effect.ts'`,
    `export { e } from './e.ts'`,
    `export * from './f.ts'`,
    `export type { G } from './g.ts'`,
    `const h = await import('./h.ts')`,
    `export function notAnImport() {\n  return message({ from: 1 })\n}`,
    `// import x from 'comment'`,
    `export const sentence = "it came from 'far' away"`,
  ].join('\n')
  expect(importsOf(text).toSorted()).toEqual(
    ['node:fs', './a.ts', '#core/b.ts', 'd', './side-effect.ts', './e.ts', './f.ts', './g.ts', './h.ts'].toSorted(),
  )
})

test.each([
  ['a package outside of its list', 'packages/jq/src/a.ts', `import fs from 'node:fs'`],
  ['a higher package', 'packages/jq/src/a.ts', `import { x } from '@millrace/engine'`],
  ['pg outside of the places for it', 'packages/engine/src/effects/a.ts', `import pg from 'pg'`],
  ['a module from the platform', 'packages/server/src/platform/a.ts', `import { x } from '#modules/audit/index.ts'`],
  ['the catalog from a module', module('audit/service.ts'), `import { x } from '#catalog/catalog.ts'`],
  ['a module from the catalog', 'packages/server/src/catalog/email/a.ts', `import { x } from '#modules/audit/index.ts'`],
  ['nodemailer outside of the place for it', 'packages/server/src/catalog/email/a.ts', `import { x } from 'nodemailer'`],
  ['Fastify in a module', module('audit/service.ts'), `import { x } from 'fastify'`],
  ['PostgreSQL from an effect', 'packages/engine/src/effects/a.ts', `import { x } from '#postgres/x.ts'`],
  ['effects from PostgreSQL', 'packages/engine/src/postgres/a.ts', `import { x } from '#effects/x.ts'`],
  ['anything from the core', 'packages/engine/src/core/a.ts', `import { x } from '@millrace/jq'`],
])('an arrow that is not drawn is found: %s', (_what, path, text) => {
  expect(checkArrows(tree({ [path]: text })).violations).toHaveLength(1)
})

test('arrows that are drawn pass, and tests are free', () => {
  const files = {
    'packages/engine/src/compile/a.ts': `import { x } from '@millrace/jq'\nimport { y } from '#core/y.ts'`,
    'packages/jq/src/a.test.ts': `import fs from 'node:fs'`,
  }
  expect(checkArrows(tree(files))).toEqual({ seen: 1, violations: [] })
})

test('a file outside of every layer is found', () => {
  expect(checkArrows(tree({ 'packages/unheard-of/src/a.ts': '' })).violations).toHaveLength(1)
})

test.each([
  ['a higher tier', 'audit/service.ts', `import { x } from '#modules/workflows/index.ts'`],
  ['its own tier', 'workflows/service.ts', `import { x } from '#modules/executions/index.ts'`],
  ['the inside of another module', 'workflows/service.ts', `import { x } from '#modules/audit/store.ts'`],
  ['the store from a handler', 'audit/handlers.ts', `import { x } from './store.ts'`],
  ['Kysely from a handler', 'audit/handlers.ts', `import { x } from 'kysely'`],
  ['the service from a store', 'audit/store.ts', `import { x } from './service.ts'`],
  ['a module without a tier', 'unheard-of/service.ts', ''],
])('a module that reaches too far is found: %s', (_what, path, text) => {
  expect(checkModules(tree({ [module(path)]: text })).violations).toHaveLength(1)
})

test('a module may import the index of a lower tier', () => {
  const files = { [module('workflows/service.ts')]: `import { x } from '#modules/audit/index.ts'\nimport { y } from './store.ts'` }
  expect(checkModules(tree(files))).toEqual({ seen: 1, violations: [] })
})

test('a file over 400 code lines is found, and a median over 100', () => {
  const long = 'x()\n'.repeat(401)
  expect(checkSizes(tree({ 'packages/jq/src/a.ts': long })).violations).toHaveLength(2)
  expect(checkSizes(tree({ 'packages/jq/src/a.ts': '// A comment.\n'.repeat(401) })).violations).toEqual([])
})

test('comments and blank lines do not count as code', () => {
  expect(countCodeLines('/** Doc.\n * more\n */\n\nconst a = 1 // b\n/* one line */\n  // c\nb()\n')).toBe(2)
})

test('more than twenty imports are found', () => {
  const text = (count: number) => Array.from({ length: count }, (_, index) => `import { a } from './a${index}.ts'`).join('\n')
  expect(checkImportCounts(tree({ 'packages/jq/src/a.ts': text(21) })).violations).toHaveLength(1)
  expect(checkImportCounts(tree({ 'packages/jq/src/a.ts': text(20) })).violations).toEqual([])
})

test('an import that climbs is found', () => {
  expect(checkNoParentImports(tree({ 'packages/jq/src/x/a.ts': `import { b } from '../b.ts'` })).violations).toHaveLength(1)
})

test.each(['const a = process.env.HOME', 'const { env } = process', "import { env } from 'node:process'", "process['env']"])(
  'a second reader of the environment is found: %s',
  (text) => {
    expect(checkEnvironment(tree({ 'packages/cli/src/a.ts': text })).violations).toHaveLength(1)
    expect(checkEnvironment(tree({ 'packages/server/src/config/a.ts': text }))).toEqual({ seen: 1, violations: [] })
  },
)

test('a path that climbs out of the repository is found, and one that stays inside is not', () => {
  const files = {
    'tools/a.ts': `new URL('../docs/a.md', import.meta.url)`,
    'tools/b.ts': `new URL('../../data/b.txt', import.meta.url)`,
  }
  expect(checkInside(tree(files))).toEqual({ seen: 2, violations: ['tools/b.ts names a path outside of the repository'] })
})

test('too little test is found', () => {
  const files = { 'packages/jq/src/a.ts': 'a()\n'.repeat(10), 'packages/jq/src/a.test.ts': 'a()\n' }
  expect(checkTestRatio(tree(files)).violations).toHaveLength(1)
  expect(checkTestRatio(tree({ ...files, 'packages/jq/src/b.test.ts': 'a()\n'.repeat(9) })).violations).toEqual([])
})

test('a client of PostgreSQL that is not the one that hears its errors is found', () => {
  const file = (text: string) =>
    checkDatabaseClients(tree({ 'packages/server/src/platform/db/a.ts': `import pg from 'pg'\n${text}` })).violations
  expect(file('new pg.Client(url)')).toHaveLength(1)
  expect(file('new pg.Pool({ max: 1 })')).toHaveLength(1)
  expect(file('new pg.Pool({ max: 1, ...pooledClient })')).toEqual([])
})

test('an accessor of an object literal is found on the way of an execution, and that of a class is not', () => {
  const literal = 'export function create() {\n  return {\n    a: 1,\n    get b() {\n      return 1\n    },\n  }\n}\n'
  const ofClass = 'class A {\n  #b = 1\n\n  get b(): number {\n    return this.#b\n  }\n\n  get(key: string) {\n    return key\n  }\n}\n'
  const found = (path: string, text: string) => checkNoAccessorsInLiterals(tree({ [path]: text })).violations
  expect(found('packages/engine/src/durable/run/a.ts', literal)).toEqual([
    'packages/engine/src/durable/run/a.ts:4 has an accessor in an object literal',
  ])
  expect(found('packages/engine/src/durable/run/a.ts', ofClass)).toEqual([])
  expect(found('packages/engine/src/schema/a.ts', literal)).toEqual([])
})

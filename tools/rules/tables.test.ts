import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { treeOf } from './source-tree.ts'
import { checkTables, computed, exceptions, tableOwners, tablesIn } from './tables.ts'

test('every table of the schema has an owner', () => {
  const schema = readFileSync(fileURLToPath(new URL('../../packages/server/schema.sql', import.meta.url)), 'utf8')
  const tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, name = '']) => name)
  expect(Object.keys(tableOwners).toSorted()).toEqual(tables.toSorted())
})

test('a table that a file of another module names is found', () => {
  const path = 'packages/server/src/modules/health/store.ts'
  const tree = treeOf(new Map([[path, 'await sql`select count(*) from executions`.execute(db)\n']]))
  expect(checkTables(tree).violations).toContain(`${path} names executions`)
})

test('a file that names tables by values is found', () => {
  const path = 'packages/server/src/modules/health/store.ts'
  const tree = treeOf(new Map([[path, 'await sql`select from ${sql.table(name)}`.execute(db)\n']]))
  expect(checkTables(tree).violations).toContain(`${path} names tables by values`)
})

test('an exception that no file needs is found', () => {
  expect(checkTables(treeOf(new Map())).violations).toHaveLength(exceptions.flatMap(({ tables }) => tables).length + computed.length)
})

test.each([
  ['select 1 from users u join sessions s on true', ['users', 'sessions']],
  ['insert into users values (1)', ['users']],
  ['update users set id = 1', ['users']],
  ['delete from users using sessions', ['users', 'sessions']],
  ["select from ${sql.table('users')}", ['users']],
  ['with users as (select 1) select from users', []],
  ['with recursive users(id) as (select 1) select from users', []],
  ['// reads from users\nselect 1', []],
  ['/** Deleted from users. */', []],
])('tables in %j', (text, tables) => {
  expect(tablesIn(text)).toEqual(tables)
})

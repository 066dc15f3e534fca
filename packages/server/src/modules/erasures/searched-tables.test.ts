import { afterAll, beforeAll, expect, test } from 'vitest'
import { personCategoryName } from '@millrace/contract/person-categories'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { type SearchedTable, searchedTables } from './searched-tables.ts'
import { categoryOf } from './views.ts'

let server: TestServer
let own: readonly SearchedTable[]
let ofOperator: readonly SearchedTable[]
const accountId = '018f0000-0000-7000-8000-000000000001'
beforeAll(async () => {
  server = await createTestServer()
  own = await searchedTables(server.database.system, { accountId, includesForms: false })
  ofOperator = await searchedTables(server.database.system, { accountId, includesForms: true })
})
afterAll(() => server.close())

const namesOf = (tables: readonly SearchedTable[]) => tables.map(({ table }) => table.name)

test('requests from public forms are searched for operators of the installation alone', () => {
  expect(namesOf(ofOperator).filter((name) => !namesOf(own).includes(name))).toEqual(['leads'])
})

test('a table is searched within the account, unless it has none', () => {
  const without = ofOperator.filter((searched) => searched.accountId === undefined)
  expect(namesOf(without)).toEqual(['dev_outbox', 'leads'])
  expect(new Set(own.filter(({ table }) => table.hasAccount).map((searched) => searched.accountId))).toEqual(new Set([accountId]))
})

test('copies that can be made again are not searched', () => {
  expect(namesOf(ofOperator).filter((name) => ['account_exports', 'evidence_packs', 'privacy_reports', 'files'].includes(name))).toEqual([])
})

test('records say when they were made by a column with a time', () => {
  const timeOf = new Map(own.map(({ table }) => [table.name, table.time]))
  expect(timeOf.get('executions')).toBe('created_at')
  expect(timeOf.get('events')).toBe('received_at')
  expect(timeOf.get('approvals')).toBe('opened_at')
  expect(timeOf.get('journal')).toBe('started_at')
  expect(timeOf.get('model_calls')).toBe('at')
  for (const { table } of own) if (table.time !== undefined) expect(table.columns).toContain(table.time)
})

test('what has data of persons, and is no setting, has a name for people in English and in Arabic', () => {
  const data = ofOperator.filter(({ rule }) => rule.kind !== 'keep').map(({ table }) => categoryOf(table.name))
  const rare = new Set(['marketplace ratings', 'marketplace reports', 'readiness assessments', 'workflow publish requests'])
  for (const category of data.filter((each) => !rare.has(each)))
    for (const locale of ['en', 'ar'] as const) expect(personCategoryName(category, locale), category).not.toBe(category)
})

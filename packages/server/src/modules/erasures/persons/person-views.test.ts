import { expect, test } from 'vitest'
import { toTypeId } from '#platform/ids.ts'
import type { FoundPerson } from './find-person.ts'
import { eventRecord } from './person-record.ts'
import { foundView, previewView } from './person-views.ts'

const uuid = (number: number) => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`
const createdAt = new Date('2026-03-01T09:30:15Z')
const fileOf = (number: number) => ({
  id: uuid(number),
  name: `forms/a/${number}.png`,
  writtenBy: 'trigger:1',
  createdAt,
  executionId: undefined,
})

const found = (files: number): FoundPerson => ({
  categories: [
    {
      table: 'audit_events',
      action: 'replace',
      reason: undefined,
      total: 3,
      records: [eventRecord({ id: uuid(1), at: createdAt, event: 'invitation.created', fields: ['details'] })],
    },
    { table: 'data_tables', action: 'keep', reason: 'The name of a table.', total: 1, records: [] },
  ],
  formFiles: Array.from({ length: files }, (_, number) => fileOf(number)),
})

test('a search names some records of each category, and says how many more there are and why they are kept', () => {
  const { categories } = foundView(found(0), 1)
  expect(categories).toMatchObject([
    { category: 'audit events', action: 'replace', reason: null, total: 3, more: 2, records: [{ name: 'invitation.created' }] },
    { category: 'data tables', action: 'keep', reason: 'The name of a table.', total: 1, more: 1, records: [] },
  ])
})

test('files of start forms are a category of their own in a search, bounded like the others', () => {
  const files = foundView(found(5), 2).categories.at(-1)
  expect(files).toMatchObject({ category: 'account files', action: 'delete', total: 5, more: 3 })
  expect(files?.records.map(({ fileId }) => fileId)).toEqual([0, 1].map((number) => toTypeId('file', uuid(number))))
})

test('a preview has the numbers of the search, and names the first 100 files of start forms', () => {
  const { records, files, moreFiles } = previewView(found(103))
  expect(records).toEqual([
    { category: 'audit events', records: 3, action: 'replace' },
    { category: 'data tables', records: 1, action: 'keep' },
  ])
  expect([files.length, moreFiles, previewView(found(3)).moreFiles]).toEqual([100, 3, 0])
})

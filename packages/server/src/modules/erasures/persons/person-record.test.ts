import { expect, test } from 'vitest'
import { toTypeId } from '#platform/ids.ts'
import type { NamedRecord } from '#modules/erasures/record-store.ts'
import { eventRecord, formFileRecord, personRecord } from './person-record.ts'

const uuid = (number: number) => `018f0000-0000-7000-8000-00000000000${number}`
const at = new Date('2026-03-01T09:30:15Z')
const record = (key: readonly string[], owners: NamedRecord['owners'] = {}): NamedRecord => ({
  key,
  at,
  name: null,
  fields: ['input'],
  owners,
})
const column = (name: string) => ({ name, type: 'uuid' })
const nothing = { executionId: null, workflowId: null, approvalId: null, fileId: null, triggerId: null, userId: null }

test.each([
  ['executions', 'exec'],
  ['approvals', 'apr'],
  ['workflows', 'wf'],
  ['events', 'evt'],
  ['webhook_deliveries', 'whd'],
  ['users', 'usr'],
  ['assistant_messages', 'msg'],
] as const)('a record of %s has the id by which the API names it', (name, prefix) => {
  expect(personRecord({ name, key: [column('id')] }, record([uuid(1)])).id).toBe(toTypeId(prefix, uuid(1)))
})

test('a record names the run, the workflow, the approval, the trigger and the user that it belongs to', () => {
  const owners = { execution_id: uuid(1), workflow_id: uuid(2), approval_id: uuid(3), trigger_id: uuid(4), user_id: uuid(5) }
  expect(personRecord({ name: 'approval_answers', key: [column('id')] }, record([uuid(9)], owners))).toEqual({
    ...nothing,
    id: uuid(9),
    at: '2026-03-01T09:30:15.000Z',
    name: null,
    fields: ['input'],
    executionId: toTypeId('exec', uuid(1)),
    workflowId: toTypeId('wf', uuid(2)),
    approvalId: toTypeId('apr', uuid(3)),
    triggerId: toTypeId('trg', uuid(4)),
    userId: toTypeId('usr', uuid(5)),
  })
})

test('a record that belongs to nothing names nothing', () => {
  const owners = { execution_id: null, workflow_id: null }
  expect(personRecord({ name: 'events', key: [column('id')] }, record([uuid(1)], owners))).toMatchObject(nothing)
})

test('a key of several columns is written with the ids that it has', () => {
  const journal = personRecord({ name: 'journal', key: [column('execution_id'), column('seq')] }, record([uuid(1), '4']))
  expect(journal.id).toBe(`${toTypeId('exec', uuid(1))}/4`)
  const row = personRecord(
    { name: 'data_rows', key: [column('account_id'), column('table_name'), column('key')] },
    record([uuid(1), 'contacts', 'ada']),
  )
  expect(row.id).toBe(`${uuid(1)}/contacts/ada`)
})

test('a file is named by its id, and one of a form by the run that it has started', () => {
  const fileId = toTypeId('file', uuid(1))
  expect(personRecord({ name: 'account_files', key: [column('id')] }, record([uuid(1)]))).toMatchObject({ id: fileId, fileId })
  const file = { id: uuid(1), name: 'forms/a/b.png', writtenBy: 'trigger:1', createdAt: at }
  expect(formFileRecord({ ...file, executionId: uuid(2) })).toMatchObject({
    id: fileId,
    fileId,
    name: 'forms/a/b.png',
    at: at.toISOString(),
    executionId: toTypeId('exec', uuid(2)),
  })
  expect(formFileRecord({ ...file, executionId: undefined }).executionId).toBeNull()
})

test('an event of the audit log is named by what happened', () => {
  expect(eventRecord({ id: uuid(1), at, event: 'invitation.created', fields: ['address'] })).toEqual({
    ...nothing,
    id: toTypeId('aud', uuid(1)),
    at: at.toISOString(),
    name: 'invitation.created',
    fields: ['address'],
  })
})

test('a record without a time has none', () => {
  expect(personRecord({ name: 'data_tables', key: [column('name')] }, { ...record(['contacts']), at: null })).toMatchObject({
    id: 'contacts',
    at: null,
  })
})

import { expect, test } from 'vitest'
import { type FoundRecord, placeOf } from './place-of.ts'

const record: FoundRecord = {
  id: 'evt_1',
  at: null,
  name: null,
  fields: ['envelope'],
  executionId: null,
  workflowId: null,
  approvalId: null,
  fileId: null,
  triggerId: null,
  userId: null,
}

test.each([
  ['executions', { id: 'exec_1', executionId: 'exec_1', workflowId: 'wf_1' }, { to: '/runs/exec_1' }],
  ['approvals', { id: 'apr_1', approvalId: 'apr_1', executionId: 'exec_1', workflowId: 'wf_1' }, { to: '/runs/exec_1' }],
  ['agent runs', { id: 'arun_1', workflowId: 'wf_1' }, { to: '/agents/arun_1' }],
  ['assistant conversations', { id: 'conv_1', userId: 'usr_1' }, { to: '/assistant/conv_1' }],
  ['data rows', { id: 'acct_1/my contacts/ada@example.com' }, { to: '/tables/my%20contacts' }],
  ['webhook deliveries', { id: 'whd_1', triggerId: 'trg_1' }, { to: '/triggers/trg_1' }],
  ['workflows', { id: 'wf_1', workflowId: 'wf_1' }, { to: '/workflows/wf_1' }],
  [
    'account files',
    { id: 'file_1', fileId: 'file_1', name: 'a/b.txt', executionId: 'exec_1' },
    { to: '/files', search: { prefix: 'a/b.txt' } },
  ],
  ['events', {}, { to: '/events' }],
  ['invitations', {}, { to: '/settings/team' }],
  ['privacy policies', {}, { to: '/privacy', search: { view: 'policies' } }],
  ['invoices', {}, undefined],
])('a record of %s is opened where people see it', (category, of, place) => {
  expect(placeOf(category, { ...record, ...of })).toEqual(place)
})

import type { Json } from '@millrace/dsl'
import { expect, test } from 'vitest'
import { isCurrent } from './current-findings.ts'

const asking = (approvers: Json, prompt = 'Hello'): Json => ({
  do: [{ ask: { call: 'approve', with: { approvers } } }, { say: { call: 'model', with: { prompt } } }],
})
const approver = { pointer: '/do/0/ask/with/approvers/0' }

test.each([
  ['another part changed', approver, asking(['a@example.com']), asking(['a@example.com'], 'Bye'), true],
  ['its value changed', approver, asking(['a@example.com']), asking(['b@example.com']), false],
  ['its value is gone', approver, asking(['a@example.com']), asking([]), false],
  ['the text cannot be read', approver, asking(['a@example.com']), undefined, true],
  ['it has no place', {}, asking([]), asking(['b@example.com']), true],
])('a finding of the server when %s', (_case, finding, before, now, stays) => {
  expect(isCurrent(finding, before, now)).toBe(stays)
})

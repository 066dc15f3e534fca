import { expect, test } from 'vitest'
import { stepsAhead } from './steps-ahead.ts'

const approval = {
  approvers: ['ada@example.com'],
  escalations: [
    { at: '2026-03-01T08:00:00.000Z', approvers: ['ada@example.com'], notify: ['cem@example.com'] },
    { at: '2026-03-01T10:00:00.000Z', approvers: ['ada@example.com', 'role:admin'], notify: [] },
    { at: '2026-03-01T12:00:00.000Z', approvers: ['role:owner'], notify: ['cem@example.com'] },
  ],
}

test('what is still to come is named by who is added, who decides instead, and who gets a notice', () => {
  expect(stepsAhead(approval, Date.parse('2026-03-01T09:00:00Z'))).toEqual([
    { kind: 'also', at: '2026-03-01T10:00:00.000Z', whom: ['role:admin'] },
    { kind: 'instead', at: '2026-03-01T12:00:00.000Z', whom: ['role:owner'] },
    { kind: 'notice', at: '2026-03-01T12:00:00.000Z', whom: ['cem@example.com'] },
  ])
  expect(stepsAhead(approval, Date.parse('2026-03-01T12:00:00Z'))).toEqual([])
})

test('an approval without an escalation has nothing ahead', () => {
  expect(stepsAhead({ approvers: ['ada@example.com'] }, 0)).toEqual([])
})

import { PassThrough } from 'node:stream'
import type { JsonObject } from '@millrace/engine'
import { describe, expect, test } from 'vitest'
import { createPaint } from '#terminal/paint.ts'
import { describeApproval } from './describe-approval.ts'

const plain = createPaint(new PassThrough())
const least = { title: 'Pay it', approvers: ['ada@example.com'] }
const shown = (args: JsonObject, deadlineInMs?: number, mask = (text: string): string => text): readonly string[] =>
  describeApproval({ ...least, ...args }, deadlineInMs, plain, mask).split('\n')

describe('an approval is described', () => {
  test('by its title, who is asked, and what needs a reason', () => {
    expect(shown({})).toEqual(['? Pay it', '  asked      ada@example.com', '  reason     needed to reject'])
  })

  test.each<[JsonObject, string]>([
    [{ approvers: ['a@b.example', { role: 'admin' }] }, 'a@b.example, role admin'],
    [{ required: 1, veto: true }, 'ada@example.com'],
    [{ required: 2 }, 'ada@example.com; 2 have to approve; here one answer decides'],
    [{ required: 'all', veto: 3 }, 'ada@example.com; all have to approve, 3 have to reject; here one answer decides'],
    [{ veto: false }, 'ada@example.com; a rejection counts when it cannot be approved any more; here one answer decides'],
  ])('with who decides and how many: %j', (args, text) => {
    expect(shown(args)).toContain(`  asked      ${text}`)
  })

  test.each<[string, readonly string[]]>([
    ['both', ['  reason     needed to approve and to reject']],
    ['approve', ['  reason     needed to approve']],
    ['none', []],
  ])('with which decisions need a reason: %s', (reason, rows) => {
    expect(shown({ reason }).filter((row) => row.startsWith('  reason'))).toEqual(rows)
  })

  test.each([
    [undefined, 'then it is rejected'],
    ['reject', 'then it is rejected'],
    ['approve', 'then it is approved'],
    ['fail', 'then the task fails'],
  ])('with what is left of its deadline, and what that decides: %s', (onDeadline, text) => {
    expect(shown(onDeadline === undefined ? {} : { onDeadline }, 7_260_000)).toContain(`  deadline   in 2 h 1 min: ${text}`)
  })

  test('with each step of its escalation', () => {
    const escalation = [
      { after: 'PT4H', approvers: [{ role: 'owner' }] },
      { after: 'P1D', approvers: ['b@example.com'], replace: true, notify: ['c@example.com', 'd@example.com'] },
    ]
    expect(shown({ escalation }).slice(-2)).toEqual([
      '  escalation after 4 h a server asks role owner as well',
      '  escalation after 1 d a server asks b@example.com instead and a server notifies c@example.com, d@example.com',
    ])
  })

  test('with its description, details and form, secrets masked and nothing that steers the terminal', () => {
    const args = { description: 'one\u001b[2J\ntwo', details: { key: 'hunter2' }, form: { type: 'object' }, title: 'Pay\u0007' }
    expect(shown(args, undefined, (text) => text.replaceAll('hunter2', '***'))).toEqual([
      '? Pay\\u0007',
      '  one\\u001b[2J',
      '  two',
      '  details    {"key":"***"}',
      '  asked      ada@example.com',
      '  reason     needed to reject',
      '  form       {"type":"object"}',
    ])
  })
})

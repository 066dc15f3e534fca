import type { JsonObject } from '@millrace/engine'
import { describe, expect, test } from 'vitest'
import { mailKeyOf, nextDueAt, planOf, stageAt } from './approval-plan.ts'

const openedAt = new Date('2026-03-01T12:00:00Z')
const at = (hours: number) => new Date(openedAt.getTime() + hours * 3_600_000)
const plan = (args: JsonObject = {}) => planOf({ arguments: { title: 'Release', approvers: ['ada@example.com'], ...args }, openedAt })
const keys = (asked: readonly { readonly key: string }[]) => asked.map(({ key }) => key)

describe('the default plan', () => {
  test('the default plan needs one approval, allows one veto, wants a reason for rejections, has no deadline, and excludes the starter', () => {
    expect(plan()).toMatchObject({
      required: 1,
      vetoAfter: 1,
      reasonFor: new Set(['reject']),
      deadlineAt: undefined,
      onDeadline: 'reject',
      excludeStarter: true,
      form: undefined,
    })
  })

  test('the default plan has one stage, at the beginning', () => {
    expect(plan().stages).toHaveLength(1)
    expect(plan().stages[0]).toMatchObject({ at: openedAt, notify: [] })
  })
})

describe('a veto', () => {
  test.each([
    [true, 1],
    [false, undefined],
    [1, 1],
    [3, 3],
  ])('of %j is one after %j rejections', (veto, after) => {
    expect(plan({ veto }).vetoAfter).toBe(after)
  })
})

test.each([
  ['reject', ['reject']],
  ['approve', ['approve']],
  ['both', ['approve', 'reject']],
  ['none', []],
])('a reason for %s is needed to %j', (reason, decisions) => {
  expect(plan({ reason }).reasonFor).toEqual(new Set(decisions))
})

describe('approvers', () => {
  test('approvers are addresses, users or roles', () => {
    const approvers = ['Ada <Ada@Example.com>', 'usr_01h455vb4pex5vsknk084sn02q', { role: 'admin' }]
    expect(plan({ approvers }).stages[0].approvers).toMatchObject([
      { key: 'mail:ada@example.com', kind: 'mail', label: 'Ada@Example.com', name: 'Ada' },
      { key: expect.stringMatching(/^user:[0-9a-f-]{36}$/), kind: 'user' },
      { key: 'role:admin', kind: 'role' },
    ])
  })

  test('an approver who is named several times is invited once', () => {
    expect(
      keys(plan({ approvers: ['ada@example.com', 'ADA@example.com', { role: 'admin' }, { role: 'admin' }] }).stages[0].approvers),
    ).toEqual(['mail:ada@example.com', 'role:admin'])
  })

  test('addresses of approvers are compared as at sign-in', () => {
    expect(mailKeyOf(' Ａda@Example.COM ')).toBe('ada@example.com')
  })
})

describe('an escalation', () => {
  const escalation = [
    { after: 'PT4H', approvers: ['eve@example.com'], replace: true },
    { after: 'PT1H', approvers: [{ role: 'admin' }, 'ada@example.com'] },
    { after: 'PT2H', notify: ['Boss <boss@example.com>'] },
  ]

  test('an escalation adds or replaces approvers, in the order of time', () => {
    const { stages: steps } = plan({ escalation })
    expect(steps.map((step) => step.at)).toEqual([at(0), at(1), at(2), at(4)])
    expect(steps.map(({ approvers: asked }) => keys(asked))).toEqual([
      ['mail:ada@example.com'],
      ['mail:ada@example.com', 'role:admin'],
      ['mail:ada@example.com', 'role:admin'],
      ['mail:eve@example.com'],
    ])
  })

  test('an escalation invites only approvers who were not invited before', () => {
    expect(plan({ escalation }).stages.map(({ newApprovers: added }) => keys(added))).toEqual([
      ['mail:ada@example.com'],
      ['role:admin'],
      [],
      ['mail:eve@example.com'],
    ])
  })

  test('an escalation notifies recipients who are no approvers', () => {
    expect(plan({ escalation }).stages[2]?.notify).toEqual([{ name: 'Boss', address: 'boss@example.com' }])
  })

  test('an escalation at or after the deadline never begins', () => {
    expect(plan({ escalation, deadline: 'PT2H' }).stages.map((step) => step.at)).toEqual([at(0), at(1)])
  })

  test('an escalation takes effect at its exact time', () => {
    const given = plan({ escalation })
    expect(stageAt(given, new Date(at(1).getTime() - 1))).toBe(given.stages[0])
    expect(stageAt(given, at(1))).toBe(given.stages[1])
    expect(stageAt(given, at(100))).toBe(given.stages[3])
  })

  test('an escalation does not begin before the approval when clocks differ', () => {
    const given = plan({ escalation })
    expect(stageAt(given, at(-1))).toBe(given.stages[0])
  })
})

describe('the next due time', () => {
  test('the next due time is that of the next stage, then the deadline, then none', () => {
    const given = plan({ escalation: [{ after: 'PT1H', approvers: ['b@example.com'] }], deadline: 'P1D' })
    expect([nextDueAt(given, 0), nextDueAt(given, 1), nextDueAt(given, 2)]).toEqual([at(0), at(1), at(24)])
    expect(nextDueAt(plan(), 1)).toBeUndefined()
  })
})

import type { Role } from '@millrace/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Decision, Choice, Person } from '#modules/approvals/model.ts'
import type { Approver } from '#modules/approvals/approval-plan.ts'
import { approverKeyFor, canStillBeApproved, approverKeysOf, isSamePerson, verdictOf } from './verdict.ts'

const user = (name: string, role: Role): Person => ({ key: `user:${name}`, userId: name, email: `${name}@example.com`, name, role })
const externalPerson = (name: string): Person => ({
  key: `mail:${name}@x.org`,
  userId: undefined,
  email: `${name}@x.org`,
  name,
  role: undefined,
})
const approver = (key: string): Approver => ({ key, kind: key.startsWith('role') ? 'role' : 'mail', label: key, name: undefined })
const approversOf = (...keys: string[]) => ({ approvers: keys.map(approver) })
const decisionOf = (person: Person, choice: Choice, approverKey: string): Decision => ({
  person,
  approverKey,
  choice,
  reason: undefined,
  data: undefined,
  via: 'api',
  mailId: undefined,
  at: new Date(0),
})
const [ada, bob, eve] = [user('ada', 'owner'), user('bob', 'admin'), user('eve', 'viewer')]

describe('the approver key of a person', () => {
  test('a key by name comes before roles, and the strongest role comes first', () => {
    expect(approverKeysOf(bob)).toEqual(['user:bob', 'mail:bob@example.com', 'role:admin', 'role:member', 'role:viewer'])
    expect(approverKeyFor(bob, approversOf('role:admin', 'mail:bob@example.com'), [])).toBe('mail:bob@example.com')
    expect(approverKeyFor(ada, approversOf('role:viewer', 'role:admin'), [])).toBe('role:admin')
  })

  test('a person matches the own role and weaker ones, and no stronger one', () => {
    expect(approverKeyFor(ada, approversOf('role:admin'), [])).toBe('role:admin')
    expect(approverKeyFor(eve, approversOf('role:member'), [])).toBeUndefined()
  })

  test('an external person matches by address only', () => {
    expect(approverKeyFor(externalPerson('zoe'), approversOf('mail:zoe@x.org', 'role:viewer'), [])).toBe('mail:zoe@x.org')
    expect(approverKeyFor(externalPerson('zoe'), approversOf('role:viewer'), [])).toBeUndefined()
  })

  test('a role without an approval comes before one that has one', () => {
    const decisions = [decisionOf(ada, 'approve', 'role:admin')]
    expect(approverKeyFor(bob, approversOf('role:admin', 'role:member'), decisions)).toBe('role:member')
    expect(approverKeyFor(bob, approversOf('role:admin'), decisions)).toBe('role:admin')
  })
})

test('a person from outside who joins the account stays the same person, and two users of one address are two', () => {
  const joined: Person = { ...ada, email: 'Zoe@X.org' }
  expect([isSamePerson(externalPerson('zoe'), joined), isSamePerson(joined, externalPerson('zoe'))]).toEqual([true, true])
  expect(isSamePerson(externalPerson('zoe'), externalPerson('yan'))).toBe(false)
  expect(isSamePerson(joined, { ...bob, email: joined.email })).toBe(false)
  expect(isSamePerson(joined, ada)).toBe(true)
})

describe('an outcome', () => {
  const two = { required: 2, vetoAfter: 1 } as const

  test('an approval has its verdict with the required number of decisions and not before', () => {
    const decisions = [decisionOf(ada, 'approve', 'role:admin'), decisionOf(bob, 'approve', 'role:admin')]
    expect(verdictOf(two, approversOf('role:admin'), decisions.slice(0, 1))).toBeUndefined()
    expect(verdictOf(two, approversOf('role:admin'), decisions)).toBe('approve')
  })

  test('a veto makes the verdict a rejection', () => {
    expect(verdictOf(two, approversOf('role:admin'), [decisionOf(ada, 'reject', 'role:admin')])).toBe('reject')
    expect(verdictOf({ required: 1, vetoAfter: 2 }, approversOf('role:admin'), [decisionOf(ada, 'reject', 'role:admin')])).toBeUndefined()
    expect(
      verdictOf({ required: 1, vetoAfter: undefined }, approversOf('role:admin'), [decisionOf(ada, 'reject', 'role:admin')]),
    ).toBeUndefined()
  })

  test('with all required, every entry needs an approval', () => {
    const all = { required: 'all', vetoAfter: 1 } as const
    const step = approversOf('mail:ada@example.com', 'role:admin')
    const first = decisionOf(ada, 'approve', 'mail:ada@example.com')
    expect(verdictOf(all, step, [first])).toBeUndefined()
    expect(verdictOf(all, step, [first, decisionOf(bob, 'approve', 'role:admin')])).toBe('approve')
  })

  test('with all required, an approval of a person who is named twice counts for both', () => {
    const step = approversOf('user:ada', 'mail:ada@example.com')
    expect(verdictOf({ required: 'all', vetoAfter: 1 }, step, [decisionOf(ada, 'approve', 'user:ada')])).toBe('approve')
  })

  test('the verdict does not depend on the order of the decisions', () => {
    const voters = [ada, bob, eve, externalPerson('zoe'), externalPerson('yan')]
    const votes = fc
      .shuffledSubarray(voters)
      .chain((some) =>
        fc.tuple(...some.map((one) => fc.constantFrom<Choice>('approve', 'reject').map((decision) => decisionOf(one, decision, 'x')))),
      )
    const rules = fc.record({
      required: fc.integer({ min: 1, max: 5 }),
      vetoAfter: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(votes, rules, (decisions, rule) => {
        expect(verdictOf(rule, approversOf('x'), decisions)).toBe(verdictOf(rule, approversOf('x'), decisions.toReversed()))
      }),
    )
  })
})

describe('an approval is within reach', () => {
  test('an approval is possible while enough people remain', () => {
    const decisions = [decisionOf(ada, 'reject', 'role:viewer')]
    expect(canStillBeApproved({ required: 2 }, approversOf('role:viewer'), decisions, [bob, eve])).toBe(true)
    expect(canStillBeApproved({ required: 2 }, approversOf('role:viewer'), decisions, [bob])).toBe(false)
  })

  test('with all required, an approval is possible while a person remains for every approver', () => {
    const step = approversOf('mail:ada@example.com', 'role:admin')
    expect(canStillBeApproved({ required: 'all' }, step, [], [ada, bob])).toBe(true)
    expect(canStillBeApproved({ required: 'all' }, step, [decisionOf(ada, 'reject', 'mail:ada@example.com')], [bob])).toBe(false)
    expect(canStillBeApproved({ required: 'all' }, step, [decisionOf(ada, 'approve', 'mail:ada@example.com')], [bob])).toBe(true)
  })

  test('an approved approval counts as possible', () => {
    const decisions = [decisionOf(ada, 'approve', 'role:admin')]
    expect(canStillBeApproved({ required: 1 }, approversOf('role:admin'), decisions, [])).toBe(true)
  })
})

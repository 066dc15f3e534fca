import type { Role } from '@millrace/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Answer, Decision, Person } from './model.ts'
import type { Asked } from './plan.ts'
import { askedAs, isWithinReach, keysOf, outcomeOf } from './tally.ts'

const user = (name: string, role: Role): Person => ({ key: `user:${name}`, userId: name, email: `${name}@example.com`, name, role })
const outsider = (name: string): Person => ({ key: `mail:${name}@x.org`, userId: undefined, email: `${name}@x.org`, name, role: undefined })
const entry = (key: string): Asked => ({ key, kind: key.startsWith('role') ? 'role' : 'mail', label: key, name: undefined })
const asking = (...keys: string[]) => ({ asked: keys.map(entry) })
const said = (person: Person, decision: Decision, as: string): Answer => ({
  person,
  askedAs: as,
  decision,
  reason: undefined,
  data: undefined,
  via: 'api',
  mailId: undefined,
  at: new Date(0),
})
const [ada, bob, eve] = [user('ada', 'owner'), user('bob', 'admin'), user('eve', 'viewer')]

describe('somebody is asked', () => {
  test('by name before by role, and by the strongest role first', () => {
    expect(keysOf(bob)).toEqual(['user:bob', 'mail:bob@example.com', 'role:admin', 'role:member', 'role:viewer'])
    expect(askedAs(bob, asking('role:admin', 'mail:bob@example.com'), [])).toBe('mail:bob@example.com')
    expect(askedAs(ada, asking('role:viewer', 'role:admin'), [])).toBe('role:admin')
  })

  test('by a role that is theirs or weaker, and by no other', () => {
    expect(askedAs(ada, asking('role:admin'), [])).toBe('role:admin')
    expect(askedAs(eve, asking('role:member'), [])).toBeUndefined()
  })

  test('from outside by address alone', () => {
    expect(askedAs(outsider('zoe'), asking('mail:zoe@x.org', 'role:viewer'), [])).toBe('mail:zoe@x.org')
    expect(askedAs(outsider('zoe'), asking('role:viewer'), [])).toBeUndefined()
  })

  test('for a role for which nobody has approved yet, where there is one', () => {
    const answers = [said(ada, 'approve', 'role:admin')]
    expect(askedAs(bob, asking('role:admin', 'role:member'), answers)).toBe('role:member')
    expect(askedAs(bob, asking('role:admin'), answers)).toBe('role:admin')
  })
})

describe('an outcome', () => {
  const two = { required: 2, vetoAfter: 1 } as const

  test('is there with the required number, and not before', () => {
    const answers = [said(ada, 'approve', 'role:admin'), said(bob, 'approve', 'role:admin')]
    expect(outcomeOf(two, asking('role:admin'), answers.slice(0, 1))).toBeUndefined()
    expect(outcomeOf(two, asking('role:admin'), answers)).toBe('approve')
  })

  test('is a rejection with the veto', () => {
    expect(outcomeOf(two, asking('role:admin'), [said(ada, 'reject', 'role:admin')])).toBe('reject')
    expect(outcomeOf({ required: 1, vetoAfter: 2 }, asking('role:admin'), [said(ada, 'reject', 'role:admin')])).toBeUndefined()
    expect(outcomeOf({ required: 1, vetoAfter: undefined }, asking('role:admin'), [said(ada, 'reject', 'role:admin')])).toBeUndefined()
  })

  test('of all needs an approval for every entry', () => {
    const all = { required: 'all', vetoAfter: 1 } as const
    const step = asking('mail:ada@example.com', 'role:admin')
    const first = said(ada, 'approve', 'mail:ada@example.com')
    expect(outcomeOf(all, step, [first])).toBeUndefined()
    expect(outcomeOf(all, step, [first, said(bob, 'approve', 'role:admin')])).toBe('approve')
  })

  test('of all counts somebody who is named twice for both', () => {
    const step = asking('user:ada', 'mail:ada@example.com')
    expect(outcomeOf({ required: 'all', vetoAfter: 1 }, step, [said(ada, 'approve', 'user:ada')])).toBe('approve')
  })

  test('never depends on the order of the answers', () => {
    const voters = [ada, bob, eve, outsider('zoe'), outsider('yan')]
    const votes = fc
      .shuffledSubarray(voters)
      .chain((some) =>
        fc.tuple(...some.map((one) => fc.constantFrom<Decision>('approve', 'reject').map((decision) => said(one, decision, 'x')))),
      )
    const rules = fc.record({
      required: fc.integer({ min: 1, max: 5 }),
      vetoAfter: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(votes, rules, (answers, rule) => {
        expect(outcomeOf(rule, asking('x'), answers)).toBe(outcomeOf(rule, asking('x'), answers.toReversed()))
      }),
    )
  })
})

describe('an approval is within reach', () => {
  test('while enough people are left', () => {
    const answers = [said(ada, 'reject', 'role:viewer')]
    expect(isWithinReach({ required: 2 }, asking('role:viewer'), answers, [bob, eve])).toBe(true)
    expect(isWithinReach({ required: 2 }, asking('role:viewer'), answers, [bob])).toBe(false)
  })

  test('of all while somebody is left for every entry', () => {
    const step = asking('mail:ada@example.com', 'role:admin')
    expect(isWithinReach({ required: 'all' }, step, [], [ada, bob])).toBe(true)
    expect(isWithinReach({ required: 'all' }, step, [said(ada, 'reject', 'mail:ada@example.com')], [bob])).toBe(false)
    expect(isWithinReach({ required: 'all' }, step, [said(ada, 'approve', 'mail:ada@example.com')], [bob])).toBe(true)
  })

  test('whenever it is one', () => {
    const answers = [said(ada, 'approve', 'role:admin')]
    expect(isWithinReach({ required: 1 }, asking('role:admin'), answers, [])).toBe(true)
  })
})

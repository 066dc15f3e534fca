import type { Role } from '@millrace/contract/roles'
import { expect, test } from 'vitest'
import { candidates, firstReplaced } from './candidates.ts'

const person = (name: string, role: Role) => ({ id: `usr_${name}`, email: `${name}@example.com`, role })
const people = [...['me', 'lee', 'kim'].map((name) => person(name, 'member')), person('audit', 'auditor')]
const ids = (from: string, decided: readonly string[] = []) =>
  candidates(people, { answers: decided.map((user) => ({ user })) }, from, 'usr_me').map(({ id }) => id)

test('who asks another person to decide is not offered in place of an approver who may still decide, nor is that approver', () => {
  expect(ids('usr_lee')).toEqual(['usr_kim'])
  expect(ids('lee@example.com')).toEqual(['usr_kim'])
  expect(ids('role:admin')).toEqual(['usr_lee', 'usr_kim'])
})

test('everyone who has not decided, but no auditor, is offered in place of those who cannot decide any more', () => {
  expect(ids('')).toEqual(['usr_me', 'usr_lee', 'usr_kim'])
  expect(ids('', ['usr_kim'])).toEqual(['usr_me', 'usr_lee'])
})

test('the form begins with those who cannot decide any more only where a user was removed', () => {
  expect(firstReplaced(people, ['role:admin', 'usr_lee'])).toBe('role:admin')
  expect(firstReplaced(people, ['usr_lee', 'usr_gone'])).toBe('')
})

import { expect, test } from 'vitest'
import { ar } from '#src/messages/ar/index.ts'
import { en } from '#src/messages/en/index.ts'
import { fieldWords } from './field-words.ts'

test('a field of an approval is named as its form names it, and entries of lists by their numbers', () => {
  const named = (...keys: string[]) => fieldWords(en, true, keys)
  expect(named('approvers', '0')).toBe('Approver 1')
  expect(named('escalation', '0', 'approvers', '1')).toBe('Escalation 1, approver 2')
  expect(named('escalation', '1', 'notify', '0')).toBe('Escalation 2, notice 1')
  expect(named('excludeStarter')).toBe('Who starts the workflow')
  expect(named('required')).toBe('How many must approve')
  expect(fieldWords(ar, true, ['escalation', '0', 'approvers', '1'])).toBe('التصعيد 1، الموافق 2')
})

test('a field of another step is named by its label or its readable name', () => {
  expect(fieldWords(en, false, ['to', '1'])).toMatch(/ 2$/)
  expect(fieldWords(en, false, ['costCentre'])).toBe('Cost centre')
})

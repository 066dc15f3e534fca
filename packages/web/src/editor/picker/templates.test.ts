import { expect, test } from 'vitest'
import { findTemplates, stepTemplates } from '#src/editor/picker/templates.ts'
import { ar } from '#src/messages/ar/index.ts'
import { en } from '#src/messages/en/index.ts'

test.each([
  ['http', 'http'],
  ['if', 'switch'],
  ['every item', 'for'],
  ['loop', 'for'],
  ['sleep', 'wait'],
  ['appr', 'approve'],
  ['llm', 'model'],
  ['goal', 'agent'],
  ['parallel', 'fork'],
  ['e-mail', 'email'],
  ['E-Mail', 'email'],
  ['email', 'email'],
  ['filter', 'set'],
  ['keep', 'set'],
  ['sum', 'set'],
  ['chat', 'http'],
  ['row', 'tables.add'],
  ['put a row in a table', 'tables.add'],
  ['save a row', 'tables.add'],
  ['write a row into a table', 'tables.put'],
  ['every day', undefined],
])('a search for "%s" finds %s first', (query, key) => {
  expect(findTemplates(query, en.steps)[0]?.key).toBe(key)
})

test('a search in Arabic finds the kind by its Arabic title', () => {
  expect(findTemplates('حلقة', ar.steps)[0]?.key).toBe('for')
})

test('a search in Arabic finds the kind by other words, Arabic and English', () => {
  expect(['تصفية', 'filter'].map((query) => findTemplates(query, ar.steps)[0]?.key)).toEqual(['set', 'set'])
})

test('every kind of step has a title in both languages', () => {
  for (const { key } of stepTemplates) expect([en.steps[key]?.[0], ar.steps[key]?.[0]]).not.toContain(undefined)
})

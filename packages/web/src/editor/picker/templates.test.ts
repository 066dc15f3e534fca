import { expect, test } from 'vitest'
import { findTemplates, stepTemplates } from '#src/editor/picker/templates.ts'
import { ar } from '#src/messages/ar/index.ts'
import { en } from '#src/messages/en/index.ts'

test.each([
  ['http', 'http'],
  ['if', 'switch'],
  ['every item', undefined],
  ['loop', 'for'],
  ['sleep', 'wait'],
  ['appr', 'approve'],
  ['llm', 'model'],
  ['goal', 'agent'],
  ['parallel', 'fork'],
])('a search for "%s" finds %s first', (query, key) => {
  expect(findTemplates(query, en.steps)[0]?.key).toBe(key)
})

test('a search in Arabic finds the kind by its Arabic title', () => {
  expect(findTemplates('حلقة', ar.steps)[0]?.key).toBe('for')
})

test('every kind of step has a title in both languages', () => {
  for (const { key } of stepTemplates) expect([en.steps[key]?.[0], ar.steps[key]?.[0]]).not.toContain(undefined)
})

import { expect, test } from 'vitest'
import { renameDocument } from './rename-document.ts'

const text = (name: string) => `document:\n  name: ${name} # kept\n  version: '1.0.0'\ndo: []\n`

test.each([
  ['plain', text('abc'), text('"new"')],
  ['in quotes', text("'abc'"), text('"new"')],
  ['in JSON', '{"document":{"name":"abc"}}', '{"document":{"name":"new"}}'],
  ['behind a byte order mark', `\uFEFF${text('abc')}`, `\uFEFF${text('"new"')}`],
])('a document name is replaced alone: %s', (_how, before, after) => {
  expect(renameDocument(before, 'new')).toBe(after)
  expect(renameDocument(before, 'new', 'abc')).toBe(after)
})

test.each([
  ['of another name', text('abc'), 'other'],
  ['without a name', 'do: []', undefined],
])('a text %s is not renamed', (_what, before, from) => {
  expect(renameDocument(before, 'new', from)).toBeUndefined()
})

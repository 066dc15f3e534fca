import { expect, test } from 'vitest'
import { chosenOptions } from './chosen-options.ts'

const form = {
  type: 'object',
  properties: {
    choice: { enum: ['customer', 'warehouse'] },
    stars: { type: 'integer', enum: [1, 2, 3] },
    note: { type: 'string' },
    tags: { type: 'array', items: { enum: ['new', 'old'] } },
  },
}

test('the chosen options of a form are kept, and nothing that was written freely', () => {
  const data = { choice: 'warehouse', stars: 2, note: 'Ada lives in Bonn.', tags: ['new'], other: 'x' }
  expect(chosenOptions(form, data)).toEqual({ choice: 'warehouse', stars: 2 })
})

test.each([
  ['no form', undefined, { choice: 'warehouse' }],
  ['no data', form, undefined],
  ['data that are no object', form, ['warehouse']],
  ['a form without properties', { type: 'object' }, { choice: 'warehouse' }],
  ['an option that is no text or number', { properties: { choice: { enum: [{ a: 1 }] } } }, { choice: { a: 1 } }],
  ['an option of more than 100 characters', { properties: { choice: { enum: ['x'.repeat(101)] } } }, { choice: 'x'.repeat(101) }],
])('nothing is kept with %s', (_, given, data) => {
  expect(chosenOptions(given, data)).toEqual({})
})

test('at most ten are kept', () => {
  const names = Array.from({ length: 12 }, (_, index) => `option${index}`)
  const properties = Object.fromEntries(names.map((name) => [name, { enum: [name] }]))
  expect(Object.keys(chosenOptions({ properties }, Object.fromEntries(names.map((name) => [name, name]))))).toEqual(names.slice(0, 10))
})

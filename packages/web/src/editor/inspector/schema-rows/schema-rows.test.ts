import { describe, expect, test } from 'vitest'
import { askedForm, changedRow, returnedForm, schemaOf, schemaRows, withRow } from '#src/editor/inspector/schema-rows/schema-rows.ts'

const form = {
  type: 'object',
  required: ['choice'],
  properties: { choice: { enum: ['customer', 'scrap'], title: 'Where to' }, cost: { type: 'number' } },
}

describe('the form of an approval', () => {
  test('is rows, each of which makes the schema that it was read from', () => {
    const fields = schemaRows(form, askedForm)
    expect(fields).toEqual([
      { name: 'choice', text: 'Where to', kind: 'choice', choices: ['customer', 'scrap'], required: true },
      { name: 'cost', text: '', kind: 'number', choices: [], required: false },
    ])
    expect(fields?.map((field) => schemaOf(field, askedForm))).toEqual(Object.values(form.properties))
  })

  test.each([
    ['a nested object', { type: 'object', properties: { a: { type: 'object' } } }],
    ['a limit', { type: 'object', properties: { a: { type: 'string', maxLength: 5 } } }],
    ['choices that are no texts', { type: 'object', properties: { a: { enum: [1, 'b'] } } }],
    ['a condition', { type: 'object', if: {} }],
    ['an expression', '${ .form }'],
  ])('is text where rows would lose %s', (_what, schema) => {
    expect(schemaRows(schema, askedForm)).toBeUndefined()
  })

  test('keeps its other fields when one is added, renamed, needed or removed', () => {
    const added = withRow(form, { name: 'note', text: '', kind: 'text', choices: [], required: false }, askedForm)
    expect(added).toMatchObject({ required: ['choice'], properties: { choice: form.properties.choice, note: { type: 'string' } } })
    expect(changedRow(form, 'choice', { name: 'target' })).toEqual({
      type: 'object',
      required: ['target'],
      properties: { target: form.properties.choice, cost: { type: 'number' } },
    })
    expect(changedRow(form, 'choice', { required: false })).toEqual({ type: 'object', properties: form.properties })
    expect(changedRow(changedRow(form, 'choice', undefined), 'cost', undefined)).toBeUndefined()
  })
})

describe('what a model returns', () => {
  const schema = {
    type: 'object',
    required: ['kind'],
    properties: {
      kind: { enum: ['damaged', 'late'], description: 'What went wrong.' },
      words: { type: 'array', items: { type: 'string' } },
      on: { type: 'string', format: 'date' },
    },
  }

  test('is rows with lists and descriptions', () => {
    const rows = schemaRows(schema, returnedForm)
    expect(rows?.map(({ kind, text, required }) => [kind, text, required])).toEqual([
      ['choice', 'What went wrong.', true],
      ['texts', '', false],
      ['date', '', false],
    ])
    expect(rows?.map((row) => schemaOf(row, returnedForm))).toEqual(Object.values(schema.properties))
  })

  test.each([
    ['a list of objects', { type: 'array', items: { type: 'object' } }],
    ['a list without items', { type: 'array' }],
    ['a title', { type: 'string', title: 'Kind' }],
    ['a list of choices', { type: 'array', items: { type: 'string' }, enum: [[]] }],
  ])('is text where rows would lose %s', (_what, member) => {
    expect(schemaRows({ type: 'object', properties: { member } }, returnedForm)).toBeUndefined()
  })
})

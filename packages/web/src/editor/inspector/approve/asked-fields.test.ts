import { describe, expect, test } from 'vitest'
import { askedFields, changedField, schemaOf, withField } from '#src/editor/inspector/approve/asked-fields.ts'
import { isoDuration, plainDuration } from '#src/editor/inspector/approve/plain-duration.ts'

const form = {
  type: 'object',
  required: ['choice'],
  properties: { choice: { enum: ['customer', 'scrap'], title: 'Where to' }, cost: { type: 'number' } },
}

describe('the form of an approval', () => {
  test('is rows, each of which makes the schema that it was read from', () => {
    const fields = askedFields(form)
    expect(fields).toEqual([
      { name: 'choice', title: 'Where to', kind: 'choice', choices: ['customer', 'scrap'], required: true },
      { name: 'cost', title: '', kind: 'number', choices: [], required: false },
    ])
    expect(fields?.map(schemaOf)).toEqual(Object.values(form.properties))
  })

  test.each([
    ['a nested object', { type: 'object', properties: { a: { type: 'object' } } }],
    ['a limit', { type: 'object', properties: { a: { type: 'string', maxLength: 5 } } }],
    ['choices that are no texts', { type: 'object', properties: { a: { enum: [1, 'b'] } } }],
    ['a condition', { type: 'object', if: {} }],
    ['an expression', '${ .form }'],
  ])('is text where rows would lose %s', (_what, schema) => {
    expect(askedFields(schema)).toBeUndefined()
  })

  test('keeps its other fields when one is added, renamed, needed or removed', () => {
    const added = withField(form, { name: 'note', title: '', kind: 'text', choices: [], required: false })
    expect(added).toMatchObject({ required: ['choice'], properties: { choice: form.properties.choice, note: { type: 'string' } } })
    expect(changedField(form, 'choice', { name: 'target' })).toEqual({
      type: 'object',
      required: ['target'],
      properties: { target: form.properties.choice, cost: { type: 'number' } },
    })
    expect(changedField(form, 'choice', { required: false })).toEqual({ type: 'object', properties: form.properties })
    expect(changedField(changedField(form, 'choice', undefined), 'cost', undefined)).toBeUndefined()
  })
})

test.each(['PT45M', 'PT36H', 'P3D', 'P2W'])('the time limit %s is a number and a unit, and is written as it was', (text) => {
  const plain = plainDuration(text)
  expect(plain === undefined ? undefined : isoDuration(plain)).toBe(text)
})

test.each(['P1DT12H', 'PT30S', '${ .limit }', 'P', ''])('the time limit "%s" is edited as a text', (text) => {
  expect(plainDuration(text)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { fieldsOfSchema, readFields, shownOf, withoutField } from '#src/forms/schema-fields.ts'
import { exampleOf } from '#src/values/schema-example.ts'
import { loadMessages } from '#src/messages/messages.ts'

await loadMessages()

const schema = {
  type: 'object',
  required: ['name', 'size', 'urgent'],
  properties: {
    name: { type: 'string', minLength: 2, title: 'Customer', description: 'Who orders.' },
    size: { enum: ['small', 'large'] },
    floor: { enum: [1, 2, null] },
    urgent: { type: 'boolean' },
    gift: { type: 'boolean' },
    count: { type: 'integer', minimum: 1, default: 3 },
    due: { type: ['string', 'null'], format: 'date' },
    at: { type: 'string', format: 'date-time' },
    key: { type: 'string', writeOnly: true },
    lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
    any: {},
    mail: { type: 'string', format: 'email' },
  },
}
const fields = fieldsOfSchema(schema)

test('each member of a schema has the field of its type, the needed ones are marked', () => {
  expect(fields.map(({ name, kind, required }) => `${name}: ${kind}${required ? ' *' : ''}`)).toEqual([
    'name: text *',
    'size: select *',
    'floor: select',
    'urgent: switch *',
    'gift: select',
    'count: number',
    'due: day',
    'at: date',
    'key: password',
    'lines: code',
    'any: code',
    'mail: email',
  ])
  expect(fields[0]).toMatchObject({ label: 'Customer', hint: 'Who orders.' })
  expect(fields.find(({ name }) => name === 'lines')?.placeholder).toBe('[{"sku":"string"}]')
})

test('a value that is shown in the fields is read from them as it was', () => {
  const at = '2026-03-02T09:30:00.000Z'
  const value = {
    name: 'Ada',
    size: 'large',
    floor: 2,
    urgent: true,
    gift: false,
    count: 7,
    due: '2026-03-02',
    at,
    key: 'k',
    lines: [{ sku: 'a' }],
    any: 'text',
    mail: 'ada@example.com',
  }
  expect(readFields(fields, shownOf(fields, value))).toEqual({ value, problems: {} })
})

test('empty fields are left out, defaults are filled in, and what is needed is named', () => {
  const { value, problems } = readFields(fields, shownOf(fields, {}))
  expect(value).toEqual({ urgent: false, count: 3 })
  expect(Object.keys(problems)).toEqual(['name', 'size'])
})

test.each([
  ['name', 'A', 'at least 2'],
  ['count', '1.5', 'whole number'],
  ['count', '0', '1 or more'],
  ['lines', '{}', 'list'],
  ['lines', '[', 'not JSON'],
  ['mail', 'joerg@example', 'name@example.com'],
  ['due', '0026-08-03', '1900'],
  ['at', '0026-08-03T10:00', '1900'],
])('what is wrong with %s = %s is said at the field', (name, text, words) => {
  const { problems } = readFields(fields, { ...shownOf(fields, { name: 'Ada', size: 'small' }), [name]: text })
  expect(Object.keys(problems)).toEqual([name])
  expect(problems[name]).toContain(words)
})

test('the example of a schema is its first one, else its default', () => {
  expect(exampleOf({ examples: [{ a: 1 }], default: {} })).toEqual({ a: 1 })
  expect(exampleOf({ default: { b: 1 } })).toEqual({ b: 1 })
  expect(exampleOf(undefined)).toBeUndefined()
})

test('what has no field is left over, so that a form which changes a value can keep it', () => {
  expect(withoutField(fields, { name: 'Ada', more: { a: 1 }, other: null })).toEqual({ more: { a: 1 }, other: null })
  expect([withoutField(fields, null), withoutField(fields, [1])]).toEqual([{}, {}])
})

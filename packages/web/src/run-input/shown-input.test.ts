import { describe, expect, test } from 'vitest'
import { fieldsOfSchema } from '#src/forms/schema-fields.ts'
import { loadMessages } from '#src/messages/messages.ts'
import { inputIn, reshaped, shownAs, withoutDefaults } from '#src/run-input/shown-input.ts'

await loadMessages()

const schema = {
  type: 'object',
  required: ['order', 'express'],
  properties: {
    order: { type: 'string' },
    express: { type: 'boolean' },
    level: { enum: ['low', 'high'] },
    count: { type: 'integer', default: 3 },
    at: { type: 'string', format: 'date-time' },
    paper: { type: 'string', format: 'file' },
    key: { type: 'string', writeOnly: true },
    lines: { type: 'array' },
    news: { type: 'boolean', default: true },
  },
}
const fields = withoutDefaults(fieldsOfSchema(schema))

/** What no field shows as it is: another type, a value that cannot be chosen, seconds and a zone, null. */
const odd = {
  ref: 7,
  order: 12,
  more: { deep: [1] },
  express: 'yes',
  level: 'middle',
  at: '2026-11-23T10:00:07.123+03:00',
  paper: 'runs/1/bill.pdf',
  key: 'k-1',
  lines: null,
}

describe('an input that was filled in', () => {
  test('stays as it is while nothing is changed, with members that no field shows, in its order', () => {
    expect(JSON.stringify(inputIn(fields, shownAs(fields, odd, false)))).toBe(JSON.stringify({ input: odd, problems: {} }))
  })

  test('changes in the changed field alone', () => {
    const shown = shownAs(fields, odd, false)
    const values = { ...shown.values, level: '"high"', paper: '' }
    const { paper: _paper, ...rest } = odd
    expect(inputIn(fields, { ...shown, values })).toEqual({ input: { ...rest, level: 'high' }, problems: {} })
    expect(inputIn(fields, { ...shown, values: { ...values, count: 'many' } }).problems).toHaveProperty('count')
  })

  test('lacks what it lacked, but for a field that is needed', () => {
    expect(inputIn(fields, shownAs(fields, { order: 'a', express: true }, false))).toEqual({
      input: { order: 'a', express: true },
      problems: {},
    })
    expect(inputIn(fields, shownAs(fields, {}, false)).problems).toHaveProperty('order')
  })

  test('gets the defaults of the schema where a run is started anew', () => {
    const anew = fieldsOfSchema(schema)
    expect(inputIn(anew, shownAs(anew, { order: 'a' }, false)).input).toEqual({ order: 'a', express: false, count: 3, news: true })
  })
})

test('an input that is no object is shown as JSON, and so is one that is edited as such', () => {
  expect(shownAs(fields, [1], false).text).toBe('[\n  1\n]')
  const shown = shownAs(fields, odd, true)
  expect(inputIn(fields, shown).input).toEqual(odd)
  expect(inputIn(fields, { ...shown, text: '{' }).problems).toHaveProperty('input')
})

test('the fields of another schema show what was typed, also what is wrong, and lose nothing', () => {
  const after = withoutDefaults(
    fieldsOfSchema({ properties: { order: { type: 'string' }, count: { type: 'integer' }, ref: { type: 'number' } } }),
  )
  const shown = shownAs(fields, odd, false)
  const next = reshaped(fields, after, { ...shown, values: { ...shown.values, order: 'b', count: 'x' } })
  expect(next.values).toEqual({ order: 'b', count: 'x', ref: '7' })
  expect(inputIn(after, { ...next, values: { ...next.values, count: '4' } })).toEqual({
    input: { ...odd, order: 'b', count: 4 },
    problems: {},
  })
  expect(reshaped(fields, [], shown).text).toBe(JSON.stringify(odd, undefined, 2))
})

import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseValue } from './parse-value.ts'

const Order = z.strictObject({
  name: z.string().min(1).max(5),
  count: z.int().min(1).max(9).optional(),
  state: z.enum(['open', 'closed', 'paid']).optional(),
  mail: z.email().optional(),
  at: z.iso.datetime().optional(),
  code: z
    .string()
    .regex(/^[A-Z]{2}$/, { error: 'Must be a country code.' })
    .optional(),
  tags: z.array(z.string()).min(1).max(2).optional(),
  key: z.string().startsWith('mk_').optional(),
  target: z.union([z.strictObject({ url: z.string() }), z.strictObject({ id: z.int() }), z.string()]).optional(),
  to: z.union([z.union([z.email(), z.string().startsWith('+')]), z.array(z.number())]).optional(),
  by: z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('mail') }), z.strictObject({ kind: z.literal('file') })]).optional(),
  input: z.json().optional(),
  zone: z.enum([...'abcdefghijkl', 'Europe/Berlin']).optional(),
})

test.each([
  [null, '', 'Must be an object, not null.'],
  [{}, '/name', 'Is required.'],
  [{ name: 7 }, '/name', 'Must be text, not a number.'],
  [{ name: '' }, '/name', 'Must not be empty.'],
  [{ name: 'longer' }, '/name', 'Must have at most 5 characters.'],
  [{ name: 'a', count: '3' }, '/count', 'Must be a number, not text.'],
  [{ name: 'a', count: 2.5 }, '/count', 'Must be a whole number.'],
  [{ name: 'a', count: 0 }, '/count', 'Must be at least 1.'],
  [{ name: 'a', count: 10 }, '/count', 'Must be at most 9.'],
  [{ name: 'a', state: 'done' }, '/state', 'Must be "open", "closed" or "paid".'],
  [{ name: 'a', zone: 'Europ/Berlin' }, '/zone', '"Europ/Berlin" is not known here. Did you mean "Europe/Berlin"?'],
  [{ name: 'a', zone: 'Mars' }, '/zone', '"Mars" is not known here; possible are a, b, c, d, e, f, g, h, i, j, k, l, Europe/Berlin.'],
  [{ name: 'a', mail: 'x@' }, '/mail', 'Must be an e-mail address, such as name@example.com.'],
  [{ name: 'a', at: 'today' }, '/at', 'Must be a time with its zone as in RFC 3339, such as 2026-03-01T12:00:00Z.'],
  [{ name: 'a', code: 'x' }, '/code', 'Must be a country code.'],
  [{ name: 'a', tags: [] }, '/tags', 'Must not be empty.'],
  [{ name: 'a', tags: ['b', 3] }, '/tags/1', 'Must be text, not a number.'],
  [{ name: 'a', tags: ['b', 'c', 'd'] }, '/tags', 'Must have at most 2 items.'],
  [{ name: 'a', key: 'sk' }, '/key', 'Must begin with "mk_".'],
  [{ name: 'a', target: { id: 'x' } }, '/target/id', 'Must be a number, not text.'],
  [{ name: 'a', target: 5 }, '/target', 'Must be an object or text, not a number.'],
  [{ name: 'a', target: null }, '/target', 'Must be an object or text, not null.'],
  [{ name: 'a', to: 'x' }, '/to', 'Must be an e-mail address, such as name@example.com. Or: Must begin with "+".'],
  [{ name: 'a', to: 5 }, '/to', 'Must be text or a list, not a number.'],
  [{ name: 'a', by: { kind: 'cart' } }, '/by/kind', 'Must be "mail" or "file".'],
  [{ name: 'a', by: {} }, '/by/kind', 'Must be "mail" or "file".'],
  [{ name: 'a', to: ['x'] }, '/to/0', 'Must be a number, not text.'],
  [{ name: 'a', 'cust/omer': 5 }, '/cust~1omer', 'Is not known here. Put values for the workflow below "input".'],
])('%j: %s %s', (value, pointer, detail) => {
  expect(parseValue(Order, value).errors).toContainEqual({ pointer, detail })
})

test('an unknown member is refused with the one that was probably meant, or the possible ones, at any depth', () => {
  const Schedule = z.strictObject({ cron: z.string(), timeZone: z.string().optional() })
  const Body = z.strictObject({
    id: z.int(),
    name: z.string().optional(),
    schedule: z.union([Schedule, z.strictObject({ at: z.string() })]).optional(),
    rows: z.array(Schedule.nullable()).default([]),
  })
  const refused = (value: object) => parseValue(Body, { id: 1, ...value }).errors
  expect(refused({ colour: 'a' })).toEqual([{ pointer: '/colour', detail: 'Is not known here; possible are id, name, schedule, rows.' }])
  expect(refused({ schedule: { cron: '0 8 * * *', time_zone: 'UTC' } })).toEqual([
    { pointer: '/schedule/time_zone', detail: 'Is not known here. Did you mean "timeZone"?' },
  ])
  expect(refused({ rows: [{ cron: '0 8 * * *', zone: 'UTC' }] })).toEqual([
    { pointer: '/rows/0/zone', detail: 'Is not known here; possible are cron, timeZone.' },
  ])
})

test('a valid value is returned as its schema reads it', () => {
  expect(parseValue(z.object({ at: z.string().trim() }), { at: ' x ' })).toEqual({ data: { at: 'x' } })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await createTestDatabase()
})

afterAll(async () => {
  await db.drop()
})

async function read(expression: string): Promise<unknown> {
  const result = await sql<{ readonly value: unknown }>`select ${sql.raw(expression)} as value`.execute(db.database.system)
  return result.rows[0]?.value
}

test.each([
  ['json comes back as the text that was stored', `'{"b": 1.0,  "a": "\\u0000"}'::json`, '{"b": 1.0,  "a": "\\u0000"}'],
  ['jsonb comes back parsed', `'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
  ['timestamptz is a Date', `'2026-01-02T03:04:05.678+02'::timestamptz`, new Date('2026-01-02T01:04:05.678Z')],
  ['int8 is a number', '9007199254740991::int8', Number.MAX_SAFE_INTEGER],
  ['numeric stays exact', '1234567890.12345678901234567890::numeric', '1234567890.12345678901234567890'],
  ['a date has no time zone to be moved by', `'2026-03-29'::date`, '2026-03-29'],
  ['an interval is text', `'1 day 02:03:04'::interval`, '1 day 02:03:04'],
  ['text[] is an array', `array['a', 'b']`, ['a', 'b']],
])('%s', async (_guarantee, expression, value) => {
  expect(await read(expression)).toEqual(value)
})

test('an int8 beyond the safe integers is an error and not a rounded number', async () => {
  await expect(read('9007199254740993::int8')).rejects.toThrow('does not fit')
})

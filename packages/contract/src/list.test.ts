import { expect, test } from 'vitest'
import * as z from 'zod'
import { listQuery } from './list.ts'

const query = z.strictObject(listQuery)

test('a page has 25 entries unless the query asks for 1 to 100', () => {
  expect(query.parse({})).toEqual({ limit: 25 })
  expect(query.parse({ limit: '1' })).toEqual({ limit: 1 })
  expect(query.parse({ limit: '100' })).toEqual({ limit: 100 })
})

test.each(['0', '101', '-1', '1.5', '', 'ten', 'NaN', 'Infinity', '1e99'])('limit=%s is refused', (limit) => {
  expect(query.safeParse({ limit }).success).toBe(false)
})

test('a limit that is given twice is refused', () => {
  expect(query.safeParse({ limit: ['1', '2'] }).success).toBe(false)
})

import { expect, test } from 'vitest'
import { unlikelyValue } from './form-values.ts'

test.each([
  [{ format: 'email' }, 'ada@example.com', undefined],
  [{ format: 'email' }, 'joerg@example', 'email'],
  [{ format: 'email' }, 'joerg@example.', 'email'],
  [{ format: 'email' }, 'example.com', undefined],
  [{ format: 'email', pattern: '@intranet$' }, 'joerg@intranet', undefined],
  [{ format: 'date' }, '2026-08-03', undefined],
  [{ format: 'date' }, '1900-01-01', undefined],
  [{ format: 'date' }, '0026-08-03', 'year'],
  [{ format: 'date' }, '2201-01-01', 'year'],
  [{ format: 'date', pattern: '^0' }, '0026-08-03', undefined],
  [{ format: 'date' }, 'soon', undefined],
  [{ format: 'date-time' }, '0026-08-03T10:00:00Z', 'year'],
  [{ format: 'date-time' }, '+020260-08-03T10:00:00Z', 'year'],
  [{}, '0026-08-03', undefined],
  [{ format: 'email' }, 7, undefined],
])('of a member with %j the value %j is unlikely by its %s', (schema, value, reason) => {
  expect(unlikelyValue(schema, value)).toBe(reason)
})

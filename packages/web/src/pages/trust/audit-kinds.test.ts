import { expect, test } from 'vitest'
import { auditKinds, eventOf } from './audit-kinds.ts'

test.each([
  [{}, {}],
  [{ kind: 'approvals' }, { event: 'approval.*' }],
  [{ kind: 'unknown' }, {}],
  [{ event: 'session' }, { event: 'session*' }],
  [{ event: 'session.*' }, { event: 'session.*' }],
  [{ event: 'session.opened,mfa.*' }, { event: 'session.opened,mfa.*' }],
  [{ kind: 'data', event: 'session' }, { event: 'file.*,table.*' }],
])('the address %j asks for %j', (address, asked) => {
  expect(eventOf(address)).toEqual(asked)
})

test('a kind has no more events than one request may name', () => {
  const counts = Object.values(auditKinds).map((events) => [events.split(',').length, events.length])
  expect(counts.every(([count = 0, length = 0]) => count <= 20 && length <= 500)).toBe(true)
})

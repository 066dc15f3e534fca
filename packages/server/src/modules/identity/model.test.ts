import { expect, test } from 'vitest'
import { endOf, normaliseEmail } from './model.ts'

const limits = { idleMs: 100, absoluteMs: 1000, graceMs: 10 }

test('a session ends by idleness or at its absolute limit, whichever comes first', () => {
  expect(endOf({ lastUsedAt: new Date(0), expiresAt: new Date(1000) }, limits)).toEqual(new Date(100))
  expect(endOf({ lastUsedAt: new Date(950), expiresAt: new Date(1000) }, limits)).toEqual(new Date(1000))
})

test('addresses of one mailbox are normalised to one text', () => {
  for (const email of ['ada@example.com', ' Ada@Example.COM ', 'ＡＤＡ@example.com']) expect(normaliseEmail(email)).toBe('ada@example.com')
})

import { expect, test } from 'vitest'
import { operation } from '@millrace/contract'
import * as z from 'zod'
import { actorOf, assertPermitted, type Principal } from './principal.ts'

const principal: Principal = {
  accountId: '01890a5d-ac96-774b-bcce-b302099a8057',
  userId: '01890a5d-ac96-774b-bcce-b302099a8058',
  role: 'member',
  isOperator: false,
  credential: 'session',
  scopes: new Set(),
}

test('an actor is the user of a session, the API key, or anonymous', () => {
  expect(actorOf(principal)).toBe('user:usr_01h455vb4pex5vsknk084sn02r')
  expect(actorOf({ ...principal, credential: 'api_key', keyId: '01890a5d-ac96-774b-bcce-b302099a8057' })).toBe(
    'key:key_01h455vb4pex5vsknk084sn02q',
  )
  expect(actorOf(undefined)).toBe('anonymous')
})

test('an operation with a step-up refuses an old proof of identity and every API key', () => {
  const op = operation({
    id: 'test.change',
    method: 'POST',
    path: '/change',
    summary: 'Change',
    stability: 'stable',
    auth: { scope: 'account:read', stepUp: 'PT10M' },
    rateLimit: 'default',
    audit: 'none',
    idempotency: 'natural',
    reply: z.object({}),
    errors: [],
  })
  const at = new Date('2026-03-01T12:00:00Z')
  const caller: Principal = { ...principal, scopes: new Set(['account:read']) }
  const check = (more: Partial<Principal>) => () => assertPermitted(op, { ...caller, ...more }, () => at)
  const minutesAgo = (minutes: number) => new Date(at.getTime() - minutes * 60_000)
  const refused = expect.objectContaining({ code: 'insufficient_authentication' })
  expect(check({ authenticatedAt: minutesAgo(10) })).not.toThrow()
  expect(check({ authenticatedAt: minutesAgo(10.1) })).toThrow(refused)
  expect(check({ credential: 'api_key' })).toThrow(refused)
})

import { expect, test } from 'vitest'
import { actorOf, type Principal } from './principal.ts'

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

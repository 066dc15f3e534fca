import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sessionFetch } from './session-fetch.ts'

const session = vi.hoisted(() => ({ token: undefined as string | undefined, refused: 0 }))
vi.mock('#src/session/session.ts', () => ({
  accessToken: () => Promise.resolve(session.token),
  tokenInsteadOf: () => Promise.resolve(session.token),
  sessionRefused: () => {
    session.refused += 1
  },
}))

beforeEach(() => Object.assign(session, { token: undefined, refused: 0 }))
afterEach(() => vi.unstubAllGlobals())

/** A server that accepts one token and refuses others with a code. */
function serverOf(valid: string, code: string) {
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    const isValid = new Headers(init.headers).get('authorization') === `Bearer ${valid}`
    return Promise.resolve(isValid ? new Response('done') : new Response(JSON.stringify({ code }), { status: 401 }))
  })
}

const request = () => sessionFetch('/a', { headers: { authorization: 'Bearer old' } })

test.each(['token_expired', 'unauthenticated'])('a request whose token is refused as %s is sent again with the next one', async (code) => {
  serverOf('new', code)
  session.token = 'new'
  expect((await request()).status).toBe(200)
  expect(session.refused).toBe(0)
})

test.each(['token_expired', 'unauthenticated'])(
  'without another token, as after a sign-out in another tab, %s ends the session',
  async (code) => {
    serverOf('new', code)
    expect((await request()).status).toBe(401)
    expect(session.refused).toBe(1)
  },
)

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTokens } from './tokens.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

class Refused extends Error {}

const tokenOf = (person: string, number = 1) => `x.${Buffer.from(JSON.stringify({ sub: person, number })).toString('base64url')}.x`

/** A browser with a session of a person, and a page that shows a person. */
function browser(ofPage: string | undefined) {
  const state = { session: 'usr_ada' as string | undefined, refreshed: 0, log: [] as string[] }
  const tokens = createTokens({
    refresh: async () => {
      state.refreshed += 1
      if (state.session === undefined) throw new Refused()
      return { accessToken: tokenOf(state.session, state.refreshed), expiresIn: 900 }
    },
    isRefusal: (error) => error instanceof Refused,
    alone: (act) => act(),
    hasSession: () => true,
    person: () => ofPage,
    onRenewed: () => void state.log.push('renewed'),
    onEnded: () => void state.log.push('ended'),
    onOther: () => void state.log.push('other'),
  })
  return { state, tokens }
}

test('a token is renewed shortly before it ends, and not earlier', async () => {
  const { state, tokens } = browser('usr_ada')
  expect(await tokens.get()).toBe(tokenOf('usr_ada', 1))
  vi.advanceTimersByTime(880_000)
  expect(await tokens.get()).toBe(tokenOf('usr_ada', 1))
  vi.advanceTimersByTime(10_000)
  expect(await tokens.get()).toBe(tokenOf('usr_ada', 2))
  expect(state.log).toEqual(['renewed', 'renewed'])
})

test('a page that does not know its person yet takes the session that the browser has', async () => {
  expect(await browser(undefined).tokens.get()).toBe(tokenOf('usr_ada', 1))
})

test('a page gets no token of another person, who has signed in with this browser meanwhile, and does not use up their session', async () => {
  const { state, tokens } = browser('usr_ada')
  await tokens.get()
  state.session = 'usr_ben'
  vi.advanceTimersByTime(900_000)
  for (let request = 0; request < 5; request++) expect(await tokens.get()).toBeUndefined()
  expect(tokens.now()).toBeUndefined()
  expect(tokens.areOthers()).toBe(true)
  expect(state.log).toEqual(['renewed', 'other'])
  expect(state.refreshed).toBe(2)
})

test('a page continues when its own person has signed in again', async () => {
  const { state, tokens } = browser('usr_ada')
  state.session = 'usr_ben'
  expect(await tokens.get()).toBeUndefined()
  tokens.keep({ accessToken: tokenOf('usr_ada', 7), expiresIn: 900 })
  expect(await tokens.get()).toBe(tokenOf('usr_ada', 7))
  expect(tokens.areOthers()).toBe(false)
})

test('a session that has ended gives no token; a server that is away changes nothing', async () => {
  const { state, tokens } = browser('usr_ada')
  state.session = undefined
  expect(await tokens.get()).toBeUndefined()
  expect(state.log).toEqual(['ended'])
  const away = createTokens({
    refresh: () => Promise.reject(new TypeError('away')),
    isRefusal: (error) => error instanceof Refused,
    alone: (act) => act(),
    hasSession: () => true,
    person: () => 'usr_ada',
    onRenewed: () => undefined,
    onEnded: () => expect.unreachable(),
    onOther: () => expect.unreachable(),
  })
  away.keep({ accessToken: tokenOf('usr_ada'), expiresIn: 0 })
  await expect(away.get()).rejects.toThrow('away')
  expect(away.now()).toBe(tokenOf('usr_ada'))
})

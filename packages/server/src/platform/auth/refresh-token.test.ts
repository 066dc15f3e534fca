import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRefreshTokens } from './refresh-token.ts'

const secretKey = randomBytes(32)
const tokens = createRefreshTokens(secretKey, randomBytes)

test('a token is read as it was made, by any process with the same secret key', () => {
  const sessionId = randomUUID()
  const token = tokens.first(sessionId)
  expect(createRefreshTokens(secretKey, randomBytes).read(token.text)).toEqual(token)
  expect(token).toMatchObject({ sessionId, generation: 0 })
  expect(token.hash).toEqual(createHash('sha256').update(token.text).digest())
})

test('the successor of a token is always the same, and of another secret', () => {
  const token = tokens.first(randomUUID())
  const next = tokens.successor(token)
  expect(createRefreshTokens(secretKey, randomBytes).successor(token)).toEqual(next)
  expect(next).toMatchObject({ sessionId: token.sessionId, generation: 1 })
  expect(next.secret).not.toEqual(token.secret)
  expect(tokens.successor(next).generation).toBe(2)
})

test('a token does not reveal its successor without the secret key', () => {
  const token = tokens.first(randomUUID())
  expect(createRefreshTokens(randomBytes(32), randomBytes).successor(token).secret).not.toEqual(tokens.successor(token).secret)
})

test('two sessions begin with different secrets', () => {
  const sessionId = randomUUID()
  expect(tokens.first(sessionId).text).not.toBe(tokens.first(sessionId).text)
})

test('a token with any changed byte is refused', () => {
  const { text } = tokens.first(randomUUID())
  for (let at = 0; at < text.length; at++) {
    const other = text[at] === 'A' ? 'B' : 'A'
    expect(tokens.read(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined()
  }
})

test('other encodings of the same bytes are refused', () => {
  const { text } = tokens.first(randomUUID())
  for (const wrong of ['', 'mrt_', `${text}=`, ` ${text}`, `${text}\n`, text.replace('mrt_', 'mrt_ '), `${text}A`, text.slice(0, -1)])
    expect(tokens.read(wrong)).toBeUndefined()
})

test('a token of another installation is refused', () => {
  expect(createRefreshTokens(randomBytes(32), randomBytes).read(tokens.first(randomUUID()).text)).toBeUndefined()
})

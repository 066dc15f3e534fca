import { describe, expect, test } from 'vitest'
import { createSecretMask, type SecretMask } from './secret-mask.ts'
import type { JsonObject } from '#core/json.ts'

function maskOf(secrets: JsonObject): SecretMask {
  const mask = createSecretMask(secrets)
  if (mask === undefined) throw new Error('there is nothing to mask')
  return mask
}

const secret = 'p@ss "wörd"/+4711?'
const mask = maskOf({ token: secret })

describe('a secret is masked', () => {
  test.each([
    ['as it is', secret],
    ['in the middle of a text', `Bearer ${secret}!`],
    ['in an address', `https://example.com/?key=${encodeURIComponent(secret)}`],
    ['in a form', new URLSearchParams({ key: secret }).toString()],
    ['in a text of JSON', JSON.stringify({ token: secret })],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    ['behind a user, as basic authentication has it', Buffer.from(`ada:${secret}`).toString('base64')],
    ['behind one letter more', Buffer.from(`adas:${secret}`).toString('base64')],
    ['in the base64 of a whole document', Buffer.from(`{"echo":${JSON.stringify('x')},"it":"${secret}","more":true}`).toString('base64')],
  ])('%s', (_where, text) => {
    const masked = mask.text(text)
    expect(masked).toContain('***')
    expect(readings(masked).filter((reading) => reading.includes('4711') || reading.includes('wörd'))).toEqual([])
  })

  test('in members and in their names, however deep', () => {
    expect(mask.json({ a: [{ [secret]: `x${secret}` }], n: 1, t: true, z: null })).toEqual({
      a: [{ '***': 'x***' }],
      n: 1,
      t: true,
      z: null,
    })
  })

  test('when it is a part of an object', () => {
    const { text } = maskOf({ login: { username: 'adalovelace', password: 'hunter2hunter2', client: { keys: ['third-secret'] } } })
    expect(text('adalovelace hunter2hunter2 third-secret fourth')).toBe('*** *** *** fourth')
  })
})

test('a secret that contains another one is masked whole', () => {
  expect(maskOf({ a: 'hunter2hunter2', b: 'hunter2hunter2-and-more' }).text('hunter2hunter2-and-more')).toBe('***')
})

test('what does not hold a secret stays as it is', () => {
  const value = { a: ['4711', 'pass', ''], b: { c: 'p@ss' } }
  expect(mask.json(value)).toEqual(value)
})

test('short texts are left alone, and where there are no others nothing is masked', () => {
  expect(createSecretMask({ user: 'admin', flags: { on: true, count: 12345678901 } })).toBeUndefined()
  expect(createSecretMask({})).toBeUndefined()
})

/** A text and what somebody gets who decodes every part of it. */
function readings(text: string): readonly string[] {
  const parts = text.split('***')
  const decoded = parts.flatMap((part) => [0, 1, 2, 3].map((skip) => Buffer.from(part.slice(skip), 'base64').toString()))
  return [text, ...parts.map(unescaped), ...decoded]
}

function unescaped(text: string): string {
  return URL.canParse(`x:${text}`) ? text.replaceAll(/%[0-9A-F]{2}(?:%[0-9A-F]{2})*/g, (codes) => decodeURIComponent(codes)) : text
}

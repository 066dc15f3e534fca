import { describe, expect, test } from 'vitest'
import { createSecretMask, createTextMask, type SecretMask, unmaskableIn } from './secret-mask.ts'
import type { JsonObject } from './json.ts'

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
  expect(createTextMask(['abcd', 'abcdefgh']).text('abcdefgh')).toBe('***')
  expect(createTextMask(['abcdefgh', 'abcd']).text('abcdefgh')).toBe('***')
})

test('a secret with blanks at its ends is masked without them as well, as a header loses them', () => {
  expect(maskOf({ key: ' good-token-1\n' }).text('good-token-1 or  good-token-1\n')).toBe('*** or ***')
  expect(createTextMask(['abc ']).text('abc')).toBe('abc')
})

test('data without a secret stays as it is', () => {
  const value = { a: ['4711', 'pass', ''], b: { c: 'p@ss' } }
  expect(mask.json(value)).toEqual(value)
})

describe('a secret of four to seven characters', () => {
  const { text } = createTextMask(['hush5'])

  test.each([
    ['as it is', 'hush5'],
    ['after a scheme', 'Bearer hush5'],
    ['in an address', 'https://example.com/?key=hush5&more'],
    ['in an address within an address', 'to=%3Fkey%3Dhush5%26more'],
    ['in a text of JSON', '{"echo":"line\\nhush5\\n"}'],
    ['between other letters of base64', Buffer.from('user:hush5').toString('base64')],
    ['at the end of base64', Buffer.from('hush5').toString('base64')],
  ])('is masked %s', (_where, given) => {
    expect(text(given)).toContain('***')
    expect(readings(text(given)).filter((reading) => reading.includes('hush5'))).toEqual([])
  })

  test.each(['hush55', 'xhush5', 'éhush5', 'hush5é'])('is no part of the word %s', (word) => {
    expect(text(word)).toBe(word)
  })

  test('leaves ordinary words that contain it', () => {
    expect(createTextMask(['read', 'root']).text('already rooted, read as root')).toBe('already rooted, *** as ***')
  })

  test('is masked beside letters where it does not end with one itself', () => {
    expect(createTextMask(['.*b$&']).text('x.*b$&y')).toBe('x***y')
  })
})

test('texts of fewer than four characters are not masked, and where there are no others nothing is', () => {
  expect(createTextMask(['a', '', 'cat']).text('a cat sat')).toBe('a cat sat')
  expect(createSecretMask({ user: 'ada', flags: { on: true, count: 12345678901 } })).toBeUndefined()
  expect(createSecretMask({})).toBeUndefined()
})

test('texts that are too short to be masked are found by their places', () => {
  expect(unmaskableIn({ pin: '123', 'a/b': ['long', 'x', 1, null], token: 'abcd' })).toEqual(['/pin', '/a~1b/1'])
})

test('a secret that is added later is masked, too', () => {
  const growing = createTextMask([])
  expect(growing.text('a hunter2 b')).toBe('a hunter2 b')
  growing.add('hunter2')
  expect(growing.text('a hunter2 b')).toBe('a *** b')
})

test('an added text that is too short to be masked changes nothing', () => {
  const growing = createTextMask([])
  growing.add('cat')
  expect(growing.text('a cat')).toBe('a cat')
})

test.each([
  ['with a detail', { detail: `bad ${secret}` }, { detail: 'bad ***' }],
  ['without a detail', {}, {}],
])('the type and title of an error %s are masked', (_case, detail, maskedDetail) => {
  const error = { type: `https://example.com/${secret}`, status: 400, title: `no ${secret}`, instance: '/do/0/a', ...detail }
  expect(mask.error(error)).toEqual({ type: 'https://example.com/***', status: 400, title: 'no ***', instance: '/do/0/a', ...maskedDetail })
})

test('characters that mean something in patterns and replacements are plain', () => {
  expect(createTextMask(['a.*b$&']).text('axxb a.*b$& $&')).toBe('axxb *** $&')
  expect(createTextMask(['a.*b$&longer']).text('a.*b$&longer')).toBe('***')
})

test('a secret with a lone surrogate does not fail the report', () => {
  expect(createTextMask(['abc\ud800def', 'a\ud800def']).text('nothing')).toBe('nothing')
})

/** A text, and all that decoding its parts gives. */
function readings(text: string): readonly string[] {
  const parts = text.split('***')
  const decoded = parts.flatMap((part) => [0, 1, 2, 3].map((skip) => Buffer.from(part.slice(skip), 'base64').toString()))
  return [text, ...parts.map(unescaped), ...decoded]
}

function unescaped(text: string): string {
  return URL.canParse(`x:${text}`) ? text.replaceAll(/%[0-9A-F]{2}(?:%[0-9A-F]{2})*/g, (codes) => decodeURIComponent(codes)) : text
}

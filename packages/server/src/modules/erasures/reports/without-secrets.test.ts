import type { JsonValue } from '@millrace/contract'
import { expect, test } from 'vitest'
import { withoutSecrets } from './without-secrets.ts'

const mask = (text: string) => text.replaceAll('sesame-opens-it', '***')

const masked: readonly (readonly [string, JsonValue, JsonValue])[] = [
  ['a known secret in a text', 'the key is sesame-opens-it', 'the key is ***'],
  ['a known secret in an item', { list: ['a', 'sesame-opens-it'] }, { list: ['a', '***'] }],
  ['a member password', { password: 'x' }, { password: '***' }],
  ['a member of a header', { headers: { Authorization: 'Bearer x', accept: 'y' } }, { headers: { Authorization: '***', accept: 'y' } }],
  [
    'members with a prefix',
    { userPassword: 'x', client_secret: 'y', 'x-api-key': 'z' },
    { userPassword: '***', client_secret: '***', 'x-api-key': '***' },
  ],
  ['a token in an item', [{ accessToken: 'x' }, { refresh_token: 'y' }], [{ accessToken: '***' }, { refresh_token: '***' }]],
  ['all within credentials', { credentials: { user: 'ada', x: [1, 'y'] } }, { credentials: { user: '***', x: ['***', '***'] } }],
  ['numbers and lists', { password: 847_261, tokens: ['x'], pin: 1234 }, { password: '***', tokens: ['***'], pin: '***' }],
  [
    'names in other forms and languages',
    { password_old: 'x', tokenValue: 'x', token2: 'x', secretKey: 'x', Passwort: 'x', mot_de_passe: 'x', 'كلمة المرور': 'x' },
    { password_old: '***', tokenValue: '***', token2: '***', secretKey: '***', Passwort: '***', mot_de_passe: '***', 'كلمة المرور': '***' },
  ],
  ['pairs', { headers: [{ name: 'Authorization', value: 'x' }] }, { headers: [{ name: 'Authorization', value: '***' }] }],
  ['JSON in a text', { body: '{"apiKey":"x","total":5}' }, { body: '{"apiKey":"***","total":5}' }],
  ['the password of an address', 'see https://ada:pw@shop.example/a', 'see https://***@shop.example/a'],
  ['a known secret in a name', { 'my sesame-opens-it': 1 }, { 'my ***': 1 }],
]

test.each(masked)('a report masks %s', (_, value, expected) => {
  expect(withoutSecrets(value, mask)).toEqual(expected)
})

const kept: readonly JsonValue[] = [
  'an ordinary text',
  17,
  null,
  { tokens: 12, passwordChangedAt: null, secretary: 'Ada', cookieBanner: 'shown' },
  [{ name: 'Ada', address: { street: 'Main Street' } }],
]

test.each(kept.map((value) => [JSON.stringify(value), value] as const))('a report keeps %s as it is', (_, value) => {
  expect(withoutSecrets(value, mask)).toBe(value)
})

test('members are masked without any known secret', () => {
  expect(withoutSecrets({ token: 'x', note: 'sesame-opens-it' }, undefined)).toEqual({ token: '***', note: 'sesame-opens-it' })
})

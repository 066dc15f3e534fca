import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { expect, test } from 'vitest'
import { hostileParts } from './hostile-text.ts'
import { scanJson, sentenceOf } from './scan-json.ts'
import { scanText } from './scan-text.ts'

// In pieces, so that no text of the repository looks like a secret.
const join = (...parts: readonly string[]) => parts.join('')
const letters = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbCdEfGh'

test.each([
  ['a private key', join('-----BEGIN RSA PRIV', 'ATE KEY-----')],
  ['an access key of AWS', join('AK', 'IA', 'Q3EGRIGAJPLLTMNV')],
  ['a token of GitHub', join('gh', 'p_', letters)],
  ['a token of Slack', join('xo', 'xb-', '123456789012-', letters)],
  ['a webhook of Slack', join('https://hooks.slack.', 'com/services/T0AAA/B0BBB/', 'abcdefgh')],
  ['a key of Stripe', join('sk_', 'live_', letters)],
  ['a key of a model provider', join('sk', '-', letters)],
  ['a signed token (JWT)', join('ey', 'JhbGciOi.ey', 'JzdWIiOi.c2lnbmF0dXJl')],
  ['a URL with a password', join('postgres://ada:', 'swordfish', '@db.example/x')],
  ['a credential of an Authorization header', join('Bearer ', 'abcdefgh12345678')],
  ['a random key', letters],
  ['a mail address', 'Write to ada@lovelace.io today'],
  ['a phone number', 'Call +49 30 901820'],
  ['a bank account (IBAN)', 'DE89 3704 0044 0532 0130 00'],
  ['a card number', '4111 1111 1111 1111'],
])('%s is found', (what, text) => {
  expect(scanText(`first line\n${text}`, '/x')).toContainEqual({ kind: expect.any(String), what, pointer: '/x', line: 2 })
})

test.each([
  'Write to ada@example.com, bob@mail.example or root@host.test',
  'order 4111111111111112 of 2026-11-23T02:00:00.000Z',
  'https://api.example.com/v1/customers/{id}/orders?limit=100&expand=lines',
  '${ "Bearer " + $secrets.KEY }',
  'DE89 3704 0044 0532 0130 01',
  'io.serverlessworkflow.workflow.completed.v1 and https://open-workflow-specification.org/spec/1.0.0/errors/communication',
  '0192f3b4-7d1e-7c22-9a57-1f4a6c0d9e11',
  'call +1 202 555 0143',
])('nothing is found in harmless text: %s', (text) => {
  expect(scanText(text, '')).toEqual([])
})

test('a plain credential is found by the name of its member, with its place, and a reference to a secret is not', () => {
  const found = scanJson({
    do: [{ call: { headers: { Authorization: 'abc', 'x-api-key': '${ $secrets.KEY }' }, 'a/b': { password: 'x' } } }],
  })
  expect(found.map(({ pointer }) => pointer)).toEqual(['/do/0/call/headers/Authorization', '/do/0/call/a~1b/password'])
  expect(found.map(sentenceOf)).toEqual(Array(2).fill('Looks like it contains a credential as plain text.'))
})

test('a text of 300,000 characters without end is scanned in seconds', () => {
  for (const unit of ['a', ' ', '1', 'a.', '1 ', '://a:', '@a.', 'A1b2', '+1 ', 'eyJ-']) {
    const before = startProcessorTime()
    scanText(unit.repeat(300_000 / unit.length), '')
    hostileParts(`<${unit.repeat(300_000 / unit.length)}`)
    expect(before(), unit).toBeLessThan(5_000)
  }
})

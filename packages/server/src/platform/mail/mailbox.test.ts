import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { expect, test } from 'vitest'
import { domainOf, parseMailbox } from './mailbox.ts'

test.each([
  ['ada@example.com', undefined, 'ada@example.com'],
  [' ada@example.com ', undefined, 'ada@example.com'],
  ['<ada@example.com>', undefined, 'ada@example.com'],
  ['Ada Lovelace <ada@example.com>', 'Ada Lovelace', 'ada@example.com'],
  ['Ada<ada@example.com>', 'Ada', 'ada@example.com'],
  ['"Lovelace, Ada" <ada@example.com>', 'Lovelace, Ada', 'ada@example.com'],
  ['"Ada \\"the\\" Countess" <ada@example.com>', 'Ada "the" Countess', 'ada@example.com'],
  ["o'brien+tag@mail.example.co.uk", undefined, "o'brien+tag@mail.example.co.uk"],
  ['Jürgen Groß <juergen@müller.example>', 'Jürgen Groß', 'juergen@müller.example'],
  ['root@localhost', undefined, 'root@localhost'],
])('%s is an address', (text, name, address) => {
  expect(parseMailbox(text)).toEqual({ name, address })
})

test.each([
  '',
  'ada',
  '@example.com',
  'ada@',
  'ada@@example.com',
  'ada@example.com, grace@example.com',
  'ada@example.com;grace@example.com',
  'Ada <ada@example.com>, Grace <grace@example.com>',
  'ada@example.com <eve@evil.example>',
  'Lovelace, Ada <ada@example.com>',
  'ada lovelace@example.com',
  '"ada@evil.example"@example.com',
  'ada@evil.example(@example.com)',
  'ada@example..com',
  'ada@-example.com',
  'ada@[127.0.0.1]',
  '.ada@example.com',
  'a..b@example.com',
  'ada@example.com\r\nBcc: eve@evil.example',
  'Ada\nBcc: eve@evil.example <ada@example.com>',
  'Ada <ada@example.com>>',
  `${'a'.repeat(65)}@example.com`,
  `ada@${'a.'.repeat(130)}com`,
])('%j is not a mailbox', (text) => {
  expect(parseMailbox(text)).toBeUndefined()
})

test('the domain of an address does not depend on how it is written', () => {
  expect(domainOf({ name: undefined, address: 'Ada@Example.COM' })).toBe('example.com')
})

test('a long text is rejected quickly', () => {
  const startedAt = startProcessorTime()
  for (const text of ['a.'.repeat(50_000), `a@${'a-'.repeat(50_000)}`, `${' '.repeat(50_000)}<`, `"${'\\'.repeat(50_000)}`]) {
    expect(parseMailbox(text)).toBeUndefined()
  }
  expect(startedAt()).toBeLessThan(500)
})

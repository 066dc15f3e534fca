import { expect, test } from 'vitest'
import { withoutSecrets } from '#src/values/secret-members.ts'

test('of an input, what its schema or its names call a secret is not kept, at any depth', () => {
  const schema = {
    properties: { code: { type: 'string', writeOnly: true }, lines: { items: { properties: { note: { format: 'password' } } } } },
  }
  const input = { name: 'Ada', code: '1', apiKey: '2', lines: [{ note: '3', sku: 'a', db: { password: '4', host: 'b' } }] }
  expect(withoutSecrets(input, schema)).toEqual({ name: 'Ada', lines: [{ sku: 'a', db: { host: 'b' } }] })
})

import { expect, test } from 'vitest'
import { withScheme } from '#src/forms/with-scheme.ts'

test.each([
  ['api.example.com/v2', 'https://api.example.com/v2'],
  [' api.example.com:8443 ', 'https://api.example.com:8443'],
  ['localhost:8090/v1', 'http://localhost:8090/v1'],
  ['192.0.2.1', 'http://192.0.2.1'],
  ['shop.example?x=1', 'https://shop.example?x=1'],
  // These have a scheme, or are no address of the web.
  ['http://api.example.com', 'http://api.example.com'],
  ['mailto:ada@example.com', 'mailto:ada@example.com'],
  ['git@example.com:shop.git', 'git@example.com:shop.git'],
  ['ada@example.com', 'ada@example.com'],
  ['shop', 'shop'],
  ['my shop.example', 'my shop.example'],
  ['shop.example:port', 'shop.example:port'],
  ['', ''],
])('the address %j becomes %j', (typed, whole) => {
  expect(withScheme(typed)).toBe(whole)
})

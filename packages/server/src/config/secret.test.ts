import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Secret } from './secret.ts'

const secret = new Secret('hunter2')

test('a secret gives its value when asked for it by name', () => {
  expect(secret.reveal()).toBe('hunter2')
})

test.each([
  ['conversion to a string, as templates and concatenation do it', () => String(secret)],
  ['JSON', () => JSON.stringify({ secret, list: [secret] })],
  ['inspection, as console and errors do it', () => inspect({ secret }, { depth: 10, showHidden: true })],
  ['a structured clone', () => inspect(structuredClone({ secret: { ...secret } }))],
  ['its keys and values', () => inspect([Object.entries(secret), Reflect.ownKeys(secret)])],
])('a secret does not come out by %s', (_way, leak) => {
  expect(leak()).not.toContain('hunter2')
})

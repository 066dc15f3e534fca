/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { expect, test } from 'vitest'
import { expectDiagnostics, expectValid } from '#src/testing/marked.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

const sent = (headers: string) => `do: [ a: { call: http, with: { method: get, endpoint: https://a.example, headers: ${headers} } } ]`
const letters = 'abcdefghijABCDEFGHIJ0123456789abcdefghij'

test.each([
  ['a header of a token', sent(`{ Authorization: «Bearer ${letters}» }`)],
  ['a header of a key', sent('{ x-api-key: «my-own-key-1» }')],
  ['a key of Stripe in data', `do: [ a: { set: { key: «${['sk', 'live', letters].join('_')}» } } ]`],
  ['a token of GitHub within a text', `do: [ a: { set: { list: [ "x", «"use ghp_${letters}"» ] } } ]`],
  ['a key in an expression', `do: [ a: { set: { key: «'\${ "AKIAABCDEFGHIJKLMNOP" }'» } } ]`],
  ['a token in a step of a block', `do: [ a: { do: [ b: { set: { key: «xoxb-1234567890-abc» } } ] } ]`],
])('%s is a credential that everyone can read', (_, text) => {
  const hint = text.includes('call: http') ? 'Keep it in a connection and call http.request' : 'Store it as a secret'
  expectDiagnostics(text, [{ code: 'plain_credential', hint }])
})

test.each([
  sent('{ Authorization: \'${ "Bearer \\($secrets.token)" }\' }').replace(/^/, 'use: { secrets: [ token ] }\n'),
  sent('{ accept: application/json, x-api-key: "" }'),
  'do: [ a: { set: { text: The bearer of this letter, id: sku_live_1, task-list: sk-1 } } ]',
])('%s has none', (text) => {
  expectValid(text)
})

test('a credential in a text is a warning at one place, once', () => {
  const token = `{ bearer: { token: ghp_${letters} } }`
  const call = `{ call: http, with: { method: get, endpoint: { uri: https://a.example, authentication: ${token} } } }`
  const { definition, diagnostics } = validateDefinition(
    `document: { dsl: 1.0.3, namespace: t, name: t, version: 1.0.0 }\ndo: [ a: ${call} ]`,
  )
  expect(diagnostics).toMatchObject([{ code: 'plain_credential', severity: 'warning' }])
  expect(definition).toBeDefined()
})

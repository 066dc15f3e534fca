import { expect, test } from 'vitest'
import { connectorCalls } from './connector-calls.ts'

test.each<[string, string | object]>([
  ['block YAML', 'do:\n  - a:\n      call: slack.postMessage\n'],
  ['flow YAML', 'do: [{ a: { call: slack.postMessage, with: {} } }]'],
  ['quoted YAML', "do: [{ a: { call: 'slack.postMessage' } }]"],
  ['quoted keys', 'do: [{ a: { "call": "slack.postMessage" } }]'],
  ['a version', 'do: [{ a: { call: slack.postMessage:1.0.0 } }]'],
  ['a catalog', 'do: [{ a: { call: slack.postMessage:1.0.0@default } }]'],
  ['an object', { do: [{ a: { call: 'slack.postMessage' } }] }],
])('a call is found in %s', (_form, given) => {
  expect(connectorCalls(given)).toEqual(['slack.postMessage'])
})

test.each<[string, string]>([
  ['a built-in call', 'call: http'],
  ['a function of the catalog', 'call: approve'],
  ['a URL', 'call: https://example.com/a.yaml'],
  ['a name with more dots', 'call: a1.b.c'],
  ['a name with capitals', 'call: Slack.post'],
  ['another key', 'recall: slack.post'],
])('%s is no call of a connector', (_what, text) => {
  expect(connectorCalls(text)).toEqual([])
})

test('each function is named once, and there is a limit', () => {
  expect(connectorCalls('call: aa.b\ncall: aa.b\ncall: aa.c')).toEqual(['aa.b', 'aa.c'])
  const many = Array.from({ length: 1_000 }, (_, index) => `call: aa.f${index}`).join('\n')
  expect(connectorCalls(many)).toHaveLength(500)
})

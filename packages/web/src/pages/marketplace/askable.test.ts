import { expect, test } from 'vitest'
import { askableIn, parametersOf } from '#src/pages/marketplace/askable.ts'

const definition = {
  document: { dsl: '1.0.3', namespace: 'shop', name: 'orders', version: '1.0.0', title: 'Orders' },
  input: { schema: { document: { properties: { mail: { description: 'a text of the form' } } } } },
  do: [
    { read: { call: 'http', with: { method: 'get', endpoint: { uri: 'https://shop.example/api' }, headers: { 'X-Team': 'north' } } } },
    { report: { call: 'email', with: { to: 'team@shop.example', cc: ['lead@shop.example'], subject: '${ .title }', text: 'north' } } },
    { each: { for: { in: '${ .lines }' }, do: [{ note: { set: { limit: 500, empty: '', isOpen: true } } }] } },
    { again: { call: 'email', with: { to: 'team@shop.example' } } },
  ],
}

test('what an import may ask for are the texts and numbers of steps, each once with its places', () => {
  expect(askableIn(definition).map(({ value, kind, at, member, task }) => [value, kind, member, task, ...at])).toEqual([
    ['https://shop.example/api', 'url', 'uri', 'read', '/do/0/read/with/endpoint/uri'],
    ['north', 'text', 'X-Team', 'read', '/do/0/read/with/headers/X-Team', '/do/1/report/with/text'],
    ['team@shop.example', 'email', 'to', 'report', '/do/1/report/with/to', '/do/3/again/with/to'],
    ['lead@shop.example', 'email', 'cc', 'report', '/do/1/report/with/cc/0'],
    [500, 'number', 'limit', 'note', '/do/2/each/do/0/note/set/limit'],
  ])
})

test('chosen values become parameters with names of their own, and with examples in place of the values', () => {
  const other = [{ mail: { call: 'email', with: { to: 'x@shop.example' } } }]
  const chosen = askableIn({ ...definition, do: [...definition.do, ...other] }).slice(1)
  const parameters = parametersOf(chosen, ({ member, task }) => `${member} of ${task}`)
  expect(parameters.map(({ name, example }) => [name, example])).toEqual([
    ['X_Team', 'example X-Team'],
    ['to', 'name@example.com'],
    ['cc', 'name@example.com'],
    ['limit', 500],
    ['to2', 'name@example.com'],
  ])
  expect(parameters[1]).toEqual({
    name: 'to',
    kind: 'email',
    description: 'to of report',
    at: ['/do/1/report/with/to', '/do/3/again/with/to'],
    example: 'name@example.com',
  })
})

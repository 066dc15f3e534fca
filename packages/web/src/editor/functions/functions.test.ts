import { connectionKinds } from '@millrace/contract'
import { describe, expect, test } from 'vitest'
import { argumentFields, calledName } from '#src/editor/functions/argument-fields.ts'
import { connectionFits } from '#src/editor/functions/connection-fits.ts'
import { functionSteps, functionTexts, type ListedFunction } from '#src/editor/functions/function-steps.ts'
import { findTemplates } from '#src/editor/picker/templates.ts'

const functions: readonly ListedFunction[] = [
  { name: 'email', version: '1.0.0', summary: 'Sends a mail.', connector: null, origin: 'installation' },
  { name: 'slack.postMessage', version: '1.0.0', summary: 'Posts to a channel.', connector: 'slack', origin: 'installation' },
]

describe('functions of connectors in the step picker', () => {
  const steps = functionSteps(functions)

  test('a function of a connector becomes a step that calls it; those of the installation have steps of their own', () => {
    expect(steps).toMatchObject([{ group: 'connectors', task: { postMessage: { call: 'slack.postMessage', with: {} } } }])
  })

  test.each(['slack', 'message', 'channel', 'slack post'])('a search for "%s" finds the function', (query) => {
    expect(findTemplates(query, functionTexts(functions), steps).map(({ key }) => key)).toEqual(['slack.postMessage'])
  })
})

describe('the arguments of a function', () => {
  const schema = {
    required: ['channel'],
    properties: {
      connection: { type: 'string', description: 'Name of the connection to use.' },
      channel: { type: 'string' },
      limit: { type: 'integer' },
      blocks: { type: 'array' },
      silent: { type: 'boolean' },
      filter: { type: 'object' },
    },
  }
  const known = { connections: ['team', 'other'], tables: ['prices'] }
  const documentOf = (args: object | string) => ({ do: [{ post: { call: 'slack.postMessage', with: JSON.parse(JSON.stringify(args)) } }] })
  const shown = (args: object | string) =>
    argumentFields(documentOf(args), '/do/0/post', schema, known)?.map(({ key, widget }) => `${key}: ${widget}`)

  test('are fields by the types of the schema, and the connection is a choice', () => {
    expect(shown({})).toEqual(['connection: choice', 'channel: text', 'limit: number', 'blocks: yaml', 'silent: boolean', 'filter: rows'])
    const fields = argumentFields(documentOf({ channel: 'x' }), '/do/0/post', schema, known)
    expect(fields?.[0]).toMatchObject({ choices: ['team', 'other'], hint: 'Name of the connection to use.' })
    expect(fields?.[1]).toMatchObject({ pointer: '/do/0/post/with/channel', value: 'x', required: true })
  })

  test('that are JSON Schemas are edited by their members, and as an expression where they are one', () => {
    const of = { properties: { schema: { type: 'object', format: 'json-schema' } } }
    for (const [args, widget] of [
      [{}, 'schema'],
      [{ schema: { type: 'object' } }, 'schema'],
      [{ schema: '${ .schema }' }, 'any'],
    ] as const)
      expect(argumentFields(documentOf(args), '/do/0/post', of, known)).toMatchObject([{ widget }])
  })

  test('propose the tables of the account, and take any other name', () => {
    const of = { properties: { table: { type: 'string' } } }
    expect(argumentFields(documentOf({}), '/do/0/post', of, known)).toMatchObject([{ widget: 'text', choices: ['prices'] }])
  })

  test('may be expressions instead, and arguments that the schema does not name stay editable', () => {
    const text = '${ .x }'
    expect(shown({ connection: text, limit: text, silent: text, extra: 1 })).toEqual([
      'connection: any',
      'channel: text',
      'limit: any',
      'blocks: yaml',
      'silent: any',
      'filter: rows',
      'extra: any',
    ])
    expect(shown(text)).toBeUndefined()
  })

  test.each([
    ['slack.postMessage', 'slack.postMessage'],
    ['slack.postMessage@1.0.0', 'slack.postMessage'],
    ['agent', 'agent'],
    ['http', undefined],
    ['https://example.com/function.yaml', undefined],
  ])('of call: %s are those of %s', (call, name) => {
    expect(calledName({ do: [{ step: { call } }] }, '/do/0/step')).toBe(name)
  })
})

test.each([
  ['email', ['smtp']],
  ['postgres.query', ['database']],
  ['s3.getObject', ['s3']],
  ['http.request', ['api-key', 'bearer', 'basic', 'oauth2', 'mutual-tls']],
  ['slack.postMessage', ['api-key', 'bearer', 'basic', 'oauth2', 'mutual-tls']],
])('%s is offered connections of the kinds %j', (called, kinds) => {
  expect(connectionKinds.filter((kind) => connectionFits(called, kind))).toEqual(kinds)
})

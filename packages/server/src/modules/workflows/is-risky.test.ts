import { parseDefinition } from '@millrace/dsl'
import { describe, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { definitionOf } from './definition.ts'
import { isRisky } from './is-risky.ts'

const risk = (text: string) => isRisky(definitionOf({ json: JSON.stringify(parseDefinition(documentOf(text)).document) }))
const post = 'call: http, with: { method: post, endpoint: https://example.com }'

describe('a workflow that a program starts needs a person', () => {
  test.each([
    ['sends by HTTP', `do: [{ a: { ${post} } }]`],
    ['runs something', 'do: [{ a: { run: { workflow: { namespace: a, name: b, version: 1.0.0 } } } }]'],
    ['changes a row', 'do: [{ a: { call: tables.put, with: { table: t, key: k, columns: {} } } }]'],
    ['calls a function of its own with a harmless name', `use: { functions: { model: { ${post} } } }\ndo: [{ a: { call: model } }]`],
    [
      'calls a function of another catalog with a harmless name',
      "use: { catalogs: { other: { endpoint: https://example.com } } }\ndo: [{ a: { call: 'model:1.0.0@other' } }]",
    ],
    ['calls a function at a URL', 'do: [{ a: { call: https://example.com/model } }]'],
  ])('if it %s', (_what, text) => {
    expect(risk(text)).toBe(true)
  })

  test.each([
    ['reads by HTTP', 'do: [{ a: { call: http, with: { method: get, endpoint: https://example.com } } }]'],
    ['asks people', 'do: [{ a: { call: approve, with: { title: T, approvers: [ada@example.com] } } }]'],
    ['asks a model', "do: [{ a: { call: 'model:1.0.0@default', with: { prompt: Hi } } }, { b: { call: model, with: { prompt: Hi } } }]"],
    ['reads a row', 'do: [{ a: { call: tables.get, with: { table: t, key: k } } }]'],
  ])('but not if it only %s', (_what, text) => {
    expect(risk(text)).toBe(false)
  })
})

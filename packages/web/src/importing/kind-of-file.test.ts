import { expect, test } from 'vitest'
import { kindOfFile } from './kind-of-file.ts'

test.each([
  ['an export of n8n', '{ "name": "x", "nodes": [], "connections": {} }', 'n8n'],
  ['an export of Millrace', '{ "format": "millrace/workflow", "formatVersion": 1, "document": "do: []" }', 'millrace'],
  ['a definition in YAML', 'document: { dsl: 1.0.3 }\ndo: []', 'definition'],
  ['a definition in JSON', '{ "document": {}, "do": [] }', 'definition'],
  ['a list', '[{ "nodes": [], "connections": {} }]', 'definition'],
])('%s is recognized', (_what, text, kind) => {
  expect(kindOfFile(text).kind).toBe(kind)
})

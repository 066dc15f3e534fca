import { expect, test } from 'vitest'
import { fileBytesMax, kindOfFile, mistakeOfFile } from './kind-of-file.ts'

test.each([
  ['an export of n8n', '{ "name": "x", "nodes": [], "connections": {} }', 'n8n'],
  ['an export of Millrace', '{ "format": "millrace/workflow", "formatVersion": 1, "document": "do: []" }', 'millrace'],
  ['a definition in YAML', 'document: { dsl: 1.0.3 }\ndo: []', 'definition'],
  ['a definition in JSON', '{ "document": {}, "do": [] }', 'definition'],
  ['a list', '[{ "nodes": [], "connections": {} }]', 'definition'],
])('%s is recognized', (_what, text, kind) => {
  expect(kindOfFile(text).kind).toBe(kind)
})

test.each([
  ['an empty file', ' \n', 'empty'],
  ['a picture', new TextDecoder().decode(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0)), 'notText'],
  ['a PDF of plain characters', '%PDF-1.7\n1 0 obj', 'notText'],
  ['a file of more than the server takes', 'ü'.repeat(fileBytesMax / 2 + 1), 'tooLarge'],
  ['an export of n8n that was cut off', '{ "name": "x", "nodes": [{ "type": "n8n-nodes-base.set" }', 'brokenN8n'],
  ['an export of n8n', '{ "nodes": [], "connections": {} }', undefined],
  ['a definition with letters of all languages', 'do: [] # Ünïcode, 中文', undefined],
])('%s is named before it is sent', (_what, text, mistake) => {
  expect(mistakeOfFile(text)).toBe(mistake)
})

import { parseDefinition } from '@millrace/dsl'
import { outlineOf } from '@millrace/dsl/outline'
import { expect, test } from 'vitest'
import { readableValues } from '#src/editor/inspector/readable-values.ts'
import { drawingOf, flatEntries } from '#src/flow/drawing.ts'

const text = `document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0 }
use: { secrets: [bankKey] }
do:
- first: { set: { a: 1 } }
- each:
    for: { each: line, in: .lines }
    do:
    - one: { set: { b: 1 } }
    - get-two: { set: { c: 1 } }
    - three: { set: { d: 1 } }
- last: { set: { e: 1 } }
`
const { entries } = drawingOf(outlineOf(text, 'yaml'))
const titles = { input: 'input', steps: 'steps', start: 'start', secrets: 'secrets' }

function readable(name: string) {
  const entry = [...flatEntries(entries)].find((one) => one.name === name)
  if (entry === undefined) throw new Error(name)
  const context = { json: parseDefinition(text).document, rehearsal: undefined, input: {} }
  return Object.fromEntries(readableValues(entries, entry, context, titles).map(({ key, values }) => [key, values.map(({ root }) => root)]))
}

test('a step reads the steps before it in its list and around it, the nearest first, and the variables of its loop', () => {
  expect(readable('three')).toEqual({
    input: ['.', '$line', '$index'],
    steps: ['$steps["get-two"]', '$steps.one', '$steps.first'],
    start: ['$workflow.input'],
    secrets: ['$secrets.bankKey'],
  })
})

test('steps inside a block are not readable after it', () => {
  expect(readable('last')['steps']).toEqual(['$steps.each', '$steps.first'])
})

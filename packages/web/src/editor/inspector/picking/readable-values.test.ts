import { parseDefinition } from '@millrace/dsl'
import { expect, test } from 'vitest'
import { readableValues } from '#src/editor/inspector/picking/readable-values.ts'

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
const references: Readonly<Record<string, string>> = { three: '/do/1/each/do/2/three', last: '/do/2/last' }
const titles = { input: 'input', steps: 'steps', start: 'start', secrets: 'secrets' }

function groups(definition: string, reference: string) {
  return readableValues(reference, { json: parseDefinition(definition).document, rehearsal: undefined, input: {} }, titles)
}

function readable(name: string) {
  return Object.fromEntries(groups(text, references[name] ?? '').map(({ key, values }) => [key, values.map(({ root }) => root)]))
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

test('a step that ran only on some ways is marked, and the context is there when a task exports it', () => {
  const branched = `do:
- choose: { switch: [{ big: { when: .x, then: large } }, { rest: { then: join } }] }
- large: { set: { b: 1 }, export: { as: . } }
- join: { set: { c: 1 } }
`
  const found = groups(branched, '/do/2/join')
  expect(found.find(({ key }) => key === 'steps')?.values).toEqual([
    { root: '$steps.large', value: undefined, uncertain: true },
    { root: '$steps.choose', value: undefined },
  ])
  expect(found.find(({ key }) => key === 'start')?.values.map(({ root }) => root)).toEqual(['$workflow.input', '$context'])
})

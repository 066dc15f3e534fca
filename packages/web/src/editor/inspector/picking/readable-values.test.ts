import { parseDefinition } from '@millrace/dsl'
import { expect, test } from 'vitest'
import { partsOf, readableValues } from '#src/editor/inspector/picking/readable-values.ts'

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

test('a field of the input can be picked although the sample lacks it, also from the step that gets the input', () => {
  const document = `input: { schema: { document: { properties: { name: { type: string }, photo: { properties: { size: {} } } } } } }
do:
- first: { set: { a: 1 } }
- last: { set: { b: 1 } }
`
  const { document: json } = parseDefinition(document)
  const input = { name: 'Ada' }
  const step = (given: object) => ({ input: given, output: {} })
  const steps = new Map([
    ['/do/0/first', step({ name: 'Ada' })],
    ['/do/1/last', step({ a: 1 })],
  ])
  const found = (reference: string) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Only the steps are read.
    const rehearsal = { steps } as unknown as Parameters<typeof readableValues>[1]['rehearsal']
    const values = readableValues(reference, { json, rehearsal, input }, titles).flatMap((group) => group.values)
    return Object.fromEntries(values.map((value) => [value.root, partsOf(value).map(([key]) => key)]))
  }
  expect(found('/do/0/first')).toMatchObject({ '.': ['name', 'photo'], '$workflow.input': ['name', 'photo'] })
  expect(found('/do/1/last')).toMatchObject({ '.': ['a'] })
  const photo = partsOf({ value: input, schema: json === undefined ? undefined : Object(json).input.schema.document })[1]?.[1]
  expect(partsOf(photo ?? { value: undefined }).map(([key]) => key)).toEqual(['size'])
})

test('the choice of a branch, which is not drawn, is not listed', () => {
  const { document: json } = parseDefinition(`do:
- route:
    do:
    - choose: { switch: [{ yes: { when: .x, then: yes } }] }
    - yes: { set: { b: 1 }, then: exit }
`)
  const listed = (undrawn: ReadonlyMap<string, unknown>) =>
    readableValues('/do/0/route/do/1/yes', { json, rehearsal: undefined, input: {}, undrawn }, titles).find(({ key }) => key === 'steps')
  expect(listed(new Map())?.values.map(({ root }) => root)).toEqual(['$steps.choose'])
  expect(listed(new Map([['/do/0/route/do/0/choose', {}]]))).toBeUndefined()
})

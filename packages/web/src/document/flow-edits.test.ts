import { parseDefinition, validateDefinition } from '@millrace/dsl'
import type { Edit } from '@millrace/dsl/edit'
import { outlineOf } from '@millrace/dsl/outline'
import { describe, expect, test } from 'vitest'
import { applyEdits } from '#src/document/apply-edits.ts'
import { addBranchEdits, addWayEdits, insertEdits, removeEdits, removeLaneEdits } from '#src/document/flow-edits.ts'
import { type DrawnBlock, type DrawnEntry, drawingOf } from '#src/flow/drawing.ts'
import { stepTemplates } from '#src/editor/picker/templates.ts'
import { loadMessages } from '#src/messages/messages.ts'

await loadMessages()

const head = 'document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0 }\n'
const open = `${head}do:
  - route:
      switch:
        - big: { when: .x, then: ask }
        - small: { then: accept }
  # asks no person
  - accept: { set: { a: 1 }, then: join }
  - ask: { set: { a: 2 } }
  - join: { set: { a: 3 } }
`

const jsonOf = (text: string) => parseDefinition(text).document ?? null
const entriesOf = (text: string) => drawingOf(outlineOf(text, 'yaml')).entries

function done(text: string, edits: readonly Edit[]): string {
  const result = applyEdits(text, 'yaml', edits)
  if ('fault' in result) throw new Error(result.fault.message)
  return result.text
}

function lanes(text: string): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries((entriesOf(text)[0]?.blocks ?? []).map(({ label, entries }) => [label, entries.map(({ name }) => name)]))
}

function laneOf(text: string, label: string): { readonly owner: DrawnEntry; readonly block: DrawnBlock } {
  const owner = entriesOf(text)[0]
  const block = owner?.blocks.find((one) => one.label === label)
  if (owner === undefined || block === undefined) throw new Error(`no lane ${label}`)
  return { owner, block }
}

const errorsOf = (text: string) => validateDefinition(text).diagnostics.filter(({ severity }) => severity === 'error')

describe('in a lane that jumps make', () => {
  test.each([
    ['small', 'from', ['fresh', 'accept'], ['ask']],
    ['small', 'to', ['accept', 'fresh'], ['ask']],
    ['big', 'from', ['accept'], ['fresh', 'ask']],
    ['big', 'to', ['accept'], ['ask', 'fresh']],
  ] as const)('a step added to %s at its %s joins the lane and the comments stay', (label, end, small, big) => {
    const lane = laneOf(open, label)
    const text = done(open, insertEdits(jsonOf(open), { list: '/do', index: lane.block[end], lane }, { fresh: { set: { b: 1 } } }))
    expect(lanes(text)).toEqual({ small, big })
    expect(text).toContain('# asks no person')
    expect(errorsOf(text)).toEqual([])
  })

  test('a step added to a way without steps is on that way alone', () => {
    const text = `${head}do:
  - route:
      switch:
        - big: { when: .x, then: ask }
        - small: { then: join }
  - ask: { set: { a: 2 } }
  - join: { set: { a: 3 } }
`
    const lane = laneOf(text, 'small')
    const after = done(text, insertEdits(jsonOf(text), { list: '/do', index: lane.block.from, lane }, { fresh: { set: { b: 1 } } }))
    expect(lanes(after)).toEqual({ big: ['ask'], small: ['fresh'] })
    expect(errorsOf(after)).toEqual([])
  })
})

test('a task that others lead to is removed, and they lead to the one after it', () => {
  const text = done(open, removeEdits(jsonOf(open), '/do/2/ask'))
  expect(text).toContain('big: { when: .x, then: join }')
  expect(errorsOf(text)).toEqual([])
})

const branch = stepTemplates.find(({ key }) => key === 'switch')?.task ?? {}

test('a way is added before the one that takes the rest, and removed with its case', () => {
  const empty = `${head}do:\n  - first: { set: { a: 1 } }\n`
  const made = done(empty, insertEdits(jsonOf(empty), { list: '/do', index: 0 }, branch))
  const grown = done(made, addWayEdits(jsonOf(made), '/do/0/route', 'yes'))
  expect(Object.keys(lanes(grown))).toEqual(['yes', 'yes2', 'otherwise'])
  expect(errorsOf(grown)).toEqual([])
  const smaller = done(grown, removeLaneEdits(jsonOf(grown), '/do/0/route/do/1/yes'))
  expect(Object.keys(lanes(smaller))).toEqual(['yes2', 'otherwise'])
  expect(errorsOf(smaller)).toEqual([])
})

test('an approval is added with a branch that ends the workflow when it is rejected, between the steps around it', () => {
  const asked = stepTemplates.find(({ key }) => key === 'approve')?.task ?? {}
  const functions = [{ name: 'approve', version: '1.0.0' }]
  const codesOf = (text: string) => validateDefinition(text, { functions }).diagnostics.map(({ code }) => code)
  const text = `${head}do:\n  - mail: { set: { a: 1 } }\n`
  const after = done(text, insertEdits(jsonOf(text), { list: '/do', index: 0 }, asked))
  expect(entriesOf(after).map(({ name, kind }) => [name, kind])).toEqual([
    ['ask', 'approve'],
    ['decide', 'switch'],
    ['mail', 'set'],
  ])
  expect(entriesOf(after)[1]?.blocks.map(({ label, detail, leaves }) => [label, detail, leaves])).toEqual([
    ['approved', 'approved', 'join'],
    ['rejected', '', 'end'],
  ])
  expect(codesOf(after)).toEqual([])
  expect(codesOf(done(after, removeEdits(jsonOf(after), '/do/1/decide')))).toEqual(['unread_verdict'])
  const lane = laneOf(open, 'small')
  const within = done(open, insertEdits(jsonOf(open), { list: '/do', index: lane.block.to, lane }, asked))
  expect(lanes(within)).toEqual({ small: ['accept', 'ask2', 'decide'], big: ['ask'] })
})

test('a branch is added to a fork', () => {
  const text = `${head}do:\n  - both: { fork: { branches: [{ one: { do: [] } }] } }\n`
  expect(Object.keys(lanes(done(text, addBranchEdits(jsonOf(text), '/do/0/both', 'branch'))))).toEqual(['one', 'branch'])
})

test.each(stepTemplates.map(({ key, task }) => [key, task] as const))(
  'the template %s is a valid task, with another name where its own is taken',
  (key, task) => {
    const [name = '', ...further] = Object.keys(task)
    const text = `${head}do:\n  - ${name}: { set: { a: 1 } }\n`
    const after = done(text, insertEdits(jsonOf(text), { list: '/do', index: 1 }, task))
    expect(entriesOf(after).map((entry) => entry.name)).toEqual([name, `${name}2`, ...further])
    const functions = key === 'connector' ? [] : errorsOf(after).filter(({ code }) => !code.includes('function'))
    expect(functions).toEqual([])
  },
)

test('a step gets a name that no other step of the document has, in whatever list', () => {
  const once = done(`${head}do: []\n`, insertEdits(jsonOf(`${head}do: []\n`), { list: '/do', index: 0 }, branch))
  const inside = done(once, insertEdits(jsonOf(once), { list: '/do/0/route/do/1/yes/do', index: 0 }, branch))
  const twice = done(inside, insertEdits(jsonOf(inside), { list: '/do', index: 1 }, branch))
  expect(entriesOf(twice).map(({ name }) => name)).toEqual(['route', 'route3'])
  expect(twice).toContain('route2:')
})

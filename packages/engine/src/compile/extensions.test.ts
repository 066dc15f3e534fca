import type { TaskKind } from '@millrace/dsl'
import { describe, expect, test } from 'vitest'
import type { CompiledWorkflow, TaskNode } from '#core/node.ts'
import { definitionOf, uncheckedDefinitionOf } from '#testing/run-definition.ts'

const tasks: Readonly<Record<TaskKind, string>> = {
  do: '{ do: [] }',
  set: '{ set: { x: 1 } }',
  for: `{ for: { in: '[]' }, do: [] }`,
  fork: '{ fork: { branches: [] } }',
  switch: '{ switch: [{ a: { then: continue } }] }',
  try: '{ try: [], catch: {} }',
  raise: `{ raise: { error: { type: 'https://e.test/x', status: 400 } } }`,
  wait: '{ wait: PT1S }',
  call: `{ call: http, with: { method: get, endpoint: { uri: 'http://a' } } }`,
  run: `{ run: { workflow: { namespace: n, name: w, version: '1.0.0' } } }`,
  emit: `{ emit: { event: { with: { source: 'https://s.test', type: a } } } }`,
  listen: '{ listen: { to: { one: { with: { type: a } } } } }',
}
const kinds = Object.keys(tasks)
const everyKind = Object.entries(tasks).map(([kind, task]) => `{ ${kind}: ${task} }`)

function compiled(extensions: string, list = everyKind.join(', ')): CompiledWorkflow {
  return uncheckedDefinitionOf(`use: { extensions: [${extensions}] }\ndo: [${list}]`)
}

const extended = ({ tasks: { tasks: all } }: CompiledWorkflow) =>
  all.filter(({ extensions }) => extensions !== undefined).map(({ name }) => name)

function only(workflow: CompiledWorkflow): TaskNode {
  const [task] = workflow.tasks.tasks
  if (task === undefined) throw new Error('there is no task')
  return task
}

describe('an extension is put to tasks of', () => {
  test.each(kinds.filter((kind) => kind !== 'do' && kind !== 'fork'))('the kind %s alone, when it names that', (kind) => {
    expect(extended(compiled(`{ e: { extend: ${kind} } }`))).toEqual([kind])
  })

  test('the kind do, when it says composite: forks, loops and tries have kinds of their own', () => {
    expect(extended(compiled('{ e: { extend: composite } }'))).toEqual(['do'])
  })

  test('every kind, when it says all', () => {
    expect(extended(compiled('{ e: { extend: all } }'))).toEqual(kinds)
  })

  test('no kind at all, when it names none that there is', () => {
    expect(extended(compiled('{ e: { extend: nothing } }'))).toEqual([])
  })
})

describe('a task has of the extensions', () => {
  test('those that apply to it, in the order of the definition, several to an item or one', () => {
    const own = only(
      compiled(
        `{ one: { extend: set, before: [{ a: ${tasks.set} }] }, two: { extend: call } }, { three: { extend: all, before: [{ b: ${tasks.set} }] } }`,
        `{ s: ${tasks.set} }`,
      ),
    ).extensions
    expect(own?.map(({ before }) => before.tasks.map(({ name }) => name))).toEqual([['a'], ['b']])
  })

  test('the lists, compiled once for all that they apply to', () => {
    const workflow = compiled(`{ e: { extend: set, before: [{ a: ${tasks.set} }] } }`, `{ s: ${tasks.set} }, { t: ${tasks.set} }`)
    const [first, second] = workflow.tasks.tasks
    expect(first?.extensions?.[0]?.before).toBe(second?.extensions?.[0]?.before)
  })

  test('empty lists, where the definition has none', () => {
    expect(only(compiled('{ e: { extend: set } }', `{ s: ${tasks.set} }`)).extensions).toMatchObject([
      { before: { tasks: [] }, after: { tasks: [] } },
    ])
  })

  test('a condition only where the definition has one', () => {
    const of = (more: string) => Object.keys(only(compiled(`{ e: { extend: set ${more} } }`, `{ s: ${tasks.set} }`)).extensions?.[0] ?? {})
    expect(of('')).not.toContain('when')
    expect(of(', when: .n > 1')).toContain('when')
  })

  test('nothing where the definition has no extensions, so that the walk need not look', () => {
    expect('extensions' in only(uncheckedDefinitionOf(`do: [{ s: ${tasks.set} }]`))).toBe(false)
  })
})

describe('tasks of an extension', () => {
  test('are named by where they stand, whatever the extension is called', () => {
    const own = only(
      compiled(
        `{ x: { extend: call } }, { 'log/all~': { extend: set, before: [{ 'a/b': ${tasks.set} }], after: [{ c: ${tasks.set} }] } }`,
        `{ s: ${tasks.set} }`,
      ),
    ).extensions?.[0]
    expect(own?.before.tasks.map(({ reference }) => reference)).toEqual(['/use/extensions/1/log~1all~0/before/0/a~1b'])
    expect(own?.after.tasks.map(({ reference }) => reference)).toEqual(['/use/extensions/1/log~1all~0/after/0/c'])
  })

  test('are extended by none, not even deep inside', () => {
    const own = only(compiled(`{ e: { extend: all, before: [{ list: { do: [{ inner: ${tasks.set} }] } }] } }`, `{ s: ${tasks.set} }`))
      .extensions?.[0]
    expect(JSON.stringify(own)).toContain('"inner"')
    expect(JSON.stringify(own)).not.toContain('"extensions":[')
  })

  test('lead to one another by name, and not into the list of the task that they stand around', () => {
    const around = (then: string) => `{ e: { extend: set, before: [{ a: { wait: PT0S, then: ${then} } }, { b: { wait: PT0S } }] } }`
    expect(only(compiled(around('b'), `{ s: ${tasks.set} }`)).extensions?.[0]?.before.tasks[0]?.then).toEqual({ goto: 1 })
    expect(() => compiled(around('s'), `{ s: ${tasks.set} }`)).toThrow('"then: s" names no task of its list')
  })

  test('see no variables of the loop that their task stands in: they are compiled once for all places', () => {
    const loop = `{ loop: { for: { each: row, in: '[1]' }, do: [{ s: ${tasks.set} }] } }`
    expect(() => compiled(`{ e: { extend: set, before: [{ a: { set: { n: '\${ $row }' } } }] } }`, loop)).toThrow('$row')
    expect(() => compiled(`{ e: { extend: set, when: $row == 1 } }`, loop)).toThrow('$row')
  })

  test('may call functions of the document, which are not extended there', () => {
    const yaml = `use: { functions: { f: ${tasks.set} }, extensions: [{ e: { extend: set, before: [{ a: { call: f } }] } }] }\ndo: [{ s: ${tasks.set} }, { c: { call: f } }]`
    const [s, c] = definitionOf(yaml).tasks.tasks
    const called = (node: TaskNode | undefined) => (node?.body.kind === 'function' ? node.body.node : undefined)
    expect(called(s?.extensions?.[0]?.before.tasks[0])).not.toHaveProperty('extensions')
    expect(called(c)?.extensions).toHaveLength(1)
  })
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lists, tasks } from '#src/testing/arbitrary-tasks.ts'
import type { CallTask, Task } from '#src/shape/task-shapes.ts'
import { flowOf } from './directives.ts'
import { taskEntries } from './task-entries.ts'
import { classifyTask, isCallOf, taskKind, taskKinds } from './task-kind.ts'

describe('kinds of tasks', () => {
  const examples: readonly (readonly [kind: string, task: Task])[] = [
    ['call', { call: 'http', with: { method: 'get', endpoint: 'https://a.b' } }],
    ['call', { call: 'approve' }],
    ['do', { do: [] }],
    ['emit', { emit: { event: { with: { source: 'https://a.b', type: 'x' } } } }],
    ['for', { for: { in: '.x' }, do: [] }],
    ['for', { do: [], for: { in: [] } }],
    ['fork', { fork: { branches: [] } }],
    ['listen', { listen: { to: { any: [] } } }],
    ['raise', { raise: { error: 'x' } }],
    ['run', { run: { shell: { command: 'x' } } }],
    ['set', { set: { call: 'http' } }],
    ['switch', { switch: [] }],
    ['try', { try: [], catch: {} }],
    ['wait', { wait: 'PT1S' }],
  ]

  test.each(examples)('%s', (kind, task) => {
    expect(taskKind(task)).toBe(kind)
    expect(classifyTask(task)).toEqual({ kind, task })
  })

  test('every kind has an example', () => {
    expect(new Set(examples.map(([kind]) => kind))).toEqual(new Set(taskKinds))
  })

  test('the kind narrows the task', () => {
    const classified = classifyTask({ wait: { seconds: 5 } })
    // This only compiles when the kind decides the type.
    const duration = classified.kind === 'wait' ? classified.task.wait : undefined
    expect(duration).toEqual({ seconds: 5 })
  })

  test('a call is classified by its target', () => {
    const task: CallTask = { call: 'http', with: { method: 'get', endpoint: 'https://a.b' } }
    expect(isCallOf(task, 'http') ? task.with.method : undefined).toBe('get')
    expect(isCallOf(task, 'openapi')).toBe(false)
  })
})

describe('entries of a list', () => {
  test('entries have name and index, in order', () => {
    const first: Task = { set: { x: 1 } }
    const second: Task = { wait: 'PT1S' }
    expect(taskEntries([{ a: first }, { b: second }])).toEqual([
      { name: 'a', task: first, index: 0 },
      { name: 'b', task: second, index: 1 },
    ])
    expect(taskEntries([])).toEqual([])
  })

  test('every task of a list is an entry', () => {
    fc.assert(
      fc.property(lists, (list) => {
        if (!Array.isArray(list)) throw new Error('A generated list is not a list.')
        expect(taskEntries(list)).toHaveLength(list.length)
      }),
      { numRuns: 100 },
    )
  })
})

/** A switch and its cases, without an object literal that has `then`. */
function cases(...entries: readonly (readonly [string, Record<string, string>])[]) {
  return { switch: entries.map(([name, content]) => ({ [name]: content })) }
}

describe('the flow of a task', () => {
  test('a task without a directive continues with the next one', () => {
    expect(flowOf({ set: { x: 1 } })).toEqual({ directives: [], fallsThrough: true })
  })

  test('follows then', () => {
    expect(flowOf(JSON.parse('{ "set": {}, "then": "b" }'))).toEqual({
      directives: [{ target: 'b', kind: 'then', at: ['then'], effective: true }],
      fallsThrough: false,
    })
  })

  test('passes by when there is a condition', () => {
    expect(flowOf(JSON.parse('{ "if": ".x", "set": {}, "then": "b" }')).fallsThrough).toBe(true)
  })

  test('the flow ends at a raised error, whatever its then', () => {
    expect(flowOf(JSON.parse('{ "raise": {}, "then": "b" }'))).toMatchObject({ directives: [{ effective: false }], fallsThrough: false })
  })

  test('the flow of a switch is that of its cases, then its own', () => {
    const open = flowOf(cases(['a', JSON.parse('{ "when": ".x", "then": "b" }')]))
    expect(open).toMatchObject({
      directives: [{ target: 'b', kind: 'case', label: 'a', at: ['switch', 0, 'a', 'then'], effective: true }],
      fallsThrough: true,
    })
    const closed = flowOf(cases(['a', JSON.parse('{ "when": ".x", "then": "b" }')], ['c', JSON.parse('{ "then": "end" }')]))
    expect(closed).toMatchObject({ directives: [{ target: 'b' }, { target: 'end', effective: true }], fallsThrough: false })
  })

  test('a second default of a switch is never followed', () => {
    const flow = flowOf(cases(['a', JSON.parse('{ "then": "b" }')], ['c', JSON.parse('{ "then": "d" }')]))
    expect(flow.directives.map(({ effective }) => effective)).toEqual([true, false])
  })

  test('the flow of a try includes that of its catch', () => {
    expect(flowOf(JSON.parse('{ "try": [], "catch": { "then": "b" }, "then": "c" }')).directives).toMatchObject([
      { target: 'b', kind: 'catch', at: ['catch', 'then'], effective: true },
      { target: 'c', kind: 'then', effective: true },
    ])
  })

  test.each([
    'null',
    '5',
    '"x"',
    '[]',
    '{ "switch": 5 }',
    '{ "switch": [5, { "a": 5 }, { "a": { "then": 5 } }] }',
    '{ "catch": 5, "then": 5 }',
  ])('the flow of %s, which is invalid, is read without an exception', (text) => {
    expect(flowOf(JSON.parse(text)).directives).toEqual([])
  })

  test('every task either continues or has a directive', () => {
    fc.assert(
      fc.property(tasks, (task) => {
        const { directives, fallsThrough } = flowOf(task)
        const raises = typeof task === 'object' && task !== null && 'raise' in task
        expect(raises || fallsThrough || directives.some(({ effective }) => effective)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

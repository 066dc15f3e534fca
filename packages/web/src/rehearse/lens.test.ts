import type { Json } from '@millrace/dsl'
import { expect, test } from 'vitest'
import { createCheckAnswers } from '#src/rehearse/check.ts'
import type { Lens, LensRequest } from '#src/rehearse/lens.ts'

const head = 'document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0 }\n'

/** Asks for the lens of an expression after a definition was rehearsed on an input. */
function lens(tasks: string, input: Json, asked: Partial<LensRequest> & Pick<LensRequest, 'task' | 'text'>): Lens | undefined {
  const answers = createCheckAnswers(() => 0)
  answers.check({ text: head + tasks, syntax: 'yaml', input, pins: new Map() })
  return answers.lens({ moment: 'task', bare: false, ...asked })
}

/** The first value after each stage. */
function values(found: Lens | undefined): readonly (readonly [string, Json | undefined])[] {
  if (found?.kind !== 'stages') throw new Error(`no stages: ${JSON.stringify(found)}`)
  return found.rows.map(({ code, values: [first] }) => [code, first === undefined ? undefined : JSON.parse(first.text)])
}

const shop = `do:
- price: { set: { total: '\${ [.lines[] | .price] | add }' } }
- note: { if: '\${ .total > 5 }', input: { from: '\${ { sum: .total } }' }, set: { text: x }, output: { as: '\${ .text }' }, export: { as: '\${ { out: . } }' } }
- after: { set: { y: 1 } }
`
const input = { lines: [{ price: 2 }, { price: 5 }] }

test('an expression is computed on the input of its task, stage by stage', () => {
  expect(values(lens(shop, input, { task: '/do/0/price', text: '${ [.lines[] | .price] | add }' }))).toEqual([
    ['.lines[]', { price: 2 }],
    ['.price', 2],
    ['[.lines[] | .price]', [2, 5]],
    ['add', 7],
  ])
})

test('each moment of a task has its own value: before and after input, output and export', () => {
  const at = (moment: LensRequest['moment']) => values(lens(shop, input, { task: '/do/1/note', moment, text: '.', bare: true }))[0]?.[1]
  expect([at('taskInput'), at('task'), at('taskOutput'), at('taskExport')]).toEqual([{ total: 7 }, { sum: 7 }, { text: 'x' }, 'x'])
})

test('variables are those that the task could read: earlier steps, the context then, loop variables, no later steps', () => {
  const read = (task: string, text: string) => values(lens(shop, input, { task, text, bare: true }))[0]?.[1]
  expect(read('/do/1/note', '$steps')).toEqual({ price: { total: 7 } })
  expect(read('/do/1/note', '$context')).toEqual(input)
  expect(read('/do/2/after', '$context')).toEqual({ out: 'x' })
  expect(read('/do/2/after', '$workflow.input')).toEqual(input)
  expect(lens(shop, input, { task: '/do/1/note', text: '$output', bare: true })).toEqual({
    kind: 'broken',
    message: '$output is not defined',
  })
  const loop = "do:\n- each: { for: { each: line, in: '${ .lines }' }, do: [{ one: { set: { a: '${ $line }' } } }] }\n"
  expect(values(lens(loop, input, { task: '/do/0/each/do/0/one', text: '${ $line | .price }' }))).toEqual([
    ['$line', { price: 5 }],
    ['.price', 5],
  ])
})

test('before the first task of a loop or a catch, its condition reads the item or the error', () => {
  const loop = "do:\n- each: { for: { each: line, in: '${ .lines }' }, while: '${ true }', do: [{ one: { set: { a: 1 } } }] }\n"
  const inLoop = lens(loop, input, { task: '/do/0/each/do/0/one', moment: 'taskInput', text: '$line.price > 3', bare: true })
  expect(values(inLoop).at(-1)?.[1]).toBe(true)
  const raising = '{ raise: { error: { type: "https://example.com/full", status: 507, title: Full } } }'
  const tasks = `do:\n- guard: { try: [{ bad: ${raising} }], catch: { when: '\${ true }', do: [{ note: { set: { a: 1 } } }] } }\n`
  const inCatch = lens(tasks, input, { task: '/do/0/guard/catch/do/0/note', moment: 'taskInput', text: '$error.status', bare: true })
  expect(values(inCatch).at(-1)?.[1]).toBe(507)
})

test('a task that its condition skips, and one that faults, have their input', () => {
  const tasks = "do:\n- off: { if: '${ .go }', set: { a: 1 } }\n- bad: { set: { a: '${ .go | .x | .y }' } }\n"
  expect(values(lens(tasks, { go: false }, { task: '/do/0/off', moment: 'taskInput', text: '.go', bare: true }))).toEqual([['.go', false]])
  const found = lens(tasks, { go: false }, { task: '/do/1/bad', text: '${ .go | .x | .y }' })
  expect(found).toMatchObject({
    kind: 'stages',
    rows: [{ error: undefined }, { error: { message: 'Cannot index boolean with string ("x")' } }, { reached: false }],
  })
})

test('where the rehearsal has no value the lens says so, and a text that is no expression has none', () => {
  const call = `do:
- fetch: { call: http, with: { method: get, endpoint: https://example.com } }
- read: { set: { name: '\${ .name }' } }
`
  expect(lens(call, {}, { task: '/do/1/read', text: '${ .name }' })).toEqual({ kind: 'unknown' })
  expect(lens(call, {}, { task: '/do/0/fetch', moment: 'taskOutput', text: '${ .name }' })).toEqual({ kind: 'unknown' })
  expect(lens(shop, input, { task: '/do/0/price', text: 'total: ${ .x }' })).toBeUndefined()
  expect(lens(shop, input, { task: '/do/0/price', text: ' ', bare: true })).toBeUndefined()
})

test('while the text cannot be rehearsed, the values of the last rehearsal stay', () => {
  const answers = createCheckAnswers(() => 0)
  const request = { syntax: 'yaml', input, pins: new Map() } as const
  answers.check({ ...request, text: head + shop })
  answers.check({ ...request, text: `${head}do: [` })
  expect(values(answers.lens({ task: '/do/0/price', moment: 'task', bare: true, text: '.lines | length' }))[1]).toEqual(['length', 2])
})

import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { describe, expect, test } from 'vitest'
import { graphOf } from '#src/graph/graph-of.ts'
import { parseDefinition } from '#src/parse/parse-definition.ts'
import type { Json } from '#src/json.ts'
import { expressionLengthMax, expressionsLengthMax } from './checks/check-expressions.ts'
import { tasksMax } from './walk/task-shape.ts'
import { validateDefinition } from './validate-definition.ts'

const header = { dsl: '1.0.3', namespace: 't', name: 't', version: '1.0.0' }

function definitionOf(tasks: readonly Json[], use: Json = {}): string {
  return JSON.stringify({ document: header, use, do: tasks }, null, 1)
}

function many<T>(count: number, one: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => one(index))
}

function byName(count: number, name: string, one: (index: number) => Json): Json {
  return Object.fromEntries(many(count, (index) => [`${name}${index}`, one(index)]))
}

const set = { set: { a: 1 } }

const cases: Readonly<Record<string, (count: number) => string>> = {
  'tasks that are right': (count) => definitionOf(many(count, (index) => ({ [`t${index}`]: set }))),
  'expressions that read steps': (count) =>
    definitionOf(many(count, (index) => ({ [`t${index}`]: { set: { a: `\${ $steps.t${Math.max(0, index - 1)}.a }` } } }))),
  'steps that do not exist': (count) =>
    definitionOf(many(count, (index) => ({ [`t${index}`]: { set: { a: `\${ $steps.somewhere${index} }` } } }))),
  'variables that do not exist': (count) =>
    definitionOf(many(count, (index) => ({ [`t${index}`]: { set: { a: `\${ $nowhere${index} }` } } }))),
  'directives to nowhere': (count) => definitionOf(many(count, (index) => ({ [`t${index}`]: { ...set, then: `nowhere${index}` } }))),
  'directives to each other': (count) =>
    definitionOf(many(count, (index) => ({ [`t${index}`]: { ...set, then: `t${(index + 7) % count}` } }))),
  'tasks of one name': (count) => definitionOf(many(count, () => ({ t: set }))),
  'calls of functions that do not exist': (count) =>
    definitionOf(
      many(count, (index) => ({ [`t${index}`]: { call: `nothing${index}` } })),
      { functions: byName(count, 'f', () => set) },
    ),
  'calls of as many functions': (count) =>
    definitionOf(
      many(count, (index) => ({ [`t${index}`]: { call: `f${index}` } })),
      { functions: byName(count, 'f', () => set) },
    ),
  'errors that do not exist': (count) =>
    definitionOf(
      many(count, (index) => ({ [`t${index}`]: { raise: { error: `wrong${index}` } } })),
      {
        errors: byName(count, 'e', () => ({ type: 'https://a.b/c', status: 400 })),
      },
    ),
  'secrets that are listed': (count) =>
    definitionOf(
      many(count, (index) => ({ [`t${index}`]: { set: { a: `\${ $secrets.s${index} }` } } })),
      {
        secrets: many(count, (index) => `s${index}`),
      },
    ),
  'secrets that are not': (count) =>
    definitionOf(
      many(count, (index) => ({ [`t${index}`]: { set: { a: `\${ $secrets.other${index} }` } } })),
      {
        secrets: many(count, (index) => `s${index}`),
      },
    ),
  'retry policies, and names of errors that they may read': (count) =>
    definitionOf(
      many(count, (index) => ({ [`t${index}`]: { try: [{ a: set }], catch: { as: `e${index}`, retry: `r${index}` } } })),
      { retries: byName(count, 'r', (index) => ({ when: `$e${index}.status == 503`, exceptWhen: '$wrong' })) },
    ),
  'properties that do not exist': (count) => definitionOf([{ t: { ...set, ...Object(byName(count * 5, 'thxn', () => 1)) } }]),
  'undefined variables of one expression': (count) =>
    definitionOf([{ t: { set: { a: `\${ ${many(count, (i) => `$u${i}`).join(', ')} }` } } }]),
  'unknown steps of one expression': (count) =>
    definitionOf([{ t: { set: { a: `\${ ${many(count, (i) => `$steps.u${i}`).join(', ')} }` } } }]),
}

function milliseconds(text: string): number {
  const parsed = parseDefinition(text)
  expect(parsed.diagnostics).toEqual([])
  const started = startProcessorTime()
  const { definition } = validateDefinition(parsed)
  if (definition !== undefined) graphOf(definition)
  return started()
}

/** Twice the tasks may take three times as long, and 100 ms more; a machine that is busy elsewhere gets four tries. */
function growsLinearly(make: (count: number) => string): boolean {
  const [once, twice] = [make(1000), make(2000)]
  for (let attempt = 0; attempt < 4; attempt++) if (milliseconds(twice) <= 3 * milliseconds(once) + 100) return true
  return false
}

describe('validation takes time that is linear in the number of', () => {
  test.each(Object.entries(cases))('%s', (_, make) => {
    expect(growsLinearly(make)).toBe(true)
  })
})

describe('limits of what is validated', () => {
  const list = (count: number) => many(count, (index) => ({ [`t${index}`]: set }))

  test('the maximum number of tasks is validated within seconds', () => {
    const started = startProcessorTime()
    expect(validateDefinition(definitionOf(list(tasksMax))).diagnostics).toEqual([])
    expect(started()).toBeLessThan(5000)
  })

  test('one task more is refused where it stands, wherever that is', () => {
    const flat = validateDefinition(definitionOf(list(tasksMax + 10)))
    expect(flat.definition).toBeUndefined()
    expect(flat.diagnostics).toMatchObject([
      { code: 'document_too_large', pointer: `/do/${tasksMax}/t${tasksMax}`, message: `The document has more than ${tasksMax} tasks.` },
    ])
    const { diagnostics } = validateDefinition(definitionOf([{ outer: { do: list(tasksMax - 1) } }, { last: set }]))
    expect(diagnostics).toMatchObject([{ code: 'document_too_large', pointer: '/do/1/last' }])
  })

  test('an expression may be so long, and no longer', () => {
    const expressionOf = (length: number) => definitionOf([{ t: { set: { a: `\${"${'x'.repeat(length - 2)}"}` } } }])
    expect(validateDefinition(expressionOf(expressionLengthMax)).diagnostics).toEqual([])
    const { diagnostics } = validateDefinition(expressionOf(expressionLengthMax + 1))
    expect(diagnostics).toMatchObject([{ code: 'text_too_long', pointer: '/do/0/t/set/a', message: expect.stringContaining('65536') }])
  })

  test('all expressions together may be so long, and no longer', () => {
    const piece = 65_000
    const count = Math.ceil(expressionsLengthMax / piece)
    const expressions = (more: number) =>
      definitionOf(many(count - 1 + more, (index) => ({ [`t${index}`]: { set: { a: `\${"${'x'.repeat(piece - 2)}"}` } } })))
    expect(validateDefinition(expressions(0)).diagnostics).toEqual([])
    const { diagnostics } = validateDefinition(expressions(3))
    expect(diagnostics).toMatchObject([
      { code: 'document_too_large', pointer: `/do/${count - 1}/t${count - 1}/set/a`, message: expect.stringContaining('262144') },
    ])
  })
})

import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { describe, expect, test } from 'vitest'
import type { TaskNode } from '#core/node.ts'
import { definitionOf, uncheckedDefinitionOf } from '#testing/run-definition.ts'
import { walk } from '#testing/walk.ts'
import { compileWorkflow } from './compile-workflow.ts'

const first = (yaml: string): TaskNode => {
  const [task] = uncheckedDefinitionOf(yaml).tasks.tasks
  if (task === undefined) throw new Error('the definition has no task')
  return task
}

describe('a compiled workflow', () => {
  test('knows its document, its secrets and the definition it was made of', () => {
    const workflow = definitionOf(`
      document: { dsl: '1.0.3', namespace: shop, name: order, version: '2.1.0' }
      use: { secrets: [token, key] }
      do: [{ a: { set: { x: 1 } } }]`)
    expect(workflow).toMatchObject({ document: { namespace: 'shop', name: 'order', version: '2.1.0' }, secrets: ['token', 'key'] })
    expect(workflow.definition).toMatchObject({ do: [{ a: { set: { x: 1 } } }] })
  })

  test('has no secrets when none are declared', () => {
    expect(definitionOf('do: [{ a: { set: { x: 1 } } }]').secrets).toEqual([])
  })

  test('has only the members that the definition has, so that the walk need not look', () => {
    expect(Object.keys(first('do: [{ a: { set: { x: 1 } } }]')).toSorted()).toEqual([
      'body',
      'definition',
      'kind',
      'name',
      'reference',
      'segment',
      'then',
    ])
    expect(Object.keys(definitionOf('do: [{ a: { set: { x: 1 } } }]')).toSorted()).toEqual(['definition', 'document', 'secrets', 'tasks'])
  })

  test('serves executions side by side', () => {
    const workflow = definitionOf(`do: [{ a: { set: { id: '\${ $workflow.id }', n: '\${ .n }' } } }]`)
    const outputs = [1, 2, 3].map((n) => walk(workflow, { id: `e${n}`, input: { n } }).output)
    expect(outputs).toEqual([1, 2, 3].map((n) => ({ id: `e${n}`, n })))
  })
})

describe('where a flow goes is resolved once', () => {
  test.each([
    ['nothing', '', 'continue'],
    ['continue', ', then: continue', 'continue'],
    ['exit', ', then: exit', 'exit'],
    ['end', ', then: end', 'end'],
    ['a name', ', then: c', { goto: 2 }],
    ['its own name', ', then: a', { goto: 0 }],
  ])('%s', (_what, then, expected) => {
    expect(first(`do: [{ a: { set: { x: 1 }${then} } }, { b: { set: { x: 1 } } }, { c: { set: { x: 1 } } }]`).then).toEqual(expected)
  })

  test('a name that leads nowhere is refused', () => {
    expect(() => first('do: [{ a: { set: { x: 1 }, then: nowhere } }]')).toThrow('"then: nowhere" names no task of its list')
  })

  test('a name of another list leads nowhere', () => {
    expect(() => first('do: [{ a: { do: [{ b: { set: { x: 1 }, then: c } }] } }, { c: { set: { x: 1 } } }]')).toThrow('"then: c"')
  })

  test('cases of a switch lead into the list of the switch', () => {
    const { body } = first('do: [{ a: { switch: [{ x: { when: .a, then: b } }, { y: { then: end } }] } }, { b: { set: { x: 1 } } }]')
    expect(body).toMatchObject({ kind: 'switch', cases: [{ then: { goto: 1 } }], otherwise: 'end' })
  })
})

describe('defaults', () => {
  test.each([
    ['for', '{ for: { in: .x }, do: [] }', { each: 'item', at: 'index' }],
    ['fork', '{ fork: { branches: [] } }', { compete: false }],
    ['catch', '{ try: [], catch: {} }', { catch: { as: 'error', filter: {} } }],
    ['run', `{ run: { workflow: { namespace: n, name: w, version: '1.0.0' } } }`, { await: true }],
    ['retry', '{ try: [], catch: { retry: { } } }', { catch: { retry: { backoff: 'constant' } } }],
  ])('of %s', (_what, task, expected) => {
    expect(first(`do: [{ a: ${task} }]`).body).toMatchObject(expected)
  })
})

describe('what is used by its name', () => {
  const policy = (use: string) =>
    walk(
      `${use}
do: [{ c: { call: http, with: { method: get, endpoint: { uri: 'http://a', authentication: { use: who } } } } }]`,
      { input: { user: 'ada' }, secrets: { password: 'hush' } },
    )

  test('an authentication policy is put in the place of its name, evaluated', () => {
    const { calls } = policy(
      `use: { secrets: [password], authentications: { who: { basic: { username: '\${ .user }', password: '\${ $secrets.password }' } } } }`,
    )
    expect(calls[0]?.arguments).toMatchObject({
      endpoint: { uri: 'http://a', authentication: { basic: { username: 'ada', password: 'hush' } } },
    })
  })

  test('an authentication policy in place stays as it is', () => {
    const { calls } = walk(
      `do: [{ c: { call: http, with: { method: get, endpoint: { uri: 'http://a', authentication: { bearer: { token: abc } } } } } }]`,
    )
    expect(calls[0]?.arguments).toMatchObject({ endpoint: { authentication: { bearer: { token: 'abc' } } } })
  })

  test('an endpoint that is text needs no policy', () => {
    expect(walk(`do: [{ c: { call: http, with: { method: get, endpoint: 'http://a' } } }]`).calls[0]?.arguments).toEqual({
      method: 'get',
      endpoint: 'http://a',
    })
  })

  test('an error that does not exist is refused', () => {
    expect(() => first('do: [{ a: { raise: { error: unknown } } }]')).toThrow('names no error of "use.errors"')
  })
})

test('variables of a task are known inside of it only', () => {
  const inside = (task: string) => () => uncheckedDefinitionOf(`do: [{ a: ${task} }]`)
  expect(inside(`{ for: { each: row, in: .x }, while: $row, do: [{ b: { set: { x: '\${ $row + $index }' } } }] }`)).not.toThrow()
  expect(inside(`{ for: { each: row, in: '$row' }, do: [] }`)).toThrow('$row')
  expect(inside(`{ for: { each: row, in: .x }, do: [], output: { as: '$row' } }`)).toThrow('$row')
  expect(inside(`{ try: [{ b: { set: '\${ $error }' } }], catch: {} }`)).toThrow('$error')
  expect(inside(`{ try: [], catch: { as: e, when: $error.status == 1 } }`)).toThrow('$error')
})

test('a definition of five thousand tasks compiles in the time of a request', () => {
  const tasks = Array.from({ length: 5_000 }, (_, index) => ({
    [`t${index}`]: { set: { n: '${ .n + 1 }' }, then: `t${(index + 1) % 5_000}` },
  }))
  const document = { dsl: '1.0.3', namespace: 'n', name: 'w', version: '1.0.0' }
  const began = startProcessorTime()
  const workflow = compileWorkflow({ document, do: tasks })
  expect(workflow.tasks.tasks).toHaveLength(5_000)
  expect(began()).toBeLessThan(3_000)
})

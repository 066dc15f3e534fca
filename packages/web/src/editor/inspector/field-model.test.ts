import { parseDefinition } from '@millrace/dsl'
import { describe, expect, test } from 'vitest'
import { childFields, inForm, scalarOf, scalarText, taskFields } from '#src/editor/inspector/field-model.ts'
import { stepTemplates } from '#src/editor/picker/templates.ts'

const documentOf = (tasks: string) =>
  parseDefinition(
    `document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0 }\nuse: { retries: { often: { delay: PT1S } } }\ndo:\n${tasks}`,
  ).document ?? null

const shown = (fields: ReturnType<typeof childFields>) => fields.map(({ key, widget }) => `${key}: ${widget}`)

test.each([
  ['endpoint', 'https://shop.example/orders', 'parts', { uri: 'https://shop.example/orders' }],
  ['endpoint', { uri: 'https://shop.example/orders', authentication: {} }, 'text', 'https://shop.example/orders'],
  ['endpoint', '', 'parts', {}],
  ['timeout', 'PT5M', 'parts', {}],
  ['timeout', { after: 'PT5M' }, 'text', ''],
  ['to', 'ada@example.com', 'list', ['ada@example.com']],
  ['to', ['ada@example.com', 'grace@example.com'], 'text', 'ada@example.com'],
  ['to', undefined, 'list', []],
] as const)('the %s %j has in the form of %s what both forms have', (key, value, form, expected) => {
  expect(inForm(form, { key, value })).toEqual(expected)
})

describe('the form of a task', () => {
  test('the arguments of an HTTP call are fields of their own, the required ones among them', () => {
    const json = documentOf('- get: { call: http, with: { method: get, endpoint: https://example.com, body: { a: 1 } } }\n')
    const { setup, data, flow } = taskFields(json, '/do/0/get')
    expect(shown(setup)).toEqual([
      'method: choice',
      'endpoint: text',
      'headers: rows',
      'query: rows',
      'body: rows',
      'output: choice',
      'redirect: boolean',
    ])
    expect(setup.filter(({ required }) => required).map(({ key }) => key)).toEqual(['method', 'endpoint'])
    expect(shown(data)).toEqual(['input: fields', 'output: fields', 'export: fields'])
    expect(shown(flow)).toEqual(['if: expression', 'timeout: text', 'then: choice', 'metadata: yaml'])
  })

  test('a method of HTTP is chosen, and an expression that gives it is written', () => {
    const methodOf = (method: string) =>
      taskFields(documentOf(`- a: { call: http, with: { method: ${method}, endpoint: 'https://a.b' } }\n`), '/do/0/a').setup.find(
        ({ key }) => key === 'method',
      )
    expect(methodOf('GET')).toMatchObject({ widget: 'choice', value: 'GET', choices: expect.arrayContaining(['get', 'post']) })
    expect(methodOf("'${ .method }'")).toMatchObject({ widget: 'text' })
  })

  test('what a task may lead to are the other tasks of its list', () => {
    const json = documentOf('- a: { set: { x: 1 } }\n- b: { set: { x: 1 } }\n- c: { switch: [{ big: { when: .x, then: a } }] }\n')
    expect(taskFields(json, '/do/0/a').flow.find(({ key }) => key === 'then')?.choices).toEqual(['continue', 'exit', 'end', 'b', 'c'])
    const then = childFields(json, '/do/2/c/switch/0/big').find(({ key }) => key === 'then')
    expect(then?.choices).toEqual(['continue', 'exit', 'end', 'a', 'b'])
  })

  test('a value in parts has the fields of its parts, and a text the form of a text', () => {
    const parts = documentOf('- a: { wait: { seconds: 5 } }\n')
    expect(taskFields(parts, '/do/0/a').setup[0]).toMatchObject({ key: 'wait', widget: 'fields', forms: ['text', 'parts'] })
    const text = documentOf('- a: { wait: PT5S }\n')
    expect(taskFields(text, '/do/0/a').setup[0]).toMatchObject({ widget: 'text', value: 'PT5S' })
  })

  test('keys that the language does not know stay editable', () => {
    const json = documentOf('- a: { wait: PT5S, color: red }\n')
    expect(shown(taskFields(json, '/do/0/a').setup)).toContain('color: any')
  })

  test('policies that are declared once are offered by name', () => {
    const json = documentOf('- a: { try: [], catch: { retry: often } }\n')
    expect(childFields(json, '/do/0/a/catch').find(({ key }) => key === 'retry')?.choices).toEqual(['often'])
  })

  test.each(stepTemplates.map(({ key, task }) => [key, task] as const))('the template %s has a form', (_key, task) => {
    const [name = ''] = Object.keys(task)
    const json = { ...Object(documentOf('- a: { set: { x: 1 } }\n')), do: [task] }
    const { setup } = taskFields(json, `/do/0/${name}`)
    const drawn = ['do', 'try'].some((kind) => kind in Object(task[name]))
    expect(drawn || setup.length > 0).toBe(true)
  })
})

test.each([
  ['5', 5],
  ['-1.5', -1.5],
  ['true', true],
  ['null', null],
  ['"5"', '5'],
  ['5 apples', '5 apples'],
  ['${ .x }', '${ .x }'],
  ['"quoted"', '"quoted"'],
  ['007', '007'],
])('%s in a field means %j, and is shown as it was typed', (text, value) => {
  expect(scalarOf(text)).toBe(value)
  expect(scalarText(value)).toBe(text)
})

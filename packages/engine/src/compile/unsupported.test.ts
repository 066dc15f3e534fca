import { describe, expect, test } from 'vitest'
import type { Definition } from '@millrace/dsl'
import { parse } from 'yaml'
import { compileWorkflow } from './compile-workflow.ts'
import { unsupportedIn, UnsupportedError } from './unsupported.ts'

function definition(yaml: string): Definition {
  const document = { dsl: '1.0.3', namespace: 'n', name: 'w', version: '1.0.0' }
  const given: object = parse(yaml)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is parsed YAML; its type only names what is in it.
  return { document, ...given } as Definition
}

const pointers = (yaml: string) => unsupportedIn(definition(yaml)).map(({ pointer }) => pointer)

const openapi = `{ api: { call: openapi, with: { document: { endpoint: 'http://a' }, operationId: x } } }`

describe('what this engine cannot run is told with its place', () => {
  test.each([
    ['call: openapi', openapi, '/do/0/api/call'],
    ['call: grpc', `{ g: { call: grpc, with: {} } }`, '/do/0/g/call'],
    ['a function', `{ f: { call: approve } }`, '/do/0/f/call'],
    ['emit', `{ e: { emit: { event: { with: { source: 'http://a', type: t } } } } }`, '/do/0/e/emit'],
    ['listen', `{ l: { listen: { to: { one: { with: { type: t } } } } } }`, '/do/0/l/listen'],
    ['run: script', `{ r: { run: { script: { language: js, code: '1' } } } }`, '/do/0/r/run'],
    ['run: shell', `{ r: { run: { shell: { command: ls } } } }`, '/do/0/r/run'],
    [
      'a schema somewhere else',
      `{ s: { input: { schema: { resource: { endpoint: 'http://a' } } }, set: { x: 1 } } }`,
      '/do/0/s/input/schema/resource',
    ],
    [
      'such a schema of an output',
      `{ s: { output: { schema: { resource: { endpoint: 'http://a' } } }, set: { x: 1 } } }`,
      '/do/0/s/output/schema/resource',
    ],
    [
      'such a schema of an export',
      `{ s: { export: { schema: { resource: { endpoint: 'http://a' } } }, set: { x: 1 } } }`,
      '/do/0/s/export/schema/resource',
    ],
    ['inside do', `{ d: { do: [${openapi}] } }`, '/do/0/d/do/0/api/call'],
    ['inside for', `{ l: { for: { in: .x }, do: [${openapi}] } }`, '/do/0/l/do/0/api/call'],
    ['inside fork', `{ f: { fork: { branches: [${openapi}] } } }`, '/do/0/f/fork/branches/0/api/call'],
    ['inside try', `{ t: { try: [${openapi}], catch: {} } }`, '/do/0/t/try/0/api/call'],
    ['inside catch', `{ t: { try: [{ s: { set: { x: 1 } } }], catch: { do: [${openapi}] } } }`, '/do/0/t/catch/do/0/api/call'],
    ['in a task with a name that needs escaping', `{ 'a/b~c': { call: approve } }`, '/do/0/a~1b~0c/call'],
  ])('%s', (_what, task, pointer) => {
    expect(pointers(`do: [${task}]`)).toEqual([pointer])
  })

  test.each([
    ['extensions', 'use: { extensions: [{ e: { extend: all } }] }', '/use/extensions'],
    ['another language', 'evaluate: { language: js }', '/evaluate/language'],
    ['a schema of the input somewhere else', `input: { schema: { resource: { endpoint: 'http://a' } } }`, '/input/schema/resource'],
    ['a schema of the output somewhere else', `output: { schema: { resource: { endpoint: 'http://a' } } }`, '/output/schema/resource'],
  ])('%s of the workflow', (_what, head, pointer) => {
    expect(pointers(`${head}\ndo: [{ s: { set: { x: 1 } } }]`)).toEqual([pointer])
  })
})

test('everything is told at once', () => {
  expect(
    pointers(`do: [${openapi}, { e: { emit: { event: { with: {} } } } }, { s: { set: { x: 1 } } }, { f: { call: approve } }]`),
  ).toHaveLength(3)
})

test('what it can run is not told', () => {
  expect(
    pointers(`
      use: { extensions: [] }
      evaluate: { language: jq }
      input: { schema: { document: {} } }
      do:
        - a: { set: { x: 1 } }
        - b: { call: http, with: { method: get, endpoint: 'http://a' } }
        - c: { run: { workflow: { namespace: n, name: w, version: '1.0.0' } } }
        - d: { wait: PT1S }
        - e: { raise: { error: x } }
        - f: { switch: [{ g: { then: end } }] }`),
  ).toEqual([])
})

test('compiling refuses it with every place and what to do', () => {
  const compile = () => compileWorkflow(definition(`do: [${openapi}, { f: { call: approve } }]`))
  expect(compile).toThrow(UnsupportedError)
  expect(compile).toThrow('/do/0/api/call: "call: openapi" is not supported yet; /do/1/f/call: "call: approve" is not supported yet')
})

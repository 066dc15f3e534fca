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

const grpc = `{ api: { call: grpc, with: {} } }`

describe('unsupported features are reported with their place', () => {
  test.each([
    ['call: grpc', grpc, '/do/0/api/call'],
    ['call: asyncapi', `{ a: { call: asyncapi, with: {} } }`, '/do/0/a/call'],
    ['call: a2a', `{ a: { call: a2a, with: {} } }`, '/do/0/a/call'],
    [
      'a server of MCP as a process',
      `{ m: { call: mcp, with: { method: tools/list, transport: { stdio: { command: x } } } } }`,
      '/do/0/m/with/transport/stdio',
    ],
    ['run: shell', `{ r: { run: { shell: { command: ls } } } }`, '/do/0/r/run/shell'],
    ['run: container', `{ r: { run: { container: { image: a } } } }`, '/do/0/r/run/container'],
    ['a script in Python', `{ r: { run: { script: { language: python, code: '1' } } } }`, '/do/0/r/run/script/language'],
    [
      'a script somewhere else',
      `{ r: { run: { script: { language: js, source: { endpoint: 'http://a' } } } } }`,
      '/do/0/r/run/script/source',
    ],
    ['a function at an address', `{ f: { call: 'https://a/function.yaml' } }`, '/do/0/f/call'],
    [
      'a filter that reads secrets',
      '{ l: { listen: { to: { one: { with: { type: t, data: "${ . == $secrets.a }" } } } } } }',
      '/do/0/l/listen/to/one',
    ],
    [
      'such a filter of until',
      '{ l: { listen: { to: { any: [], until: { one: { with: { data: "${ . == $secrets.a }" } } } } } } }',
      '/do/0/l/listen/to/until/one',
    ],
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
    ['inside do', `{ d: { do: [${grpc}] } }`, '/do/0/d/do/0/api/call'],
    ['inside for', `{ l: { for: { in: .x }, do: [${grpc}] } }`, '/do/0/l/do/0/api/call'],
    ['inside fork', `{ f: { fork: { branches: [${grpc}] } } }`, '/do/0/f/fork/branches/0/api/call'],
    ['inside try', `{ t: { try: [${grpc}], catch: {} } }`, '/do/0/t/try/0/api/call'],
    ['inside catch', `{ t: { try: [{ s: { set: { x: 1 } } }], catch: { do: [${grpc}] } } }`, '/do/0/t/catch/do/0/api/call'],
    ['in a task with a name that needs escaping', `{ 'a/b~c': { call: grpc, with: {} } }`, '/do/0/a~1b~0c/call'],
    ['inside foreach', `{ l: { listen: { to: { any: [] } }, foreach: { do: [${grpc}] } } }`, '/do/0/l/foreach/do/0/api/call'],
  ])('%s', (_what, task, pointer) => {
    expect(pointers(`do: [${task}]`)).toEqual([pointer])
  })

  test.each([
    ['a function', 'use: { functions: { f: { call: grpc, with: {} } } }', '/use/functions/f/call'],
    [
      'an extension',
      'use: { extensions: [{ e: { extend: all, before: [{ g: { call: grpc, with: {} } }] } }] }',
      '/use/extensions/0/e/before/0/g/call',
    ],
    ['loose expressions', 'evaluate: { mode: loose }', '/evaluate/mode'],
    ['a schema of the input somewhere else', `input: { schema: { resource: { endpoint: 'http://a' } } }`, '/input/schema/resource'],
    ['a schema of the output somewhere else', `output: { schema: { resource: { endpoint: 'http://a' } } }`, '/output/schema/resource'],
  ])('%s of the workflow', (_what, head, pointer) => {
    expect(pointers(`${head}\ndo: [{ s: { set: { x: 1 } } }]`)).toEqual([pointer])
  })
})

test('all unsupported features are reported at once', () => {
  expect(
    pointers(`do: [${grpc}, { e: { run: { shell: { command: ls } } } }, { s: { set: { x: 1 } } }, { f: { call: a2a, with: {} } }]`),
  ).toHaveLength(3)
})

test('supported features are not reported', () => {
  expect(
    pointers(`
      use: { extensions: [{ e: { extend: all } }] }
      evaluate: { language: jq }
      input: { schema: { document: {} } }
      do:
        - a: { set: { x: 1 } }
        - b: { call: http, with: { method: get, endpoint: 'http://a' } }
        - c: { run: { workflow: { namespace: n, name: w, version: '1.0.0' } } }
        - d: { wait: PT1S }
        - e: { raise: { error: x } }
        - f: { switch: [{ g: { then: end } }] }
        - g: { emit: { event: { with: { source: 'http://a', type: t } } } }
        - h: { listen: { to: { one: { with: { type: t } } } } }
        - i: { run: { script: { language: js, code: '1' } } }
        - j: { call: openapi, with: { document: { endpoint: 'http://a' }, operationId: x } }`),
  ).toEqual([])
})

test('resources are not reported where they can be fetched', () => {
  const given = definition(`do: [{ s: { input: { schema: { resource: { endpoint: 'http://a' } } }, call: 'https://a/function.yaml' } }]`)
  expect(unsupportedIn(given, { resources: {} })).toEqual([])
})

test('compiling refuses it with every place and what to do', () => {
  const compile = () => compileWorkflow(definition(`do: [${grpc}, { f: { run: { shell: { command: ls } } } }]`))
  expect(compile).toThrow(UnsupportedError)
  expect(compile).toThrow(
    /^\/do\/0\/api\/call: This installation cannot call gRPC services yet\. .*; \/do\/1\/f\/run\/shell: This installation cannot run shell commands yet\./,
  )
})

test('patterns that cannot be used are reported when a definition is published', () => {
  const given = `
    input: { schema: { document: { pattern: '(a)\\1' } } }
    do: [{ one: { set: {}, output: { schema: { document: { items: { pattern: '(' } } } } } }]`
  expect(pointers(given)).toEqual(['/input/schema/document/pattern', '/do/0/one/output/schema/document/items/pattern'])
})

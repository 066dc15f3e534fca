/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectDiagnostics, expectValid } from '#src/testing/marked.ts'
import { type OptionalFeature, optionalFeatures } from './options.ts'

/** For each ability one definition that needs it, with the place that says so marked. */
const uses: Readonly<Record<OptionalFeature, string>> = {
  'call.openapi': 'do: [ a: { call: «openapi», with: { document: { endpoint: https://a.b }, operationId: x } } ]',
  'call.grpc': 'do: [ a: { call: «grpc», with: { proto: { endpoint: https://a.b }, service: { name: s, host: h }, method: m } } ]',
  'call.asyncapi': 'do: [ a: { call: «asyncapi», with: { document: { endpoint: https://a.b }, operation: x, message: {} } } ]',
  'call.a2a': 'do: [ a: { call: «a2a», with: { method: tasks/get, server: https://a.b } } ]',
  'call.mcp.http': 'do: [ a: { call: «mcp», with: { method: tools/list, transport: { http: { endpoint: https://a.b } } } } ]',
  'call.mcp.stdio': 'do: [ a: { call: mcp, with: { method: tools/list, transport: { «stdio»: { command: x } } } } ]',
  'call.function': 'use: { functions: { f: { set: { x: 1 } } } }\ndo: [ a: { call: «f» } ]',
  emit: 'do: [ a: { «emit»: { event: { with: { source: https://a.b, type: x } } } } ]',
  listen: 'do: [ a: { «listen»: { to: { any: [] } } } ]',
  'run.container': 'do: [ a: { run: { «container»: { image: x } } } ]',
  'run.shell': 'do: [ a: { run: { «shell»: { command: x } } } ]',
  'run.script.js': 'do: [ a: { run: { script: { language: «js», code: x } } } ]',
  'run.script.python': 'do: [ a: { run: { script: { language: «python», code: x } } } ]',
  extensions: 'use: { «extensions»: [ e: { extend: all } ] }\ndo: []',
  'schema.resource': 'input: { schema: { «resource»: { endpoint: https://a.b } } }\ndo: []',
  schedule: '«schedule»: { every: PT1H }\ndo: []',
  'evaluate.loose': 'evaluate: { mode: «loose» }\ndo: []',
}

describe('what an installation cannot run', () => {
  test.each(optionalFeatures)('%s is reported with its place', (feature) => {
    expectDiagnostics(uses[feature], [{ code: 'unsupported_feature', message: 'This installation cannot' }], { unsupported: [feature] })
  })

  test.each(optionalFeatures)('%s is right where it is supported', (feature) => {
    expectValid(uses[feature].replaceAll(/[«»]/g, ''), { unsupported: optionalFeatures.filter((other) => other !== feature) })
  })

  test('it is found at any depth, and in functions', () => {
    expectDiagnostics(
      `
use: { functions: { f: { run: { «shell»: { command: x } } } } }
do: [ a: { for: { in: .x }, do: [ b: { try: [], catch: { do: [ c: { run: { «shell»: { command: x } } } ] } } ] } ]
`,
      ['unsupported_feature', 'unsupported_feature'],
      { unsupported: ['run.shell'] },
    )
  })

  test('schemas of tasks are looked at as well', () => {
    const schema = 'schema: { «resource»: { endpoint: https://a.b } }'
    expectDiagnostics(
      `do: [ a: { set: { x: 1 }, input: { ${schema} }, output: { ${schema} }, export: { ${schema} } } ]`,
      ['unsupported_feature', 'unsupported_feature', 'unsupported_feature'],
      { unsupported: ['schema.resource'] },
    )
  })

  test('an empty list of extensions needs nothing', () => {
    expectValid('use: { extensions: [] }\ndo: []', { unsupported: ['extensions'] })
  })

  test('every ability has a definition in this file', () => {
    expect(Object.keys(uses).toSorted()).toEqual([...optionalFeatures].toSorted())
  })
})

/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectDiagnostics, expectValid } from '#src/testing/marked.ts'
import { parseDefinition } from '#src/parse/parse-definition.ts'
import { type OptionalFeature, optionalFeatures } from '#src/features/optional-features.ts'
import { unsupportedParts } from './unsupported-parts.ts'

/** For each ability one definition that needs it, with the place that says so marked. */
const uses: Readonly<Record<OptionalFeature, string>> = {
  'call.openapi': 'do: [ a: { call: «openapi», with: { document: { endpoint: https://a.b }, operationId: x } } ]',
  'call.grpc': 'do: [ a: { call: «grpc», with: { proto: { endpoint: https://a.b }, service: { name: s, host: h }, method: m } } ]',
  'call.asyncapi': 'do: [ a: { call: «asyncapi», with: { document: { endpoint: https://a.b }, operation: x, message: {} } } ]',
  'call.a2a': 'do: [ a: { call: «a2a», with: { method: tasks/get, server: https://a.b } } ]',
  'call.mcp.http': 'do: [ a: { call: mcp, with: { method: tools/list, transport: { «http»: { endpoint: https://a.b } } } } ]',
  'call.mcp.stdio': 'do: [ a: { call: mcp, with: { method: tools/list, transport: { «stdio»: { command: x } } } } ]',
  'call.function.inline': 'use: { functions: { f: { set: { x: 1 } } } }\ndo: [ a: { call: «f» } ]',
  'call.function.cataloged': 'use: { catalogs: { c: { endpoint: https://a.b } } }\ndo: [ a: { call: «f:1.0.0@c» } ]',
  'call.function.default': 'do: [ a: { call: «approve» } ]',
  emit: 'do: [ a: { «emit»: { event: { with: { source: https://a.b, type: x } } } } ]',
  listen: 'do: [ a: { «listen»: { to: { any: [] } } } ]',
  'run.container': 'do: [ a: { run: { «container»: { image: x } } } ]',
  'run.shell': 'do: [ a: { run: { «shell»: { command: x } } } ]',
  'run.script.js': 'do: [ a: { run: { script: { language: «js», code: x } } } ]',
  'run.script.python': 'do: [ a: { run: { script: { language: «python», code: x } } } ]',
  'run.script.source': 'do: [ a: { run: { script: { language: js, «source»: { endpoint: https://a.b } } } } ]',
  'run.workflow': 'do: [ a: { run: { «workflow»: { namespace: n, name: w, version: latest } } } ]',
  extensions: 'use: { «extensions»: [ e: { extend: all } ] }\ndo: []',
  'schema.resource': 'input: { schema: { «resource»: { endpoint: https://a.b } } }\ndo: []',
  'schema.format': 'input: { schema: { format: «avro», document: {} } }\ndo: []',
  'schedule.every': 'schedule: { «every»: PT1H }\ndo: []',
  'schedule.cron': 'schedule: { «cron»: 0 0 * * * }\ndo: []',
  'schedule.after': 'schedule: { «after»: PT1H }\ndo: []',
  'schedule.on': 'schedule: { «on»: { any: [] } }\ndo: []',
  'evaluate.loose': 'evaluate: { mode: «loose» }\ndo: []',
}

/** A script from elsewhere is a script all the same. */
const also: Partial<Record<OptionalFeature, OptionalFeature>> = { 'run.script.source': 'run.script.js' }

describe('what an installation cannot run', () => {
  test.each(optionalFeatures)('%s is reported with its place', (feature) => {
    const expected = [{ code: 'unsupported_feature', message: 'This installation cannot', hint: '.' }] as const
    expectDiagnostics(uses[feature], expected, { lacking: [feature], functions: [{ name: 'approve', version: '1.0.0' }] })
  })

  test.each(optionalFeatures)('%s is right where it is supported', (feature) => {
    const others = optionalFeatures.filter((other) => other !== feature && other !== also[feature])
    expectValid(uses[feature].replaceAll(/[«»]/g, ''), { lacking: others, functions: [{ name: 'approve', version: '1.0.0' }] })
  })

  test('it is found at any depth, and in functions', () => {
    expectDiagnostics(
      `
use: { functions: { f: { run: { «shell»: { command: x } } } } }
do: [ a: { for: { in: .x }, do: [ b: { try: [], catch: { do: [ c: { run: { «shell»: { command: x } } } ] } } ] } ]
`,
      ['unsupported_feature', 'unsupported_feature'],
      { lacking: ['run.shell'] },
    )
  })

  test('schemas of tasks are looked at as well', () => {
    const schema = 'schema: { «resource»: { endpoint: https://a.b } }'
    expectDiagnostics(
      `do: [ a: { set: { x: 1 }, input: { ${schema} }, output: { ${schema} }, export: { ${schema} } } ]`,
      ['unsupported_feature', 'unsupported_feature', 'unsupported_feature'],
      { lacking: ['schema.resource'] },
    )
  })

  test('an empty list of extensions needs nothing', () => {
    expectValid('use: { extensions: [] }\ndo: []', { lacking: ['extensions'] })
  })

  test('unsupported parts of a draft are reported with their position, also if the draft has other mistakes', () => {
    const parsed = parseDefinition('do:\n  - a: { wiat: PT1S }\n  - b: { run: { shell: { command: ls } } }\n')
    expect(unsupportedParts(parsed, ['run.shell', 'emit'])).toEqual([
      {
        code: 'unsupported_feature',
        severity: 'error',
        pointer: '/do/1/b/run/shell',
        line: 3,
        column: 17,
        endLine: 3,
        endColumn: 22,
        message: 'This installation cannot run shell commands yet.',
        hint: 'Do this part in a service, and call it with call: http.',
      },
    ])
    expect(unsupportedParts(parsed, [])).toEqual([])
    expect(unsupportedParts(parseDefinition('do: ['), ['run.shell'])).toEqual([])
  })

  test('every ability has a definition in this file', () => {
    expect(new Set(Object.keys(uses))).toEqual(new Set(optionalFeatures))
  })
})

import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { specimen } from '#src/testing/specimen-definition.ts'
import type { Definition } from '#src/shape/definition-shape.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'
import { featuresNeeded } from './features-needed.ts'
import { lackOf, optionalFeatures } from './optional-features.ts'

function definitionOf(text: string, functions: readonly string[] = []): Definition {
  const { definition, diagnostics } = validateDefinition(`document: { dsl: 1.0.3, namespace: t, name: s, version: 1.0.0 }\n${text}`, {
    functions: functions.map((name) => ({ name, version: '1.0.0' })),
  })
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  if (definition === undefined) throw new Error('The definition is not valid.')
  return definition
}

/** As `feature pointer`. */
function needs(text: string, functions: readonly string[] = []): string[] {
  return featuresNeeded(definitionOf(text, functions)).map(({ feature, pointer }) => `${feature} ${pointer}`)
}

describe('the features that a definition needs', () => {
  test.each([
    ['the main list', 'do: [ a: { run: { shell: { command: x } } } ]', '/do/0/a'],
    ['a do', 'do: [ a: { do: [ b: { run: { shell: { command: x } } } ] } ]', '/do/0/a/do/0/b'],
    ['a for', 'do: [ a: { for: { in: . }, do: [ b: { run: { shell: { command: x } } } ] } ]', '/do/0/a/do/0/b'],
    ['a branch of a fork', 'do: [ a: { fork: { branches: [ b: { run: { shell: { command: x } } } ] } } ]', '/do/0/a/fork/branches/0/b'],
    ['a try', 'do: [ a: { try: [ b: { run: { shell: { command: x } } } ], catch: {} } ]', '/do/0/a/try/0/b'],
    ['a catch', 'do: [ a: { try: [], catch: { do: [ b: { run: { shell: { command: x } } } ] } } ]', '/do/0/a/catch/do/0/b'],
    ['a function', 'use: { functions: { f: { run: { shell: { command: x } } } } }\ndo: []', '/use/functions/f'],
    [
      'a function that contains tasks',
      'use: { functions: { f: { do: [ b: { run: { shell: { command: x } } } ] } } }\ndo: []',
      '/use/functions/f/do/0/b',
    ],
  ])('needed features are found in %s', (_, text, pointer) => {
    expect(needs(text)).toEqual([`run.shell ${pointer}/run/shell`])
  })

  test('needed features are found in loops over events', () => {
    const iterator = 'foreach: { do: [ b: { run: { shell: { command: x } } } ] }'
    expect(needs(`do: [ a: { listen: { to: { any: [] } }, ${iterator} } ]`)).toEqual([
      'listen /do/0/a/listen',
      'run.shell /do/0/a/foreach/do/0/b/run/shell',
    ])
    const subscription = `subscription: { consume: { amount: 1 }, ${iterator} }`
    expect(needs(`do: [ a: { call: asyncapi, with: { document: { endpoint: https://a.b }, channel: c, ${subscription} } } ]`)).toEqual([
      'call.asyncapi /do/0/a/call',
      'run.shell /do/0/a/with/subscription/foreach/do/0/b/run/shell',
    ])
  })

  test('needed features are found in the tasks of extensions', () => {
    const tasks =
      'before: [ b: { emit: { event: { with: { source: https://a.b, type: x } } } } ], after: [ c: { run: { shell: { command: x } } } ]'
    expect(needs(`use: { extensions: [ e: { extend: all, ${tasks} } ] }\ndo: []`)).toEqual([
      'extensions /use/extensions',
      'emit /use/extensions/0/e/before/0/b/emit',
      'run.shell /use/extensions/0/e/after/0/c/run/shell',
    ])
  })

  test('schemas from elsewhere are found wherever a schema can stand', () => {
    const schema = 'schema: { resource: { endpoint: https://a.b } }'
    const found = needs(`
input: { ${schema} }
use: { functions: { f: { set: { x: 1 }, input: { ${schema} } } } }
do:
  - a: { set: { x: 1 }, input: { ${schema} }, output: { ${schema} }, export: { ${schema} } }
  - b: { listen: { to: { any: [] } }, foreach: { output: { ${schema} }, export: { ${schema} } } }
output: { ${schema} }`)
    expect(found.filter((need) => !need.startsWith('listen'))).toEqual([
      'schema.resource /input/schema/resource',
      'schema.resource /use/functions/f/input/schema/resource',
      'schema.resource /do/0/a/input/schema/resource',
      'schema.resource /do/0/a/output/schema/resource',
      'schema.resource /do/0/a/export/schema/resource',
      'schema.resource /do/1/b/foreach/output/schema/resource',
      'schema.resource /do/1/b/foreach/export/schema/resource',
      'schema.resource /output/schema/resource',
    ])
  })

  test.each([
    ['json', []],
    ['json:2020-12', []],
    ['jsonish', ['schema.format /input/schema/format']],
    ['avro:1.9', ['schema.format /input/schema/format']],
  ])('a schema of the format %s needs %j', (format, expected) => {
    expect(needs(`input: { schema: { format: '${format}', document: {} } }\ndo: []`)).toEqual(expected)
  })

  test('a call needs what it calls, decided as the engine decides it', () => {
    const text = `
use:
  functions: { approve: { set: { x: 1 } }, 'log:1.0.0@default': { set: { x: 1 } } }
  catalogs: { shared: { endpoint: https://a.b } }
do:
  - a: { call: approve }
  - b: { call: email }
  - c: { call: email:1.0.0@default }
  - d: { call: log:1.0.0@shared }
  - e: { call: 'https://example.com/function.yaml' }
  - f: { call: http, with: { method: get, endpoint: https://a.b } }
  - g: { call: log:1.0.0@default }`
    expect(needs(text, ['approve', 'email'])).toEqual([
      'call.function.inline /do/0/a/call',
      'call.function.default /do/1/b/call',
      'call.function.default /do/2/c/call',
      'call.function.cataloged /do/3/d/call',
      'call.function.cataloged /do/4/e/call',
      'call.function.inline /do/6/g/call',
    ])
  })

  test('a catalog that the document calls default is one of its own', () => {
    expect(needs('use: { catalogs: { default: { endpoint: https://a.b } } }\ndo: [ a: { call: log:1.0.0@default } ]')).toEqual([
      'call.function.cataloged /do/0/a/call',
    ])
  })

  test('each kind of a schedule is its own', () => {
    expect(needs('schedule: { cron: 0 0 * * *, every: PT1H, on: { any: [] }, after: PT1H }\ndo: []')).toEqual([
      'schedule.every /schedule/every',
      'schedule.cron /schedule/cron',
      'schedule.after /schedule/after',
      'schedule.on /schedule/on',
    ])
  })

  test('a script says its language and whether it is elsewhere', () => {
    expect(
      needs(`do:
  - a: { run: { script: { language: javascript, code: x } } }
  - b: { run: { script: { language: python, source: { endpoint: https://a.b } } } }`),
    ).toEqual([
      'run.script.js /do/0/a/run/script/language',
      'run.script.python /do/1/b/run/script/language',
      'run.script.source /do/1/b/run/script/source',
    ])
  })

  test('names with slashes and tildes are escaped in the pointers', () => {
    expect(needs('do: [ a/b~c: { run: { shell: { command: x } } } ]')).toEqual(['run.shell /do/0/a~1b~0c/run/shell'])
  })

  test('data of the author that looks like a task needs nothing', () => {
    expect(needs('do: [ a: { set: { x: { run: { shell: { command: x } } }, list: [ { emit: 1 } ] }, metadata: { listen: {} } } ]')).toEqual(
      [],
    )
  })

  test('a plain workflow needs nothing', () => {
    expect(
      needs('use: { extensions: [] }\nevaluate: { mode: strict }\ndo: [ a: { call: http, with: { method: get, endpoint: https://a.b } } ]'),
    ).toEqual([])
  })

  test('a function on its own is read like one of a definition', () => {
    expect(featuresNeeded({ do: [{ a: { call: 'email' } }] })).toEqual([{ feature: 'call.function.default', pointer: '/do/0/a/call' }])
  })

  test('the definition that has every property needs all but what goes by values', () => {
    const needed = new Set(featuresNeeded(specimen).map(({ feature }) => feature))
    expect(optionalFeatures.filter((feature) => !needed.has(feature))).toEqual(['call.function.default', 'schema.format', 'evaluate.loose'])
  })
})

test('a document that is not a definition needs no features and throws no error', () => {
  for (const text of [
    '[]',
    '{ document: 1, do: { a: 1 } }',
    '{ do: [ 1, { a: [] }, { b: { run: 1 } } ] }',
    '{ document: {}, use: [], schedule: 1 }',
  ]) {
    const document: Definition = parse(text)
    expect(featuresNeeded(document)).toEqual([])
  }
})

test.each(optionalFeatures)('what is said of the lack of %s is one sentence, and one that helps', (feature) => {
  const { message, hint } = lackOf(feature)
  expect(message).toMatch(/^This installation cannot [^.]+(?:\.[^ ][^.]*)* yet\.$/)
  expect(hint).toMatch(/^[A-Z].*\.$/)
})

import { testConformance } from '@millrace/jq/testing/conformance.ts'
import { describe, expect, test } from 'vitest'
import type { Definition } from '#src/shape/definition-shape.ts'
import { parseFunction } from '#src/validate/parse-function.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'
import { resourcesOf } from './resources-of.ts'

function definitionOf(text: string): Definition {
  const { definition, diagnostics } = validateDefinition(`document: { dsl: 1.0.3, namespace: t, name: s, version: 1.0.0 }\n${text}`)
  expect(diagnostics).toEqual([])
  if (definition === undefined) throw new Error('The definition is not valid.')
  return definition
}

/** As `kind pointer uri`. */
function found(text: string): string[] {
  return resourcesOf(definitionOf(text)).map(({ kind, pointer, uri }) => `${kind} ${pointer} ${uri}`)
}

describe('what a definition takes from elsewhere', () => {
  test('functions, schemas, scripts and OpenAPI documents are resources, in the order of the document', () => {
    expect(
      found(`
input: { schema: { resource: { endpoint: https://a.b/input.json } } }
use: { catalogs: { shared: { endpoint: https://github.com/o/r/tree/main } } }
do:
  - a: { call: log:1.0.0@shared }
  - b: { call: 'https://a.b/function.yaml' }
  - c: { run: { script: { language: js, source: { name: s, endpoint: { uri: https://a.b/script.js } } } } }
  - d: { call: openapi, with: { document: { endpoint: https://a.b/openapi.json }, operationId: x } }
  - e: { set: { x: 1 }, output: { schema: { resource: { endpoint: https://gitlab.com/g/p/-/blob/main/s.json } } } }`),
    ).toEqual([
      'schema /input/schema/resource https://a.b/input.json',
      'function /do/0/a/call https://raw.githubusercontent.com/o/r/refs/heads/main/functions/log/1.0.0/function.yaml',
      'function /do/1/b/call https://a.b/function.yaml',
      'script /do/2/c/run/script/source https://a.b/script.js',
      'openapi /do/3/d/with/document https://a.b/openapi.json',
      'schema /do/4/e/output/schema/resource https://gitlab.com/g/p/-/raw/main/s.json',
    ])
  })

  test('resources are found in all lists of tasks', () => {
    const call = (name: string) => `[ ${name}: { call: 'https://a.b/${name}' } ]`
    expect(
      found(`
use:
  functions: { f: { do: ${call('inFunction')} } }
  extensions: [ e: { extend: all, before: ${call('before')}, after: ${call('after')} } ]
do:
  - a: { for: { in: . }, do: ${call('inLoop')} }
  - b: { fork: { branches: ${call('inBranch')} } }
  - c: { try: ${call('inTry')}, catch: { do: ${call('inCatch')} } }
  - d: { listen: { to: { any: [] } }, foreach: { do: ${call('forEvent')} } }`).map((line) => line.split('/').at(-1)),
    ).toEqual(['inFunction', 'before', 'after', 'inLoop', 'inBranch', 'inTry', 'inCatch', 'forEvent'])
  })

  test('functions of the document, of the default catalog and built-in ones are not resources', () => {
    const { definition } = validateDefinition(
      `document: { dsl: 1.0.3, namespace: t, name: s, version: 1.0.0 }
use: { functions: { f: { set: { x: 1 } }, 'log:1.0.0@default': { set: { x: 1 } } } }
do: [ a: { call: f }, b: { call: approve }, c: { call: 'log:1.0.0@default' }, d: { call: http, with: { method: get, endpoint: https://a.b } } ]`,
      { functions: [{ name: 'approve', version: '1.0.0' }] },
    )
    if (definition === undefined) throw new Error('The definition is not valid.')
    expect(resourcesOf(definition)).toEqual([])
  })

  test('data, code and inline schemas have no resources', () => {
    expect(
      found(`
input: { schema: { document: { resource: { endpoint: https://a.b } } } }
do: [ a: { run: { script: { language: js, code: x } } }, b: { set: { call: 'https://a.b', schema: { resource: { endpoint: https://a.b } } } } ]`),
    ).toEqual([])
  })

  testConformance('of the official example the function of its catalog', (data) => {
    const { definition } = validateDefinition(data.read('ows/examples/call-custom-function-cataloged.yaml'))
    if (definition === undefined) throw new Error('The definition is not valid.')
    expect(resourcesOf(definition)).toEqual([
      expect.objectContaining({
        kind: 'function',
        literal: true,
        uri: expect.stringMatching(/\/functions\/[^/]+\/[^/]+\/function\.yaml$/),
      }),
    ])
  })
})

describe('the endpoint', () => {
  test('the endpoint has the inline or the named authentication', () => {
    const resources = resourcesOf(
      definitionOf(`
use:
  secrets: [ vault ]
  authentications: { mine: { bearer: { token: '\${ $secrets.vault }' } } }
  catalogs: { shared: { endpoint: { uri: https://a.b, authentication: { use: mine } } } }
do:
  - a: { call: log:1.0.0@shared }
  - b: { run: { script: { language: js, source: { endpoint: { uri: https://a.b/s.js, authentication: { basic: { use: vault } } } } } } }`),
    )
    expect(resources.map(({ endpoint }) => endpoint)).toEqual([
      { uri: 'https://a.b/functions/log/1.0.0/function.yaml', authentication: { bearer: { token: '${ $secrets.vault }' } } },
      { uri: 'https://a.b/s.js', authentication: { basic: { use: 'vault' } } },
    ])
  })

  test.each([
    ['https://a.b/s.json', true],
    ['{ uri: https://a.b/s.json }', true],
    ["'https://a.b/{name}.json'", false],
    ["'${ .schema }'", false],
    ["{ uri: '${ $secrets.schema }' }", false],
  ])('%s is known beforehand: %j', (endpoint, literal) => {
    const [resource] = resourcesOf(
      definitionOf(
        `use: { secrets: [ schema ] }\ndo: [ a: { set: { x: 1 }, input: { schema: { resource: { endpoint: ${endpoint} } } } } ]`,
      ),
    )
    expect(resource?.literal).toBe(literal)
  })

  test('a catalog whose root is an expression has the written root as its endpoint', () => {
    const [resource] = resourcesOf(
      definitionOf(`use: { catalogs: { c: { endpoint: '\${ .root }' } } }\ndo: [ a: { call: 'log:1.0.0@c' } ]`),
    )
    expect(resource).toMatchObject({ uri: '${ .root }', endpoint: { uri: '${ .root }' }, literal: false })
  })
})

test('a function on its own may need more', () => {
  const { function: task } = parseFunction(`
input: { schema: { resource: { endpoint: https://a.b/input.json } } }
do:
  - a: { call: 'https://a.b/other.yaml' }
  - b: { run: { script: { language: js, source: { endpoint: https://a.b/s.js } } } }`)
  if (task === undefined) throw new Error('The function is not valid.')
  expect(resourcesOf(task).map(({ pointer }) => pointer)).toEqual(['/input/schema/resource', '/do/0/a/call', '/do/1/b/run/script/source'])
})

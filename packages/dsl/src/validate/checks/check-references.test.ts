/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { describe, expect, test } from 'vitest'
import { type Expected, expectDiagnostics, expectValid } from '#src/testing/marked.ts'
import { functionReference } from '#src/tasks/function-reference.ts'
import { catalog } from '#src/testing/catalog.ts'
import type { ValidateOptions } from '#src/validate/options.ts'

type Case = readonly [name: string, text: string, expected: readonly Expected[], options?: ValidateOptions]

describe('components that are referred to', () => {
  const cases: readonly Case[] = [
    [
      'a timeout of the workflow',
      'do: []\ntimeout: «short»',
      [{ code: 'unknown_reference', message: 'There is no timeout named "short" in use.timeouts.' }],
    ],
    [
      'a timeout of a task, misspelled',
      'use: { timeouts: { short: { after: PT1S } } }\ndo: [ a: { set: { x: 1 }, timeout: «shrot» } ]',
      [{ code: 'unknown_reference', hint: 'Did you mean "short"?' }],
    ],
    [
      'a duration in place of a timeout',
      'do: [ a: { set: { x: 1 }, timeout: «PT1M» } ]',
      [{ code: 'unknown_reference', hint: 'Write timeout: { after: PT1M }.' }],
    ],
    [
      'an error',
      'do: [ a: { raise: { error: «broken» } } ]',
      [{ code: 'unknown_reference', message: 'no error named "broken" in use.errors', hint: 'use.errors' }],
    ],
    [
      'a retry policy',
      'use: { retries: { patient: {} } }\ndo: [ a: { try: [], catch: { retry: «paitent» } } ]',
      [{ code: 'unknown_reference', hint: '"patient"' }],
    ],
    [
      'an authentication policy',
      'do: [ a: { call: http, with: { method: get, endpoint: { uri: https://a.b, authentication: { use: «login» } } } } ]',
      [{ code: 'unknown_reference', message: 'authentication policy named "login"' }],
    ],
    [
      'a catalog',
      'do: [ a: { call: «log:1.0.0@globl» } ]\nuse: { catalogs: { global: { endpoint: https://a.b } } }',
      [{ code: 'unknown_reference', hint: 'Did you mean "global"?' }],
    ],
    [
      'a catalog that is not defined at all',
      'do: [ a: { call: «log:1.0.0@global» } ]',
      [{ code: 'unknown_reference', hint: 'use.catalogs' }],
    ],
    [
      'a secret of a scheme',
      'use: { secrets: [ vault ] }\ndo: [ a: { call: http, with: { method: get, endpoint: { uri: https://a.b, authentication: { basic: { use: «valt» } } } } } ]',
      [{ code: 'undeclared_secret', hint: '"vault"' }],
    ],
    [
      'a secret of a reusable policy',
      'use: { authentications: { a: { oauth2: { use: «vault» } } } }\ndo: []',
      [{ code: 'undeclared_secret', hint: 'Add vault to use.secrets.' }],
    ],
  ]
  test.each(cases.map(([name, text, expected, options = {}]) => [name, text, expected, options] as const))(
    '%s',
    (_, text, expected, options) => {
      expectDiagnostics(text, expected, options)
    },
  )

  test('what use defines is found from everywhere', () => {
    expectValid(`
use:
  secrets: [ vault ]
  authentications: { login: { bearer: { use: vault } } }
  errors: { broken: { type: https://a.b/c, status: 500 } }
  retries: { patient: { delay: PT1S, limit: { attempt: { count: 3 } } } }
  timeouts: { short: { after: PT1S } }
  catalogs: { global: { endpoint: { uri: https://a.b, authentication: { use: login } } } }
do:
  - a: { do: [ b: { try: [ c: { if: .x, raise: { error: broken } } ], catch: { retry: patient } } ], timeout: short }
  - d: { call: log:1.0.0@global, with: { message: x } }
timeout: short
`)
  })
})

describe('functions', () => {
  const cases: readonly Case[] = [
    ['an unknown name', 'do: [ a: { call: «compute» } ]', [{ code: 'unknown_function', hint: 'use.functions' }]],
    ['a misspelled built-in', 'do: [ a: { call: «htpp» } ]', [{ code: 'unknown_function', hint: 'Did you mean "http"?' }]],
    [
      'a misspelled function of the document',
      'use: { functions: { compute: { set: { x: 1 } } } }\ndo: [ a: { call: «compte» } ]',
      [{ code: 'unknown_function', hint: '"compute"' }],
    ],
    [
      'a misspelled function of the default catalog',
      'do: [ a: { call: «aprove» } ]',
      [{ code: 'unknown_function', hint: '"approve"' }],
      { functions: catalog('approve:1.0.0', 'email:2.0.0') },
    ],
    [
      'an unknown version in the default catalog',
      'do: [ a: { call: «email:1.0.0@default» } ]',
      [{ code: 'unknown_function', message: 'no version "1.0.0" of the function "email"', hint: 'Write email:2.0.0@default.' }],
      { functions: catalog('email:2.0.0') },
    ],
    ['the default catalog when the installation has no functions', 'do: [ a: { call: «email:1.0.0@default» } ]', ['unknown_function']],
    ['a function of a function', 'use: { functions: { f: { call: «g» } } }\ndo: []', ['unknown_function']],
    [
      'the URL of a function with variables',
      'do: [ a: { call: «"https://example.com/{name}/function.yaml"» } ]',
      [{ code: 'invalid_uri', message: 'cannot have variables', hint: 'Write the whole URL' }],
    ],
    ['an invalid URL', 'do: [ a: { call: «"https://example.com/a b"» } ]', [{ code: 'invalid_uri', hint: 'percent-encoded' }]],
    [
      'a version where there are several',
      'do: [ a: { call: «email:1.0.0» } ]',
      [{ code: 'unknown_function', hint: 'Write email:2.0.0 or email:3.0.0.' }],
      { functions: catalog('email:2.0.0', 'email:3.0.0') },
    ],
    [
      'a misspelled name with a version',
      'do: [ a: { call: «emial:2.0.0@default» } ]',
      [{ code: 'unknown_function', hint: 'Did you mean "email"?' }],
      { functions: catalog('email:2.0.0') },
    ],
    ['the empty name', 'do: [ a: { call: «""» } ]', ['unknown_function']],
  ]
  test.each(cases.map(([name, text, expected, options = {}]) => [name, text, expected, options] as const))(
    '%s',
    (_, text, expected, options) => {
      expectDiagnostics(text, expected, options)
    },
  )

  test.each([
    ['approve', ['approve:1.0.0']],
    ['approve', ['approve:2.0.0-beta', 'approve:1.0.0']],
    ['approve:1.0.0', ['approve:2.0.0', 'approve:1.0.0']],
    ['approve:1.0.0@default', ['approve:2.0.0', 'approve:1.0.0']],
    ['https://example.com/function.yaml', []],
  ])('%s is known where the default catalog is %j', (call, functions) => {
    expectValid(`do: [ a: { call: ${JSON.stringify(call)} } ]`, { functions: catalog(...functions) })
  })

  test('a catalog of the document that is called default takes the place of ours', () => {
    expectValid('use: { catalogs: { default: { endpoint: https://a.b } } }\ndo: [ a: { call: log:1.0.0@default } ]')
  })

  test.each([
    ['http', { kind: 'name', name: 'http' }],
    ['log:1.0.0@global', { kind: 'cataloged', name: 'log', version: '1.0.0', catalog: 'global' }],
    ['https://example.com/a@v1', { kind: 'url', url: 'https://example.com/a@v1' }],
    ['log:1.0.0', { kind: 'name', name: 'log:1.0.0' }],
    ['log@global', { kind: 'name', name: 'log@global' }],
    ['a:b:c@d', { kind: 'name', name: 'a:b:c@d' }],
    ['', { kind: 'name', name: '' }],
  ])('%j refers to %j', (call, reference) => {
    expect(functionReference(call)).toEqual(reference)
  })
})

describe('secrets that do not exist', () => {
  const text = 'use: { secrets: [ vault, «tokn» ] }\ndo: []'

  test('unknown secrets are found if the installation lists its secrets', () => {
    expectDiagnostics(text, [{ code: 'unknown_secret', hint: 'Did you mean "token"?' }], { secrets: ['vault', 'token'] })
    expectDiagnostics('use: { secrets: [ «vault» ] }\ndo: []', [{ code: 'unknown_secret', hint: 'Create it' }], { secrets: [] })
  })

  test('secrets are not checked if the installation lists none', () => {
    expectValid('use: { secrets: [ vault ] }\ndo: []')
  })
})

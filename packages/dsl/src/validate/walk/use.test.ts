/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { describe, test } from 'vitest'
import { type Expected, expectDiagnostics, expectValid } from '#src/testing/marked.ts'

type Case = readonly [name: string, text: string, expected: readonly Expected[]]

describe('use', () => {
  const cases: readonly Case[] = [
    ['a section that does not exist', 'do: []\nuse: { «auth»: {} }', ['unknown_property']],
    ['a misspelled section', 'do: []\nuse: { «secret»: [] }', [{ code: 'unknown_property', hint: '"secrets"' }]],
    ['secrets as an object', 'do: []\nuse: { secrets: «{ a: b }» }', [{ code: 'wrong_type', message: 'a list of names of secrets' }]],
    ['a secret that is a number', 'do: []\nuse: { secrets: [ «5» ] }', ['wrong_type']],
    ['the same secret twice', 'do: []\nuse: { secrets: [ a, «a» ] }', ['duplicate_name']],
    ['errors as a list', 'do: []\nuse: { errors: «[]» }', [{ code: 'wrong_type', message: 'errors by name' }]],
    ['a function that is not a task', 'do: []\nuse: { functions: { «f»: { with: {} } } }', ['invalid_task']],
    ['a catalog without an endpoint', 'do: []\nuse: { catalogs: { «c»: {} } }', ['missing_property']],
    [
      'a policy that refers to another',
      'do: []\nuse: { authentications: { «a»: { «use»: b } } }',
      ['missing_property', 'unknown_property'],
    ],
    ['a timeout that is a duration', 'do: []\nuse: { timeouts: { t: «PT5S» } }', [{ code: 'wrong_type', hint: 'after' }]],
    ['extensions as an object', 'do: []\nuse: { extensions: «{ a: { extend: all } }» }', [{ code: 'wrong_type', hint: '- ' }]],
    [
      'an extension of an unknown kind',
      'do: []\nuse: { extensions: [ a: { extend: «do» } ] }',
      [{ code: 'invalid_value', hint: 'composite' }],
    ],
    ['an extension without a target', 'do: []\nuse: { extensions: [ «a»: { before: [] } ] }', ['missing_property']],
    ['the same extension twice', 'do: []\nuse: { extensions: [ a: { extend: all }, «a»: { extend: set } ] }', ['duplicate_name']],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  test('all forms of use are valid', () => {
    expectValid(`
use:
  authentications: { a: { basic: { use: s } } }
  catalogs: { c: { endpoint: { uri: https://a.b, authentication: { use: a } } } }
  errors: { e: { type: https://a.b/e, status: 500 } }
  extensions: [ x: { extend: all, when: '$task.name == "a"', before: [ b: { set: { x: 1 } } ], after: [] } ]
  functions: { f: { input: { schema: { document: { type: object } } }, call: http, with: { method: get, endpoint: https://a.b } } }
  retries: { r: { when: '$error.status == 503', delay: PT1S } }
  secrets: [ s ]
  timeouts: { t: { after: { seconds: 5 } } }
do: [ g: { call: f, with: { id: 1 }, timeout: t } ]
`)
  })
})

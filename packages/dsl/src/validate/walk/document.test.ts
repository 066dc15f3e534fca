/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { describe, expect, test } from 'vitest'
import { type Expected, expectDiagnostics, expectDocumentDiagnostics, expectValid } from '#src/testing/marked.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

type Case = readonly [name: string, text: string, expected: readonly Expected[]]

describe('the document', () => {
  const cases: readonly Case[] = [
    ['nothing at all', '«»', [{ code: 'wrong_type', message: 'a workflow definition, an object, but is empty' }]],
    ['a list', '«- 1»', [{ code: 'wrong_type', hint: 'document, do' }]],
    ['text', '«hello»', ['wrong_type']],
    [
      'no tasks',
      '«document: { dsl: 1.0.3, version: 1.0.0, namespace: x, name: x }»',
      [{ code: 'missing_property', message: 'A workflow definition needs "do".', hint: 'Add do: to it.' }],
    ],
    [
      'a version that YAML reads as a number',
      'document: { dsl: 1.0.3, namespace: x, name: x, version: «1.0» }\ndo: []',
      [{ code: 'wrong_type', hint: "'1.0.0'" }],
    ],
    [
      'an invalid version',
      'document: { dsl: 1.0.3, namespace: x, name: x, version: «v1» }\ndo: []',
      [{ code: 'invalid_semver', hint: '1.0.0' }],
    ],
    [
      'a version of the DSL to come',
      'document: { dsl: «2.0.0», namespace: x, name: x, version: 1.0.0 }\ndo: []',
      [{ code: 'unsupported_dsl_version', hint: '1.0.3' }],
    ],
    [
      'a name with a blank',
      'document: { dsl: 1.0.3, namespace: «my team», name: «a_b», version: 1.0.0 }\ndo: []',
      ['invalid_name', 'invalid_name'],
    ],
    [
      'tags that are a list',
      'document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0, tags: «[a]» }\ndo: []',
      [{ code: 'wrong_type', message: '"tags" has to be an object' }],
    ],
    [
      'a misspelled property',
      'document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0, «titel»: X }\ndo: []',
      [{ code: 'unknown_property', hint: 'Did you mean "title"?' }],
    ],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDocumentDiagnostics(text, expected)
  })

  test('each property that is missing is named, at the key of what lacks it', () => {
    const { diagnostics } = validateDefinition('document: {}\ndo: []')
    expect(diagnostics.map(({ code, pointer, line, column, message }) => [code, pointer, line, column, message])).toEqual([
      ['missing_property', '/document', 1, 1, 'The document needs "dsl".'],
      ['missing_property', '/document', 1, 1, 'The document needs "namespace".'],
      ['missing_property', '/document', 1, 1, 'The document needs "name".'],
      ['missing_property', '/document', 1, 1, 'The document needs "version".'],
    ])
  })
})

describe('the top level', () => {
  const cases: readonly Case[] = [
    ['a misspelled key', 'do: []\n«inputs»: {}', [{ code: 'unknown_property', hint: 'Did you mean "input"?' }]],
    [
      'a key of another tool',
      'do: []\n«functions»: []',
      [
        {
          code: 'unknown_property',
          message: '"functions" is not a property of a workflow definition.',
          hint: 'possible are document, input, use, do',
        },
      ],
    ],
    ['two keys of another version', '«id»: x\n«states»: []\ndo: []', ['unknown_property', 'unknown_property']],
    [
      'tasks as an object',
      'do:\n  «a: { set: { x: 1 } }»',
      [{ code: 'wrong_type', message: '"do" has to be a list of named entries', hint: 'Put "- " in front of each name.' }],
    ],
    ['tasks as text', 'do: «a»', [{ code: 'wrong_type', hint: '- name:' }]],
    ['an empty key', 'do:«»', ['wrong_type']],
    ['a timeout without its duration', 'do: []\n«timeout»: {}', [{ code: 'missing_property', message: 'A timeout needs "after".' }]],
    [
      'a timeout that is a number',
      'do: []\ntimeout: «5»',
      [{ code: 'wrong_type', message: 'a timeout, or the name of one of use.timeouts' }],
    ],
    ['an empty schedule', 'do: []\n«schedule»: {}', [{ code: 'missing_property', message: '"every", "cron", "after" or "on"' }]],
    [
      'a cron expression of six fields',
      'do: []\nschedule: { cron: «0 0 0 * * *» }',
      [{ code: 'invalid_cron', message: 'five fields, and this has 6' }],
    ],
    ['a way to read without events', 'do: []\nschedule: { every: PT1H, «read»: data }', [{ code: 'unknown_property', hint: 'add on:' }]],
    ['another expression language', 'do: []\nevaluate: { language: «javascript» }', [{ code: 'unsupported_feature', hint: 'Write jq' }]],
    ['another mode', 'do: []\nevaluate: { mode: «stirct» }', [{ code: 'invalid_value', hint: 'Did you mean "strict"?' }]],
    ['an input that is an expression', 'do: []\ninput: «.a»', [{ code: 'wrong_type', hint: 'schema, from' }]],
    [
      'a schema without a document',
      'do: []\ninput: { «schema»: { format: json } }',
      [{ code: 'missing_property', message: 'A schema needs "document" or "resource".' }],
    ],
    [
      'a schema with both',
      'do: []\ninput: { schema: { document: {}, «resource»: { endpoint: https://a.b } } }',
      [{ code: 'conflicting_properties', message: '"resource" cannot stand beside "document"' }],
    ],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })
})

describe('lists of tasks', () => {
  const cases: readonly Case[] = [
    [
      'a task without its name',
      'do:\n  - «set: { x: 1 }\n    then: end»',
      [{ code: 'invalid_entry', message: 'has 2: "set", "then"', hint: 'Begin a new "- " for each name' }],
    ],
    [
      'two tasks in one entry',
      'do:\n  - «a: { set: { x: 1 } }\n    b: { set: { x: 1 } }»',
      [{ code: 'invalid_entry', message: '"a", "b"' }],
    ],
    ['an entry that is text', 'do: [«hello»]', [{ code: 'invalid_entry', hint: '- name:' }]],
    ['an empty entry', 'do: [«{}»]', ['invalid_entry']],
    ['a list in a list', 'do: [«[]»]', ['invalid_entry']],
    ['a task that is text', 'do: [ a: «hello» ]', [{ code: 'wrong_type', message: '"a" has to be a task, an object' }]],
    ['a task that is empty', 'do: [ «a»: {} ]', [{ code: 'invalid_task', message: 'does not say what it does', hint: 'for, call, do' }]],
    ['a task that only has common properties', 'do: [ «a»: { if: .x, then: end } ]', ['invalid_task']],
    ['a task with a misspelled kind', 'do: [ a: { «cal»: http, with: {} } ]', [{ code: 'invalid_task', hint: 'Did you mean "call"?' }]],
    [
      'a task with two kinds',
      'do: [ a: { set: { x: 1 }, «wait»: PT1S } ]',
      [{ code: 'invalid_task', message: 'both "set" and "wait"', hint: 'Make two tasks' }],
    ],
    ['a task with three kinds', 'do: [ a: { «run»: {}, call: http, «wait»: PT1S } ]', ['invalid_task', 'invalid_task']],
    ['a loop without its tasks', 'do: [ «a»: { for: { in: .x } } ]', [{ code: 'missing_property', message: 'A for task needs "do".' }]],
    [
      'a do task with the properties of a loop',
      'do: [ a: { do: [], «while»: .x } ]',
      [{ code: 'unknown_property', message: '"while" is not a property of a do task.' }],
    ],
    [
      'the same name twice',
      'do: [ a: { set: { x: 1 } }, «a»: { set: { x: 2 } } ]',
      [{ code: 'duplicate_name', message: '"a" is already taken' }],
    ],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  test('the same name in two lists is two tasks', () => {
    expectValid('do: [ a: { do: [ a: { set: { x: 1 } } ] }, b: { do: [ a: { set: { x: 1 } } ] } ]')
  })
})

test('all mistakes of a document are reported at once, in the order of the text', () => {
  expectDiagnostics(
    `
«inputs»: {}
use: { secrets: [ a, «a» ] }
do:
  - one: { «cal»: http }
  - two: { call: «htp», then: «thre» }
  - three: { set: «{}», timeout: «PT5S» }
  - «three»: { wait: «soon» }
`,
    [
      'unknown_property',
      'duplicate_name',
      'invalid_task',
      { code: 'unknown_function', hint: '"http"' },
      { code: 'dangling_then', hint: '"three"' },
      'too_few_entries',
      { code: 'unknown_reference', hint: 'timeout: { after: PT5S }' },
      'duplicate_name',
      'invalid_duration',
    ],
  )
})

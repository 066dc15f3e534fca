/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { describe, expect, test } from 'vitest'
import { type Expected, expectDiagnostics, expectValid } from '#src/testing/marked.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

type Case = readonly [name: string, text: string, expected: readonly Expected[]]

/** Puts a task into a definition. */
function task(text: string): string {
  return `do:\n  - sample: ${text}`
}

describe('what every task may have', () => {
  const cases: readonly Case[] = [
    [
      'a condition that is true',
      task('{ set: { x: 1 }, if: «true» }'),
      [{ code: 'wrong_type', message: '"if" has to be an expression', hint: 'Put it in quotes: "true".' }],
    ],
    [
      'a condition that is an object',
      task('{ set: { x: 1 }, if: «{}» }'),
      [{ code: 'wrong_type', hint: 'Write a jq expression in quotes.' }],
    ],
    ['a misspelled condition', task('{ set: { x: 1 }, «fi»: .x }'), [{ code: 'unknown_property', hint: 'Did you mean "if"?' }]],
    [
      'input without its structure',
      task('{ set: { x: 1 }, input: { «form»: .x } }'),
      [{ code: 'unknown_property', hint: 'Did you mean "from"?' }],
    ],
    ['output with the property of input', task('{ set: { x: 1 }, output: { «from»: .x } }'), ['unknown_property']],
    [
      'an export that is a number',
      task('{ set: { x: 1 }, export: { as: «5» } }'),
      [{ code: 'wrong_type', message: 'an expression, or an object with expressions in it' }],
    ],
    ['a list of directives', task('{ set: { x: 1 }, then: «[end]» }'), [{ code: 'wrong_type', message: '"then" has to be a string' }]],
    ['metadata that is text', task('{ set: { x: 1 }, metadata: «note» }'), [{ code: 'wrong_type', message: 'an object' }]],
    [
      'a duration with an unknown part',
      task('{ set: { x: 1 }, timeout: { after: { «second»: 1 } } }'),
      [{ code: 'unknown_property', hint: 'Did you mean "seconds"?' }],
    ],
    ['a duration with a fraction', task('{ wait: { seconds: «1.5» } }'), [{ code: 'wrong_type', message: 'a whole number' }]],
    ['a duration with a quoted number', task('{ wait: { seconds: «"5"» } }'), [{ code: 'wrong_type', hint: 'Write 5 without quotes.' }]],
    ['a negative duration', task('{ wait: { seconds: «-5» } }'), [{ code: 'invalid_value', hint: 'of 0 or more' }]],
    [
      'a duration without parts',
      task('{ wait: «{}» }'),
      [{ code: 'too_few_entries', message: 'A duration may not be empty.', hint: 'days, hours' }],
    ],
    ['a duration in words', task('{ wait: «5 minutes» }'), [{ code: 'invalid_duration', hint: 'PT5M' }]],
    ['a duration that is a number', task('{ wait: «5» }'), [{ code: 'wrong_type', message: 'a duration' }]],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  test('all common properties together are valid', () => {
    expectValid(`
use: { timeouts: { short: { after: PT1S } } }
do:
  - sample:
      if: .ready
      input: { schema: { document: { type: object } }, from: .order }
      set: { x: 1 }
      output: { schema: { format: json, resource: { name: s, endpoint: https://example.com/s.json } }, as: { id: '\${ .x }' } }
      export: { as: '$context + .' }
      timeout: short
      then: end
      metadata: { note: anything, position: [1, 2] }
`)
  })
})

describe('set, wait, do, raise', () => {
  const cases: readonly Case[] = [
    ['nothing to set', task('{ set: «{}» }'), [{ code: 'too_few_entries', message: 'The data to set may not be empty.' }]],
    ['a list to set', task('{ set: «[1]» }'), [{ code: 'wrong_type', message: 'an object, or an expression that gives one' }]],
    ['a do that is one task', task('{ do: «{ set: { x: 1 } }» }'), ['wrong_type']],
    ['nothing to raise', task('{ «raise»: {} }'), [{ code: 'missing_property', message: 'needs "error"' }]],
    [
      'an error of a relative type',
      task('{ raise: { error: { type: «/errors/x», status: 400 } } }'),
      [{ code: 'invalid_uri', hint: 'https://' }],
    ],
    [
      'a status in quotes',
      task('{ raise: { error: { type: https://a.b/c, status: «"400"» } } }'),
      [{ code: 'wrong_type', hint: 'Write 400 without quotes.' }],
    ],
    [
      'an instance that is no pointer',
      task('{ raise: { error: { type: https://a.b/c, status: 400, instance: «do/0» } } }'),
      [{ code: 'invalid_pointer' }],
    ],
    ['a number as title', task('{ raise: { error: { type: https://a.b/c, status: 400, title: «5» } } }'), ['wrong_type']],
    [
      'a misspelled detail',
      task('{ raise: { error: { type: https://a.b/c, status: 400, «details»: x } } }'),
      [{ code: 'unknown_property', hint: '"detail"' }],
    ],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  test('an error without its type and status lacks both', () => {
    const { diagnostics } = validateDefinition(
      'document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0 }\ndo: [ a: { raise: { error: {} } } ]',
    )
    expect(diagnostics.map(({ message }) => message)).toEqual(['An error needs "type".', 'An error needs "status".'])
  })

  test('all forms are valid', () => {
    expectValid(`
use: { errors: { known: { type: https://example.com/known, status: 409 } } }
do:
  - a: { set: { x: 1, y: [ { z: '\${ .z }' } ] } }
  - b: { set: '\${ . + { x: 1 } }' }
  - c: { set: . }
  - d: { wait: PT0.5S }
  - e: { wait: { days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 } }
  - f: { wait: '\${ $workflow.input.delay }' }
  - g: { do: [] }
  - h: { if: .x, raise: { error: known } }
  - i:
      raise:
        error: { type: '\${ .type }', status: 500, instance: /do/0/a, title: '\${ .title }', detail: text }
`)
  })
})

describe('run', () => {
  const cases: readonly Case[] = [
    ['nothing to run', task('{ «run»: {} }'), [{ code: 'missing_property', message: '"container", "script", "shell" or "workflow"' }]],
    ['two things to run', task('{ run: { container: { image: y }, «shell»: { command: x } } }'), ['conflicting_properties']],
    ['a container without an image', task('{ run: { «container»: {} } }'), ['missing_property']],
    [
      'a lifetime that ends eventually, some time',
      task('{ run: { container: { image: x, lifetime: «{ cleanup: eventually }» } } }'),
      [{ code: 'missing_property', message: 'needs "after"' }],
    ],
    [
      'a lifetime that ends never, after a while',
      task('{ run: { container: { image: x, lifetime: { cleanup: never, «after»: PT1S } } } }'),
      [{ code: 'unknown_property', hint: 'cleanup: eventually' }],
    ],
    [
      'an unknown pull policy',
      task('{ run: { container: { image: x, pullPolicy: «Always» } } }'),
      [{ code: 'invalid_value', hint: '"always"' }],
    ],
    [
      'a script without code',
      task('{ run: { «script»: { language: js } } }'),
      [{ code: 'missing_property', message: '"code" or "source"' }],
    ],
    [
      'a script with both',
      task('{ run: { script: { language: js, code: x, «source»: { endpoint: https://a.b } } } }'),
      ['conflicting_properties'],
    ],
    [
      'a script in an unknown language',
      task('{ run: { script: { language: «ruby», code: x } } }'),
      [{ code: 'unsupported_feature', hint: 'js' }],
    ],
    [
      'arguments of a script as an object',
      task('{ run: { script: { language: js, code: x, arguments: «{ a: 1 }» } } }'),
      [{ code: 'wrong_type', message: 'a list of arguments' }],
    ],
    ['a shell without a command', task('{ run: { «shell»: { arguments: [] } } }'), ['missing_property']],
    [
      'a workflow without its version',
      task('{ run: { «workflow»: { namespace: x, name: y } } }'),
      [{ code: 'missing_property', message: '"version"' }],
    ],
    ['a workflow of a range of versions', task('{ run: { workflow: { namespace: x, name: y, version: «^1.0.0» } } }'), ['invalid_semver']],
    ['await in words', task('{ run: { shell: { command: x }, await: «yes» } }'), ['wrong_type']],
    ['an unknown return', task('{ run: { shell: { command: x }, return: «output» } }'), [{ code: 'invalid_value', hint: 'stdout' }]],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expectDiagnostics(text, expected)
  })

  test('all forms are valid', () => {
    expectValid(`
do:
  - a:
      run:
        container:
          image: x
          name: '\${ .name }'
          command: 'echo \${HOME}'
          ports: { '8080': 80 }
          volumes: { /a: /b }
          environment: { A: '\${ .a }' }
          stdin: '\${ . }'
          arguments: [ a, '\${ .b }' ]
          lifetime: { cleanup: eventually, after: PT1M }
          pullPolicy: ifNotPresent
        await: false
        return: all
  - b: { run: { script: { language: js, code: 'console.log(\`\${x}\`)', stdin: x, arguments: [ a ], environment: { A: 1 } }, return: none } }
  - c: { run: { script: { language: python, source: { endpoint: https://a.b/x.py } } } }
  - d: { run: { shell: { command: 'echo \${HOME} \${ .x }', stdin: '\${ . }', arguments: [ a ], environment: {} }, return: stderr } }
  - e: { run: { workflow: { namespace: x, name: y, version: latest, input: { a: '\${ .a }' } } } }
  - whole: { run: { workflow: { namespace: x, name: y, version: latest, input: '\${ . }' } } }
  - list: { run: { workflow: { namespace: x, name: y, version: latest, input: [ '\${ .a }', 1 ] } } }
  - nothing: { run: { workflow: { namespace: x, name: y, version: latest, input: null } } }
`)
  })
})

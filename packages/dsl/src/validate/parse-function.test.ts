import { describe, expect, test } from 'vitest'
import { parseDefinition } from '#src/parse/parse-definition.ts'
import { checkValue } from '#src/testing/check-value.ts'
import { report } from '#src/testing/reports.ts'
import type { ValidateOptions } from './options.ts'
import { parseFunction } from './parse-function.ts'

function reportsOf(text: string, options: ValidateOptions = {}): string[] {
  return parseFunction(text, options).diagnostics.map(report)
}

/** The function that dsl.md gives as its example, with its texts cut. */
const validateEmail = `input:
  schema:
    document:
      type: object
      properties:
        emailAddress: { type: string }
output:
  schema:
    document: { type: object }
run:
  script:
    language: js
    code: return arguments[0].includes('@')
    arguments: [ "\${ .emailAddress }" ]
`

describe('the definition of a function on its own', () => {
  test('a function is a task with schemas of its input and output', () => {
    const { function: task, diagnostics } = parseFunction(validateEmail)
    expect(diagnostics).toEqual([])
    expect(task).toMatchObject({ input: { schema: { document: { type: 'object' } } }, run: { script: { language: 'js' } } })
  })

  test('a function may be JSON or already parsed', () => {
    expect(parseFunction('{"set": {"x": 1}}').function).toEqual({ set: { x: 1 } })
    expect(parseFunction(parseDefinition('set: { x: 1 }')).function).toEqual({ set: { x: 1 } })
  })

  test('a function may contain tasks with directives and with the outputs of each other', () => {
    expect(reportsOf('do:\n  - a: { set: { x: 1 }, then: c }\n  - c: { set: "$steps.a" }\n')).toEqual([])
  })

  test('an invalid function is refused with the position of the mistake', () => {
    expect(reportsOf('set: { x: 1 }\nwiht: 1\n')).toEqual([
      expect.stringMatching(/^2:1 unknown_property \/wiht: "wiht" is not a property of a set task\./),
    ])
    expect(parseFunction('set: { x: 1 }\nwiht: 1\n').function).toBeUndefined()
    expect(reportsOf('do:\n  - a: { set: { x: 1 }, then: b }\n')).toEqual([expect.stringMatching(/^2:31 dangling_then \/do\/0\/a\/then/)])
    expect(reportsOf('set: ${ .a b }\n')).toEqual([expect.stringMatching(/^1:\d+ invalid_expression \/set/)])
  })

  test.each([
    ['', /^1:1 wrong_type /],
    ['[]', /^1:1 wrong_type /],
    ['a: {}', /^1:1 invalid_task /],
    ['set: {', /syntax_error/],
    ['document: { dsl: 1.0.3, namespace: t, name: s, version: 1.0.0 }\ndo: []\n', /^1:1 unknown_property \/document/],
    ['use: { secrets: [ a ] }\nset: { x: 1 }\n', /^1:1 unknown_property \/use/],
  ])('%j is not a function', (text, first) => {
    const { function: task, diagnostics } = parseFunction(text)
    expect(task).toBeUndefined()
    expect(diagnostics.map(report)[0]).toMatch(first)
  })

  test('a function has no secrets, whatever its caller lists', () => {
    expect(reportsOf('set: { x: "${ $secrets.vault }" }\n')).toEqual([
      '1:24 undeclared_secret /set/x: The secret "vault" is not listed in use.secrets. Take it as an argument: a function from elsewhere reads no secrets.',
    ])
  })

  test('a function has no components', () => {
    expect(reportsOf('set: { x: 1 }\ntimeout: short\n')).toEqual([
      '2:10 unknown_reference /timeout: There is no timeout named "short" in use.timeouts. Write it here in place of the name: a function from elsewhere has no use.',
    ])
    expect(reportsOf('call: compute\n')).toEqual([
      '1:7 unknown_function /call: There is no function named "compute". Call it by its URL: a function from elsewhere has no use, and knows the default catalog only.',
    ])
  })

  test('a function may call functions of the installation, which is checked', () => {
    const functions = [{ name: 'email', version: '1.0.0', input: { properties: { to: { type: 'string' } } } }]
    expect(reportsOf('call: email\nwith: { to: a@b.example }\n', { functions, checkValue })).toEqual([])
    expect(reportsOf('call: email\nwith: { to: 1 }\n', { functions, checkValue })).toEqual([
      expect.stringMatching(/^2:13 invalid_argument \/with\/to: /),
    ])
    expect(reportsOf('call: emial\n', { functions })).toEqual([expect.stringContaining('Did you mean "email"?')])
  })

  test('says what it needs that is lacking', () => {
    expect(reportsOf(validateEmail, { lacking: ['run.script.js'] })).toEqual([
      expect.stringMatching(/^12:15 unsupported_feature \/run\/script\/language: This installation cannot run scripts in JavaScript yet\./),
    ])
  })

  test('keeps its warnings beside it', () => {
    const { function: task, diagnostics } = parseFunction('set: { x: "Hello ${ .name }" }\n')
    expect(task).toBeDefined()
    expect(diagnostics).toMatchObject([{ code: 'embedded_expression', severity: 'warning' }])
  })
})

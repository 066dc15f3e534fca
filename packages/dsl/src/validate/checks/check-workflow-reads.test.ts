import { describe, expect, test } from 'vitest'
import { parseFunction } from '#src/validate/parse-function.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

const head = "document: { dsl: '1.0.3', namespace: test, name: test, version: '1.0.0' }\n"
const schema = (document: string) => `input: { schema: { document: ${document} } }\n`
const named = schema('{ type: object, properties: { email: {}, "first name": {} }, required: [total] }')
const setting = (source: string) => `do:\n  - one: { set: { x: '\${ ${source} }' } }\n`

function warnings(text: string) {
  return validateDefinition(head + text).diagnostics.filter(({ code }) => code === 'unknown_member')
}
const names = (text: string) => warnings(text).map(({ pointer, message }) => `${pointer} ${/"(.*?)"/.exec(message)?.[1]}`)

describe('a member that the input schema does not name is reported', () => {
  test.each([
    '$workflow.input.emial',
    '$workflow.input.emial.domain',
    '$workflow.input["emial"]',
    '$workflow["input"].emial',
    '$workflow.input."emial"',
    '"Hello \\($workflow.input.emial)"',
    '{ a: $workflow.input.emial }',
    '.list | map(. + $workflow.input.emial)',
    '$workflow.input as $in | $in.emial',
    '$workflow.input | .emial',
    '$workflow.input.emial == 1',
    '$workflow.input.emial | ascii_downcase',
  ])('in a value: %s', (source) => {
    expect(names(named + setting(source))).toEqual(['/do/0/one/set/x emial'])
  })

  test.each<readonly [place: string, text: string, pointer: string]>([
    ['a condition', `${named}do: [{ one: { if: $workflow.input.emial > 1, set: { x: 1 } } }]`, '/do/0/one/if'],
    [
      'an argument',
      `${named}do: [{ one: { call: http, with: { method: get, endpoint: '\${ $workflow.input.emial }' } } }]`,
      '/do/0/one/with/endpoint',
    ],
    ['the input of the workflow', named.replace('{ schema', "{ from: '${ $workflow.input.emial }', schema") + setting('1'), '/input/from'],
    ['the output of the workflow', `${named}${setting('1')}output: { as: $workflow.input.emial }`, '/output/as'],
    [
      'a loop',
      `${named}do: [{ one: { for: { in: .l }, do: [{ a: { set: { x: '\${ $item + $workflow.input.emial }' } } }] } }]`,
      '/do/0/one/do/0/a/set/x',
    ],
    [
      'a function of the document',
      `${named}use: { functions: { f: { set: { x: '\${ $workflow.input.emial }' } } } }\ndo: [{ one: { call: f } }]`,
      '/use/functions/f/set/x',
    ],
    [
      'a workflow with a transformed input',
      named.replace('{ schema', '{ from: .email, schema') + setting('$workflow.input.emial'),
      '/do/0/one/set/x',
    ],
  ])('in %s', (_, text, pointer) => {
    expect(names(text)).toEqual([`${pointer} emial`])
  })

  test('and so is a member that $workflow does not have', () => {
    expect(names(setting('$workflow.inputs.email'))).toEqual(['/do/0/one/set/x inputs'])
    expect(names(setting('[$workflow.id, $workflow.definition, $workflow.input.x, $workflow.startedAt.iso8601]'))).toEqual([])
  })
})

describe('nothing is reported', () => {
  test.each([
    '$workflow.input.email',
    '$workflow.input["first name"]',
    '$workflow.input.total',
    '$workflow.input',
    '$workflow.input[.name]',
    '$workflow.input.emial // 1',
    '$workflow.input.emial?',
    'try $workflow.input.emial catch 1',
    'if $workflow.input | has("emial") then $workflow.input.emial else 1 end',
    '$workflow.input.emial == null',
    '$workflow.input.emial | not',
    '$workflow.input.emial | type',
    '$workflow.input + { emial: 1 } | .emial',
    '"$workflow.input.emial"',
    '. as { a: $workflow } | $workflow.inputs',
  ])('for %s', (source) => {
    expect(names(named + setting(source))).toEqual([])
  })

  test.each([
    '{ type: object }',
    '{ properties: {} }',
    '{ properties: { a: {} }, additionalProperties: true }',
    '{ properties: { a: {} }, additionalProperties: { type: string } }',
    '{ properties: { a: {} }, patternProperties: { "^e": {} } }',
    '{ properties: { a: {} }, $ref: "https://a.b/c" }',
    '{ properties: { a: {} }, allOf: [{ properties: { emial: {} } }] }',
    '{ properties: { a: {} }, anyOf: [{}] }',
    '{ properties: { a: {} }, oneOf: [{}] }',
    '{ properties: { a: {} }, if: {} }',
    '{ type: array, properties: { a: {} } }',
    'true',
  ])('of an input with the schema %s', (document) => {
    expect(names(schema(document) + setting('$workflow.input.emial'))).toEqual([])
  })

  test('of an input without a schema, and of one whose schema is elsewhere', () => {
    const elsewhere = 'input: { schema: { resource: { endpoint: https://a.b/c.json } } }\n'
    for (const input of ['', elsewhere]) expect(names(input + setting('$workflow.input.emial'))).toEqual([])
  })

  test('of a function from elsewhere, whose schema describes its arguments', () => {
    const { diagnostics } = parseFunction(`${named}set: { x: '\${ $workflow.input.emial }' }`)
    expect(diagnostics).toEqual([])
  })
})

describe('the warning', () => {
  test.each<readonly [source: string, hint: string, marked: string]>([
    ['$workflow.input.emial', 'Did you mean "email"?', 'emial'],
    ['$workflow.input["e-mail"]', 'Did you mean "email"?', 'e-mail'],
    ['$workflow.inputs.email', 'Did you mean "input"?', 'inputs'],
    ['$workflow.user', 'Its members are id, definition, input, startedAt.', 'user'],
    [
      '$workflow.input.zip',
      'It has email, first name, total. Add it to input.schema, or set additionalProperties: true there if the input may have others.',
      'zip',
    ],
  ])('for %s advises %s', (source, hint, marked) => {
    const [warning, ...others] = warnings(named + setting(source))
    const { start = 0, end = 0 } = warning?.expression ?? {}
    expect([warning?.hint, ` ${source} `.slice(start, end), warning?.severity, others]).toEqual([hint, marked, 'warning', []])
  })

  test('marks each place, or the whole expression where the name stands elsewhere', () => {
    expect(warnings(named + setting('$workflow.input.emial + $workflow.input.emial'))).toHaveLength(2)
    expect(warnings(named + setting('$workflow.input | .emial'))).toMatchObject([{ hint: 'Did you mean .email?' }])
  })

  test('is given 200 times at most', () => {
    const many = Array.from({ length: 300 }, (_, n) => `  - s${n}: { set: { x: '\${ $workflow.inputs }' } }\n`).join('')
    expect(warnings(`do:\n${many}`)).toHaveLength(200)
  })
})

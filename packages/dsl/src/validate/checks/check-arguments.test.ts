/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { describe, expect, test } from 'vitest'
import { checkValue } from '#src/testing/check-value.ts'
import { expectDiagnostics, expectValid } from '#src/testing/marked.ts'
import type { Json } from '#src/json.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

const email = {
  type: 'object',
  required: ['to', 'subject'],
  additionalProperties: false,
  properties: {
    to: { type: 'string', minLength: 3 },
    subject: { type: 'string' },
    priority: { $ref: '#/$defs/priority' },
    body: {
      type: 'object',
      required: ['text'],
      additionalProperties: false,
      properties: { text: { type: 'string' }, html: { type: 'boolean' }, level: { $ref: '#/$defs/priority' } },
    },
    cc: { type: 'array', items: { type: 'string' } },
  },
  $defs: { priority: { type: 'integer', maximum: 5 } },
} satisfies Json

const options = { functions: [{ name: 'email', version: '1.0.0', input: email }], checkValue }

describe('the arguments of a function of the default catalog', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['one of another type', '{ to: «1», subject: x }', '"to" does not fit what the function "email" takes: must be string.', 'See what'],
    ['one that is out of bounds', '{ to: abc, subject: x, priority: «9» }', 'must be <= 5', 'See what'],
    ['one deep inside', '{ to: abc, subject: x, body: { text: «1» } }', '"text" does not fit', 'See what'],
    ['one in a list', '{ to: abc, subject: x, cc: [ a, «2» ] }', '"1" does not fit', 'See what'],
    [
      'one that is not known',
      '{ to: abc, subject: x, «blub»: 1 }',
      'does not take "blub"',
      'Remove it; possible are to, subject, priority, body, cc.',
    ],
    ['one that is misspelled', '{ to: abc, subject: x, «prioriti»: 1 }', 'does not take "prioriti"', 'Did you mean "priority"?'],
    ['one inside that is missing', '{ to: abc, subject: x, «body»: { html: true } }', 'needs "text"', 'Add text: to it.'],
    ['one inside that is misspelled', '{ to: abc, subject: x, body: { text: a, «htlm»: true } }', 'does not take "htlm"', '"html"'],
    ['empty text', '{ to: «""», subject: x }', 'fewer than 3', 'See what'],
  ]
  test.each(cases)('%s is found at its place', (_, given, message, hint) => {
    expectDiagnostics(`do: [ a: { call: email, with: ${given} } ]`, [{ code: 'invalid_argument', message, hint }], options)
  })

  test('missing arguments are reported at with, or at a call without it', () => {
    expectDiagnostics(
      'do: [ a: { call: email, «with»: { to: abc } } ]',
      [{ code: 'invalid_argument', message: 'needs "subject"', hint: 'Add subject:' }],
      options,
    )
    const functions = [{ name: 'email', version: '1.0.0', input: { required: ['to'] } }]
    expectDiagnostics('do: [ a: { call: «email» } ]', [{ code: 'invalid_argument', message: 'needs "to"', hint: 'Add with:' }], {
      functions,
    })
  })

  test('valid arguments have no diagnostics', () => {
    expectValid('do: [ a: { call: email, with: { to: abc, subject: x, priority: 5, body: { text: x, level: 1 }, cc: [ a ] } } ]', options)
  })

  test('arguments are checked in all lists of tasks', () => {
    expectDiagnostics(
      `
use: { functions: { f: { call: email, with: { to: «1», subject: x } } } }
do: [ a: { try: [], catch: { do: [ b: { call: email:1.0.0@default, with: { to: «2», subject: x } } ] } } ]`,
      ['invalid_argument', 'invalid_argument'],
      options,
    )
  })

  test('arguments are checked against the called version, or the newest', () => {
    const functions = [
      { name: 'email', version: '1.0.0', input: { properties: { to: { type: 'string' } } } },
      { name: 'email', version: '2.0.0', input: { properties: { to: { type: 'array' } } } },
    ]
    expectDiagnostics(
      'do: [ a: { call: email, with: { to: «x» } }, b: { call: email:1.0.0, with: { to: x } }, c: { call: email:1.0.0@default, with: { to: «[]» } } ]',
      [
        { code: 'invalid_argument', message: 'must be array' },
        { code: 'invalid_argument', message: 'must be string' },
      ],
      { functions, checkValue },
    )
  })

  test('arguments of a function without a schema are not checked', () => {
    expectValid('do: [ a: { call: email, with: { x: 1 } } ]', { functions: [{ name: 'email', version: '1.0.0' }], checkValue })
    expectValid('do: [ a: { call: email, with: { x: 1 } } ]', { functions: [{ name: 'email', version: '1.0.0', input: true }], checkValue })
  })
})

describe('arguments with expressions', () => {
  test('arguments with expressions are left to the run, and the others are checked', () => {
    expectValid(
      `do: [ a: { call: email, with: { to: '\${ .to }', subject: '\${ .subject }', priority: '\${ 1 }', cc: [ '\${ .a }', 2 ] } } ]`,
      options,
    )
    expectDiagnostics(`do: [ a: { call: email, with: { to: '\${ .to }', subject: «1» } } ]`, ['invalid_argument'], options)
    expectDiagnostics(`do: [ a: { call: email, with: { to: '\${ .to }', subject: x, priority: «9» } } ]`, ['invalid_argument'], options)
  })

  test('missing and unknown arguments are found beside expressions', () => {
    expectDiagnostics(
      `do: [ a: { call: email, «with»: { to: '\${ .to }', «subjekt»: '\${ .x }' } } ]`,
      [
        { code: 'invalid_argument', message: 'needs "subject"' },
        { code: 'invalid_argument', message: 'does not take "subjekt"', hint: 'Did you mean "subject"?' },
      ],
      options,
    )
  })

  test('values beside a nested expression are checked', () => {
    expectDiagnostics(
      `do: [ a: { call: email, with: { to: abc, subject: x, body: { text: '\${ .x }', html: «1» } } } ]`,
      [{ code: 'invalid_argument', message: '"html" does not fit' }],
      options,
    )
    expectDiagnostics(
      `do: [ a: { call: email, with: { to: abc, subject: x, «body»: { html: '\${ .x }', «txt»: y, level: «9» } } } ]`,
      [
        { code: 'invalid_argument', message: 'needs "text"' },
        { code: 'invalid_argument', message: 'does not take "txt"', hint: '"text"' },
        { code: 'invalid_argument', message: 'must be <= 5' },
      ],
      options,
    )
  })

  test('branches that an expression may decide are left to the run', () => {
    const input = {
      properties: { kind: { type: 'string' }, size: {} },
      if: { properties: { kind: { const: 'number' } } },
      // `then` is a keyword of JSON Schema here, and never a function.
      ...Object.fromEntries([['then', { properties: { size: { type: 'integer' } } }]]),
      else: { properties: { size: { type: 'string' } } },
    }
    const functions = [{ name: 'size', version: '1.0.0', input }]
    expectValid(`do: [ a: { call: size, with: { kind: '\${ .kind }', size: 1 } } ]`, { functions, checkValue })
    // Without expressions the branch is known. This validator says of the whole that no branch fits, and that is not repeated.
    expectDiagnostics('do: [ a: { call: size, with: { kind: text, size: «1» } } ]', ['invalid_argument'], { functions, checkValue })
  })

  test('only a string that is wholly an expression counts as one', () => {
    const expected = [{ code: 'embedded_expression' }, { code: 'invalid_argument', message: 'must be <= 5' }] as const
    expectDiagnostics('do: [ a: { call: email, with: { to: «"a ${ .x }"», subject: x, priority: «9» } } ]', expected, options)
  })
})

describe('the arguments of a function of the document', () => {
  const use = `use: { functions: { f: { input: { schema: { document: { required: [ n ], properties: { n: { type: integer } } } } }, set: { x: 1 } } } }`

  test('arguments of a function of the document are checked against its input schema', () => {
    expectDiagnostics(
      `${use}\ndo: [ a: { call: f, with: { n: «x» } } ]`,
      [{ code: 'invalid_argument', message: 'must be integer' }],
      options,
    )
    expectDiagnostics(`${use}\ndo: [ a: { call: f, «with»: { m: 1 } } ]`, [{ code: 'invalid_argument', message: 'needs "n"' }], options)
    expectDiagnostics(`${use}\ndo: [ a: { call: «f» } ]`, [{ code: 'invalid_argument', hint: 'Add with: and, below it, n:.' }], options)
    expectValid(`${use}\ndo: [ a: { call: f, with: { n: 1, m: 2 } } ]`, options)
  })

  test.each([
    ['is elsewhere', 'resource: { endpoint: https://a.b }'],
    ['is not JSON Schema', 'format: avro, document: { required: [ n ] }'],
    ['is no object', 'document: true'],
    ['is not a schema', 'document: { required: n, properties: [ 1 ] }'],
  ])('arguments are left to the run if the schema %s', (_, schema) => {
    expectValid(`use: { functions: { f: { input: { schema: { ${schema} } }, set: { x: 1 } } } }\ndo: [ a: { call: f } ]`)
  })

  test('a function of the document hides that of the default catalog', () => {
    expectValid('use: { functions: { email: { set: { x: 1 } } } }\ndo: [ a: { call: email, with: { anything: 1 } } ]', options)
  })
})

describe('without a way to check values', () => {
  test('names are checked without checkValue', () => {
    const functions = [{ name: 'email', version: '1.0.0', input: email }]
    expectDiagnostics('do: [ a: { call: email, «with»: { to: 1, «blub»: 1 } } ]', ['invalid_argument', 'invalid_argument'], { functions })
  })
})

test('thousands of arguments that are wrong are gone through in good time', () => {
  const given = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`argument${index}`, index]))
  const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`argumnt${index}`, {}]))
  const document = { document: { dsl: '1.0.3', namespace: 't', name: 's', version: '1.0.0' }, do: [{ a: { call: 'email', with: given } }] }
  const faults = Object.keys(given).map((name) => ({ pointer: `/${name}/x`, detail: 'wrong' }))
  const { diagnostics } = validateDefinition(JSON.stringify(document), {
    functions: [{ name: 'email', version: '1.0.0', input: { additionalProperties: false, properties } }],
    checkValue: () => faults,
  })
  expect(diagnostics).toHaveLength(1000)
})

describe('what a validator says', () => {
  const definition = `document: { dsl: 1.0.3, namespace: t, name: s, version: 1.0.0 }
do: [ a: { call: email, with: { to: { b: 1 } } } ]`
  const said = (faults: readonly { readonly pointer: string; readonly detail: string }[]) =>
    validateDefinition(definition, { functions: [{ name: 'email', version: '1.0.0', input: {} }], checkValue: () => faults }).diagnostics

  test('faults of objects around a wrong value are not repeated', () => {
    const diagnostics = said([
      { pointer: '', detail: 'Property "to" does not match.' },
      { pointer: '/to', detail: 'Property "b" does not match.' },
      { pointer: '/to/b', detail: 'It is no string.' },
      { pointer: '/to/b', detail: 'It is not long enough.' },
    ])
    expect(diagnostics).toMatchObject([
      {
        pointer: '/do/0/a/with/to/b',
        message: '"b" does not fit what the function "email" takes: It is no string; It is not long enough.',
      },
    ])
  })

  test('a fault of all arguments is reported at with', () => {
    expect(said([{ pointer: '', detail: 'none of the branches fits' }])).toMatchObject([
      { pointer: '/do/0/a/with', message: 'The arguments do not fit what the function "email" takes: none of the branches fits.' },
    ])
  })
})

describe('an argument that is a JSON Schema', () => {
  const input = {
    type: 'object',
    properties: { schema: { type: 'object', format: 'json-schema' }, data: { type: 'object' } },
  } satisfies Json
  const model = { functions: [{ name: 'model', version: '1.0.0', input }], checkValue }
  const called = (given: string) => `do: [ a: { call: model, with: ${given} } ]`

  test.each([
    [
      'names of members in place of keywords',
      'invalid_argument',
      '{ schema: { «category»: "damaged, late" } }',
      '"category" is no keyword of it',
      'properties',
    ],
    [
      'a member without a schema',
      'invalid_argument',
      '{ schema: { type: object, properties: { category: «damaged» } } }',
      '"category" needs a schema',
      'type',
    ],
    [
      'a type of another language',
      'invalid_value',
      '{ schema: { properties: { n: { type: «int» } } } }',
      '"int" is not a type',
      '"integer"',
    ],
  ] as const)('%s: found at its place', (_, code, given, message, hint) => {
    expectDiagnostics(called(given), [{ code, message, hint }], model)
  })

  test.each([
    '{ schema: { type: object, properties: { category: { enum: [ damaged ] }, any: true } } }',
    '{ schema: { title: Anything } }',
    '{ schema: { type: object, x-mine: 1 } }',
    "{ schema: '${ .schema }' }",
    '{ data: { category: damaged } }',
  ])('%s is no mistake', (given) => {
    expectValid(called(given), model)
  })
})

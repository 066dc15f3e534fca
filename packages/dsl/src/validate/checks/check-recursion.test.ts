/* oxlint-disable vitest/expect-expect -- The helpers of testing/marked.ts assert. */
import { describe, expect, test } from 'vitest'
import { expectDiagnostics, expectValid } from '#src/testing/marked.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

describe('functions that call themselves', () => {
  test('directly', () => {
    expectDiagnostics('use: { functions: { a: { call: «a» } } }\ndo: []', [
      { code: 'recursive_function', message: 'The function "a" calls itself: a → a.', hint: 'Write a loop' },
    ])
  })

  test('indirect recursion is reported at the call that closes the cycle', () => {
    expectDiagnostics('use: { functions: { a: { call: b }, b: { call: «a» } } }\ndo: [ t: { call: a } ]', [
      { code: 'recursive_function', message: 'The function "a" calls itself: a → b → a.' },
    ])
  })

  test('recursion is found in nested tasks', () => {
    expectDiagnostics(
      `
use:
  functions:
    a: { do: [ x: { try: [], catch: { do: [ y: { call: b } ] } } ] }
    b: { for: { in: . }, do: [ z: { fork: { branches: [ w: { call: «a» } ] } } ] }
do: []`,
      [{ code: 'recursive_function', message: 'a → b → a' }],
    )
  })

  test('each cycle is reported once, with its own functions only', () => {
    expectDiagnostics(
      `
use:
  functions:
    start: { do: [ x: { call: a }, y: { call: c } ] }
    a: { do: [ x: { call: b }, y: { call: c } ] }
    b: { call: «a» }
    c: { do: [ x: { call: leaf }, y: { call: «c» } ] }
    leaf: { set: { x: 1 } }
do: []`,
      [
        { code: 'recursive_function', message: ': a → b → a.' },
        { code: 'recursive_function', message: ': c → c.' },
      ],
    )
  })

  test('a long circle is cut in the middle', () => {
    const functions = Array.from({ length: 12 }, (_, index) => `f${index}: { call: ${index === 11 ? '«f0»' : `f${index + 1}`} }`)
    expectDiagnostics(`use: { functions: { ${functions.join(', ')} } }\ndo: []`, [
      { code: 'recursive_function', message: 'f0 → f1 → f2 → f3 → … → f10 → f11 → f0.' },
    ])
  })
})

describe('functions that do not', () => {
  test('many ways to the same function are no circle', () => {
    expectValid(`
use: { functions: { a: { do: [ x: { call: b }, y: { call: c } ] }, b: { call: d }, c: { call: d }, d: { set: { x: 1 } } } }
do: [ t: { call: a }, u: { call: a } ]`)
  })

  test('a function may call what the DSL has under its name', () => {
    expectValid('use: { functions: { http: { call: http, with: { method: get, endpoint: https://a.b } } } }\ndo: []')
  })

  test('a function may call one of a catalog that is called like it', () => {
    expectValid(`use: { catalogs: { c: { endpoint: https://a.b } }, functions: { log: { call: 'log:1.0.0@c' } } }\ndo: []`)
  })

  test('a task with the name of a function is not a function', () => {
    expectValid('use: { functions: { a: { do: [ a: { set: { x: 1 } } ] } } }\ndo: [ a: { call: a } ]')
  })

  test('a chain of thousands is gone through in good time, and its end may lead back', () => {
    const length = 5000
    const functions = Array.from({ length }, (_, index) => [`f${index}`, { call: `f${(index + 1) % length}` }] as const)
    const document = {
      document: { dsl: '1.0.3', namespace: 't', name: 's', version: '1.0.0' },
      use: { functions: Object.fromEntries(functions) },
      do: [],
    }
    const { diagnostics } = validateDefinition(JSON.stringify(document))
    expect(diagnostics).toMatchObject([{ code: 'recursive_function', pointer: `/use/functions/f${length - 1}/call` }])
  })
})

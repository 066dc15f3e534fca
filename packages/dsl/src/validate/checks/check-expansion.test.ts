import { describe, expect, test } from 'vitest'
import type { Json } from '#src/json.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

const header = { dsl: '1.0.3', namespace: 't', name: 't', version: '1.0.0' }

function validate(tasks: Json, use: Json) {
  return validateDefinition(JSON.stringify({ document: header, use, do: tasks }))
}

/** Functions of which each calls the next one twice. */
function doubling(levels: number): Json {
  const functions = Array.from({ length: levels }, (_, level): [string, Json] => [
    `f${level}`,
    { do: [{ a: { call: `f${level + 1}` } }, { b: { call: `f${level + 1}` } }] },
  ])
  return Object.fromEntries([...functions, [`f${levels}`, { set: { x: 1 } }]])
}

describe('what names of use stand for', () => {
  test.each([20, 60, 1000])(
    'functions that double what they stand for over %d levels are refused at the call that is too much',
    (levels) => {
      const { definition, diagnostics } = validate([{ small: { call: `f${levels}` } }, { large: { call: 'f0' } }], {
        functions: doubling(levels),
      })
      expect(definition).toBeUndefined()
      expect(diagnostics).toMatchObject([
        { code: 'document_too_large', pointer: '/do/1/large/call', message: expect.stringContaining('2097152') },
      ])
    },
  )

  test('functions that are never called may expand without limit', () => {
    expect(validate([{ a: { set: { x: 1 } } }], { functions: doubling(60) }).diagnostics).toEqual([])
  })

  test('a few levels are fine', () => {
    expect(validate([{ a: { call: 'f0' } }], { functions: doubling(8) }).diagnostics).toEqual([])
  })

  test('a chain of thousands that is called from its end is fine', () => {
    const functions = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index): [string, Json] => [
        `f${index}`,
        index === 1999 ? { set: { x: 1 } } : { call: `f${index + 1}` },
      ]),
    )
    expect(validate([{ a: { call: 'f0' } }], { functions }).diagnostics).toEqual([])
  })

  test.each([
    [
      'retry policies',
      { retries: { big: { when: `"${'x'.repeat(50_000)}" != ""` } } },
      { try: [{ a: { set: { x: 1 } } }], catch: { retry: 'big' } },
    ],
    ['errors', { errors: { big: { type: 'https://a.b/c', status: 400, detail: 'x'.repeat(50_000) } } }, { raise: { error: 'big' } }],
    [
      'authentication policies',
      { authentications: { big: { bearer: { token: `\${ "${'x'.repeat(50_000)}" }` } } } },
      { call: 'http', with: { method: 'get', endpoint: { uri: 'https://a.b', authentication: { use: 'big' } } } },
    ],
  ] as const)('%s are counted at each use', (_, use, task) => {
    const tasks = (count: number) => Array.from({ length: count }, (__, index): Json => ({ [`t${index}`]: task }))
    expect(validate(tasks(40), use).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(validate(tasks(50), use).diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'document_too_large', pointer: expect.stringContaining('/do/41/t41/') },
    ])
  })
})

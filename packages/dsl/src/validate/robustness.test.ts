import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultParseLimits } from '#src/parse/limits.ts'
import { validateDefinition } from './validate-definition.ts'

const header = 'document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0 }\n'

/** Milliseconds that it takes to validate a text. */
function timed(text: string): { readonly ms: number; readonly count: number } {
  const started = startProcessorTime()
  const { diagnostics } = validateDefinition(text)
  return { ms: started(), count: diagnostics.length }
}

describe('whatever is given', () => {
  const words = fc.constantFrom(
    'document',
    'do',
    'use',
    'call',
    'with',
    'set',
    'for',
    'in',
    'try',
    'catch',
    'switch',
    'when',
    'then',
    'fork',
    'branches',
    'listen',
    'to',
    'any',
    'run',
    'script',
    'input',
    'schema',
    'functions',
    'extensions',
    'http',
    'x',
  )
  const { value: anything } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom(null, true, 0, '', 'http', '${ .a }', '${ ( }', '$x', 'PT1S'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(words, tie('value'), { maxKeys: 4 }),
    ),
  }))

  test('validation ends with a result and never throws, and every diagnostic has a position and says what to do', () => {
    fc.assert(
      fc.property(anything, fc.constantFrom('', 'do', 'use'), (value, key) => {
        const document =
          key === '' ? value : { document: { dsl: '1.0.3', namespace: 'x', name: 'x', version: '1.0.0' }, do: [], [key]: value }
        const { definition, diagnostics } = validateDefinition(JSON.stringify(document), { format: 'json' })
        expect(definition === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'))
        for (const { line, column, message, hint = '' } of diagnostics) {
          expect(line).toBeGreaterThan(0)
          expect(column).toBeGreaterThan(0)
          expect(message).toMatch(/[.!?]$/)
          expect(hint).toMatch(/[.!?]$/)
        }
      }),
      { numRuns: 1500 },
    )
  })

  test('a document as deep as it may be is walked without exhausting the stack', () => {
    const levels = Math.floor((defaultParseLimits.depthMax - 4) / 3)
    const task = Array.from({ length: levels }).reduce<unknown>((inner) => ({ do: [{ a: inner }] }), { set: { x: 1 } })
    const text = JSON.stringify({ document: { dsl: '1.0.3', namespace: 'x', name: 'x', version: '1.0.0' }, do: [{ a: task }] })
    expect(validateDefinition(text).diagnostics).toEqual([])
  })
})

describe('what is made to be slow', () => {
  const cases: readonly (readonly [name: string, text: string])[] = [
    ['many duplicate keys of YAML', `${header}do: []\n${'x: 1\n'.repeat(50_000)}`],
    ['many duplicate keys of JSON', `{${'"x":1,'.repeat(50_000)}"do":[]}`],
    ['many unknown keys', `${header}do: []\n${Array.from({ length: 20_000 }, (_, index) => `x${index}: 1`).join('\n')}`],
    ['many tasks of one name', `${header}do:\n${'- a: { set: { x: 1 } }\n'.repeat(10_000)}`],
    [
      'many jumps to nowhere',
      `${header}do:\n${Array.from({ length: 3000 }, (_, index) => `- t${index}: { set: { x: 1 }, then: nowhere${index} }`).join('\n')}`,
    ],
    ['a long text with blanks in an expression', `${header}do:\n- a: { set: { x: "a \${ ${' '.repeat(200_000)} b" } }`],
    [
      'blanks before what may be the name of a member',
      `${header}do:\n- a: { set: { k: 1 } }\n- b: { set: { q: "\${ [${' '.repeat(200_000)}1] }" } }`,
    ],
    [
      'many lists behind many tasks',
      `${header}do:\n${Array.from({ length: 9000 }, (_, index) => `- t${index}: { do: [{ b: { set: { x: 1 } } }] }`).join('\n')}`,
    ],
    ['a long text with many beginnings', `${header}do:\n- a: { set: { x: "${'${ '.repeat(50_000)}" } }`],
    ['a long expression with many bindings', `${header}do:\n- a: { set: { x: "\${ ${'as '.repeat(50_000)} $steps.a }" } }`],
    ['a long name', `${header}do:\n- a: { set: { x: 1 }, then: ${'n'.repeat(200_000)} }`],
    ['a long key', `${header}do: []\n${'k'.repeat(900)}: 1`],
    ['a long duration', `${header}do:\n- a: { wait: P${'1'.repeat(200_000)} }`],
    ['a long URI', `${header}do:\n- a: { call: http, with: { method: get, endpoint: "https://a/${'{a}'.repeat(50_000)}{" } }`],
    ['a long version', `document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0-${'a.'.repeat(50_000)} }\ndo: []`],
    ['a long cron expression', `${header}schedule: { cron: "${'1,'.repeat(50_000)} * * * *" }\ndo: []`],
    [
      'a long timestamp',
      `${header}do:\n- a: { emit: { event: { with: { source: https://a.b, type: x, time: 2026-01-01T00:00:00.${'1'.repeat(100_000)} } } } }`,
    ],
  ]
  test.each(cases)('%s takes no more than a few seconds, and is refused', (_, text) => {
    const { ms, count } = timed(text)
    expect(count).toBeGreaterThan(0)
    expect(ms).toBeLessThan(5000)
  })
})

test('at most a thousand diagnostics are returned, and the document is still refused', () => {
  const unknown = Array.from({ length: 2000 }, (_, index) => `x${index}: 1`).join('\n')
  const { definition, diagnostics } = validateDefinition(`${header}${unknown}\ndo: []`)
  expect(diagnostics).toHaveLength(1000)
  expect(diagnostics[0]?.line).toBe(2)
  expect(definition).toBeUndefined()
})

test('an error behind more than a thousand warnings is among what is given', () => {
  const warnings = Array.from({ length: 1200 }, (_, index) => `- a${index}: { set: { x: "a \${ .x } b" } }`).join('\n')
  const { definition, diagnostics } = validateDefinition(`${header}do:\n${warnings}\n- broken: {}`)
  expect(definition).toBeUndefined()
  expect(diagnostics).toHaveLength(1000)
  expect(diagnostics.at(-1)).toMatchObject({ code: 'invalid_task', severity: 'error', pointer: '/do/1200/broken' })
  expect(diagnostics[0]).toMatchObject({ code: 'embedded_expression', line: 3 })
})

test('at most a thousand duplicate keys are returned', () => {
  const { diagnostics } = validateDefinition(`${header}do: []\n${'x: 1\n'.repeat(5000)}`)
  expect(diagnostics).toHaveLength(1000)
  expect(diagnostics[0]?.line).toBe(4)
})

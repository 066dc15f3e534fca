import { expect, onTestFinished, test, vi } from 'vitest'
import { exampleInput } from '#src/rehearse/made-up.ts'
import { readSamples, shortValue, writeSamples } from '#src/rehearse/samples.ts'

test.each([
  [{ total: 5 }, '{ total: 5 }'],
  [{ total: 5, more: 1 }, '{ total: 5, … }'],
  [{ order: {}, lines: [] }, '{ order, lines }'],
  [[1, 2], '[2]'],
  ['short', '"short"'],
  [{}, '{}'],
  [null, 'null'],
  ['x'.repeat(60), `"${'x'.repeat(26)}…`],
])('%j is shown on a card as %s', (value, text) => {
  expect(shortValue(value)).toBe(text)
})

test('a rehearsal begins with the example of the input schema, or with values that its members make up', () => {
  const withSchema = (schema: object) => exampleInput({ input: { schema: { document: { ...schema } } } })
  expect(withSchema({ examples: [{ a: 1 }] })).toEqual({ a: 1 })
  expect(withSchema({ default: { b: 1 } })).toEqual({ b: 1 })
  const properties = {
    c: { examples: [3] },
    d: { default: 'x' },
    name: { type: 'string', minLength: 2 },
    from: { type: 'string', format: 'date' },
    email: { type: ['string', 'null'], format: 'email' },
    size: { enum: ['small', 'large'] },
    count: { type: 'integer', minimum: 3 },
    less: { type: 'number', maximum: 0 },
    sure: { type: 'boolean' },
    lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string', maxLength: 2 } } } },
    code: { type: 'string', pattern: '^[A-Z]{3}$' },
    any: {},
    book: { type: 'string', minLength: 1_000_000_000 },
  }
  expect(withSchema({ type: 'object', properties })).toEqual({
    c: 3,
    d: 'x',
    name: 'name',
    from: '2026-01-31',
    email: 'someone@example.com',
    size: 'small',
    count: 3,
    less: 0,
    sure: false,
    lines: [{ sku: 'sk' }],
  })
  expect(exampleInput(undefined)).toEqual({})
})

test('a sample is kept without the secrets of the input', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const schema = { properties: { code: { writeOnly: true } } }
  expect(readSamples('wf')).toEqual({ input: undefined, pins: {} })
  writeSamples('wf', { input: { name: 'Ada', code: '7' }, pins: { call: [1] } }, schema)
  expect(readSamples('wf')).toEqual({ input: { name: 'Ada' }, pins: { call: [1] } })
})

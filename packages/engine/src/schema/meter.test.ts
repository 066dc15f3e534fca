import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import type { Meter } from '#core/meter.ts'
import { createValidator } from './validator.ts'

class Interrupted extends Error {}

/** A meter that ends the work after so many steps. */
function interruptingAfter(steps: number): Meter {
  let left = steps
  return {
    spend: (spent) => {
      left -= spent
      if (left < 0) throw new Interrupted()
    },
  }
}

const counting = () => {
  const portions: number[] = []
  return { portions, spend: (steps: number) => void portions.push(steps) }
}

const schema: Json = {
  $ref: '#/$defs/list',
  $defs: {
    list: {
      items: { anyOf: [{ $ref: '#/$defs/item' }, { $ref: '#/$defs/other' }] },
      uniqueItems: true,
      contains: { $ref: '#/$defs/item' },
    },
    item: {
      type: 'object',
      properties: { name: { type: 'string', pattern: '^[a-z]+ \\d+$' }, at: { format: 'date-time' } },
      allOf: [{ required: ['name'] }],
      unevaluatedProperties: false,
    },
    other: { $dynamicRef: '#any' },
    any: { $dynamicAnchor: 'any', enum: [null, { a: [1] }] },
  },
}
const items = Array.from({ length: 300 }, (_, index): Json => ({ name: `item ${index}`, at: '2030-01-02T03:04:05Z' }))
const values: readonly Json[] = [items, [...items, { name: 'no' }, { a: [1] }, null, null], 'text', { name: 5 }]

describe('a meter', () => {
  test('receives the same portions for the same validation, whether or not the schema was used before', () => {
    for (const value of values) {
      const used = createValidator(schema)
      for (const before of values) used(before)
      const [fresh, again, other] = [counting(), counting(), counting()]
      createValidator(schema)(value, fresh)
      used(value, again)
      used(value, other)
      const sum = (portions: readonly number[]) => portions.reduce((total, steps) => total + steps, 0)
      expect(sum(again.portions)).toBe(sum(fresh.portions))
      expect(other.portions).toEqual(again.portions)
    }
  })

  test('may abort a validation anywhere; its repetition has the same result', () => {
    for (const value of values) {
      const expected = createValidator(schema)(value)
      const total = counting()
      createValidator(schema)(value, total)
      const faultsOf = createValidator(schema)
      for (let steps = 0; steps < total.portions.reduce((sum, some) => sum + some, 0); steps += 97) {
        expect(() => faultsOf(value, interruptingAfter(steps))).toThrow(Interrupted)
      }
      expect(faultsOf(value)).toEqual(expected)
    }
  })

  test.each([new RangeError('mine'), new TypeError('mine'), new SyntaxError('mine'), new Interrupted('mine'), 'no error at all'])(
    'has what it throws thrown on: %s',
    (thrown) => {
      const meter: Meter = {
        spend: () => {
          throw thrown
        },
      }
      for (const value of values) {
        let caught: unknown
        try {
          createValidator(schema)(value, meter)
        } catch (error) {
          caught = error
        }
        expect(caught).toBe(thrown)
      }
    },
  )

  test.each<[string, Json, Json]>([
    ['many items', { items: { type: 'number' } }, Array.from({ length: 100_000 }, (_, index) => index)],
    ['many equal items', { uniqueItems: true }, Array.from({ length: 100_000 }, (_, index) => index)],
    ['counting characters', { maxLength: 8_000_000 }, '😀'.repeat(5_000_000)],
    ['a large constant', { const: [] }, [Array.from({ length: 100_000 }, (_, index) => [index])]],
    ['a large schema', { properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, {}])) }, 5],
  ])('is asked often: %s', (_what, given, value) => {
    const { portions, spend } = counting()
    createValidator(given)(value, { spend })
    // 2,000 steps are a millisecond at most.
    expect(Math.max(...portions)).toBeLessThan(2_000)
  })

  test('is asked before a long text is read, since a pattern reads it in one go', () => {
    const text = 'a'.repeat(1_000_000)
    let asked = 0
    const meter: Meter = {
      spend: (steps) => {
        asked = Math.max(asked, steps)
        if (steps > 10_000) throw new Interrupted()
      },
    }
    expect(() => createValidator({ pattern: '^a+$' })(text, meter)).toThrow(Interrupted)
    expect(() => createValidator({ format: 'uri' })(text, meter)).toThrow(Interrupted)
    expect(asked).toBeGreaterThan(50_000)
  })
})

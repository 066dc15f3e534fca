import * as fc from 'fast-check'
import type { Json, JsonObject } from '#src/json.ts'

/** Names that are usable everywhere: for tasks, variables and components. */
export const names = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta')

export const words = fc.constantFrom(
  'order',
  'hello world',
  'x',
  'a b c',
  '12',
  'true',
  'naïve',
  'käse & brot',
  'line one\nline two',
  '  spaced  ',
  '',
)

export const expressions = fc.constantFrom(
  '.a',
  '.order.total > 10',
  '.items | length',
  '[.a, .b]',
  '{ a: .a }',
  '.a // "none"',
  '"text"',
  '1',
  '.',
)

export const enclosed = expressions.map((source) => `\${ ${source} }`)

export const anyExpression = fc.oneof(expressions, enclosed)

export const textOrExpression = fc.oneof(words, enclosed)

const leaves = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.constantFrom(0.5, -1.25, 1e21), textOrExpression)

const keys = fc.constantFrom('id', 'name', 'a b', 'x-y', '0', 'ключ', 'then', 'if', 'call', '~/')

/** The author's own data: any JSON, with expressions in it. */
export const data: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaves,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 3 }),
  ),
})).value

export const objects: fc.Arbitrary<JsonObject> = fc.dictionary(keys, data, { maxKeys: 3 })

export const filledObjects: fc.Arbitrary<JsonObject> = fc.dictionary(keys, data, { minKeys: 1, maxKeys: 3 })

export const stringMaps = fc.dictionary(keys, textOrExpression, { maxKeys: 3 })

/** A record in which every property but those named may be missing, and none is undefined. */
export function record<T extends Record<string, fc.Arbitrary<unknown>>>(model: T, required: readonly (keyof T & string)[] = []) {
  return fc.record(model, { requiredKeys: [...required] })
}

export const isoDurations = fc.constantFrom('PT5S', 'PT1M30S', 'P1D', 'P1W', 'P1Y2M3DT4H5M6.5S', 'PT0.1S')

export const durations = fc.oneof(
  isoDurations,
  enclosed,
  record({ days: fc.nat(3), hours: fc.nat(23), minutes: fc.nat(59), seconds: fc.nat(59), milliseconds: fc.nat(999) }).filter(
    (parts) => Object.keys(parts).length > 0,
  ),
)

export const uris = fc.constantFrom(
  'https://example.com',
  'https://example.com/orders/{id}?q={query}',
  'http://localhost:8080/a/b#c',
  'urn+x://a/%20b',
  'ftp://files.example.com/{name}.txt',
)

export const uriOrExpression = fc.oneof(uris, enclosed)

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from './diagnostics/diagnostic.ts'
import { expectAgreement, shown } from './testing/agreement.ts'
import { definitions } from './testing/arbitrary-definition.ts'
import { breaks, broken } from './testing/breaking.ts'
import { officialSchema } from './testing/official-schema.ts'
import type { Json } from './json.ts'
import { validateDefinition } from './validate/validate-definition.ts'

function errorsOf(document: Json): readonly Diagnostic[] {
  const { definition, diagnostics } = validateDefinition(JSON.stringify(document, null, 2), {
    format: 'json',
    functions: [{ name: 'approve', version: '1.0.0' }],
  })
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error')
  expect(definition === undefined).toBe(errors.length > 0)
  return errors
}

/* Every single change to every place is gone through in specimen.test.ts; what is drawn here are combinations of them. */
describe('agreement with the official schema', () => {
  test('generated definitions are valid for both', () => {
    const schema = officialSchema()
    fc.assert(
      fc.property(definitions, (definition) => {
        expect({ official: schema(definition), errors: schema.errors }).toMatchObject({ official: true })
        expect(shown(errorsOf(definition))).toEqual([])
      }),
      { numRuns: 40, endOnFailure: true },
    )
  })

  test('what the schema refuses is refused here, with a position; what it accepts is accepted, or a meaning explains why not', () => {
    const seen = { refused: 0, accepted: 0 }
    fc.assert(
      fc.property(definitions, fc.array(breaks, { minLength: 1, maxLength: 2 }), (definition, changes) => {
        const document = changes.reduce<Json>(broken, definition)
        const errors = errorsOf(document)
        seen[expectAgreement(document, errors) ? 'accepted' : 'refused']++
        for (const error of errors) {
          expect(error.line).toBeGreaterThan(0)
          expect(error.column).toBeGreaterThan(0)
          expect(error.hint).toBeTruthy()
        }
      }),
      { numRuns: 120, endOnFailure: true },
    )
    // Were one of the two never met, the test would prove nothing.
    expect(Math.min(seen.refused, seen.accepted)).toBeGreaterThan(10)
  })
})

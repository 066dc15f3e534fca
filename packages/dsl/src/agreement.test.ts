import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DiagnosticCode } from './diagnostics/codes.ts'
import type { Diagnostic } from './diagnostics/diagnostic.ts'
import { definitions } from './testing/arbitrary-definition.ts'
import { breaks, broken } from './testing/breaking.ts'
import { officialSchema } from './testing/official-schema.ts'
import type { Json } from './types/json.ts'
import { validateDefinition } from './validate/validate-definition.ts'

/** What a schema cannot know: names, expressions, versions, calendars. */
const semantic: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'duplicate_name',
  'dangling_then',
  'multiple_defaults',
  'unknown_function',
  'unknown_reference',
  'undeclared_secret',
  'invalid_expression',
  'undefined_variable',
  'unknown_step',
  'unsupported_feature',
  'unsupported_dsl_version',
  'invalid_cron',
])

/** Where the schema file takes more than the reference allows (docs/dsl.md, Where the sources differ). */
const stricter: readonly { readonly code: DiagnosticCode; readonly pointer: RegExp }[] = [
  // The reference lists the properties of these, and the schema leaves them open.
  { code: 'unknown_property', pointer: /^\/[^/]+$/ },
  { code: 'unknown_property', pointer: /^\/use\/authentications\/[^/]+\/[^/]+$/ },
  {
    code: 'unknown_property',
    pointer:
      /\/(?:request|endpoints|with|correlate\/[^/]+|errors|event|transport|http|stdio|client|foreach|script|catch|message|subscription|consume)\/[^/]+$/,
  },
  // The reference says "required", the schema does not.
  { code: 'missing_property', pointer: /\/(?:oauth2|oidc|with|event|schedule)$/ },
  // Variables have to be words that jq can read, and a version one that can exist.
  { code: 'invalid_name', pointer: /\/(?:each|at|item|as)$/ },
  { code: 'invalid_semver', pointer: /\/run\/workflow\/version$/ },
  // Ours, inside of what the schema leaves to everyone.
  { code: 'wrong_type', pointer: /\/metadata\/concurrency$/ },
  { code: 'invalid_value', pointer: /\/metadata\/concurrency$/ },
  // A time cannot be negative.
  { code: 'invalid_value', pointer: /\/(?:days|hours|minutes|seconds|milliseconds)$/ },
]

function isExplained({ code, pointer }: Diagnostic): boolean {
  return semantic.has(code) || stricter.some((place) => place.code === code && place.pointer.test(pointer))
}

function errorsOf(document: Json): readonly Diagnostic[] {
  const { definition, diagnostics } = validateDefinition(JSON.stringify(document, null, 2), { format: 'json', functions: ['approve'] })
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error')
  expect(definition === undefined).toBe(errors.length > 0)
  return errors
}

function shown(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code, pointer, message }) => `${code} at ${pointer}: ${message}`)
}

describe('agreement with the official schema', () => {
  test('generated definitions are valid for both', () => {
    const schema = officialSchema()
    fc.assert(
      fc.property(definitions, (definition) => {
        expect({ official: schema(definition), errors: schema.errors }).toMatchObject({ official: true })
        expect(shown(errorsOf(definition))).toEqual([])
      }),
      { numRuns: 200, endOnFailure: true },
    )
  })

  test('what the schema refuses is refused here, with a position; what it accepts is accepted, or a meaning explains why not', () => {
    const schema = officialSchema()
    const seen = { refused: 0, accepted: 0 }
    fc.assert(
      fc.property(definitions, fc.array(breaks, { minLength: 1, maxLength: 2 }), (definition, changes) => {
        const document = changes.reduce<Json>(broken, definition)
        const errors = errorsOf(document)
        if (schema(document)) {
          seen.accepted++
          expect(shown(errors.filter((error) => !isExplained(error)))).toEqual([])
        } else {
          seen.refused++
          expect({ official: schema.errors?.at(-1), ours: errors.length > 0 }).toMatchObject({ ours: true })
        }
        for (const error of errors) {
          expect(error.line).toBeGreaterThan(0)
          expect(error.column).toBeGreaterThan(0)
          expect(error.hint).toBeTruthy()
        }
      }),
      { numRuns: 600, endOnFailure: true },
    )
    // Were one of the two never met, the test would prove nothing.
    expect(Math.min(seen.refused, seen.accepted)).toBeGreaterThan(50)
  }, 60_000)
})

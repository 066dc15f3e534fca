import { expect } from 'vitest'
import type { DiagnosticCode } from '#src/diagnostics/codes.ts'
import type { Diagnostic } from '#src/diagnostics/diagnostic.ts'
import type { Json } from '#src/json.ts'
import { officialSchema } from './official-schema.ts'

/** Codes that a schema cannot check: names, expressions, versions, calendars. */
const semantic: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'duplicate_name',
  'dangling_then',
  'multiple_defaults',
  'unknown_function',
  'recursive_function',
  'invalid_argument',
  'unknown_reference',
  'undeclared_secret',
  'invalid_expression',
  'undefined_variable',
  'unknown_step',
  'unsupported_feature',
  'unsupported_dsl_version',
  'invalid_cron',
  'impossible_cron',
])

/** Places where the schema file accepts more than the reference (docs/dsl.md, Where the sources differ). */
const stricter: readonly { readonly code: DiagnosticCode; readonly pointer: RegExp }[] = [
  // The reference lists the properties of these, and the schema leaves them open.
  { code: 'unknown_property', pointer: /^\/[^/]+$/ },
  { code: 'unknown_property', pointer: /^\/use\/authentications\/[^/]+\/[^/]+$/ },
  {
    code: 'unknown_property',
    pointer:
      /\/(?:request|endpoints|with|correlate\/[^/]+|errors|event|transport|http|stdio|client|foreach|script|catch|message|subscription|consume)\/[^/]+$/,
  },
  // It says how the events of `on` are read, and is nothing without them.
  { code: 'unknown_property', pointer: /^\/schedule\/read$/ },
  // The reference says "required", the schema does not.
  { code: 'missing_property', pointer: /\/(?:oauth2|oidc|with|event|schedule)$/ },
  // The credentials that the method of a client requires.
  { code: 'missing_property', pointer: /\/client$/ },
  // Variables have to be words that jq can read, and a version one that can exist.
  { code: 'invalid_name', pointer: /\/(?:each|at|item|as)$/ },
  { code: 'invalid_semver', pointer: /\/run\/workflow\/version$/ },
  // Ours, inside of what the schema leaves to everyone.
  { code: 'wrong_type', pointer: /\/metadata\/concurrency$/ },
  { code: 'invalid_value', pointer: /\/metadata\/concurrency$/ },
  // A schedule has no run that an expression could be evaluated in, and a workflow cannot be started all the time.
  { code: 'invalid_duration', pointer: /^\/schedule\/(?:every|after)$/ },
  { code: 'invalid_value', pointer: /^\/schedule\/(?:every|after)$/ },
  // A time cannot be negative.
  { code: 'invalid_value', pointer: /\/(?:days|hours|minutes|seconds|milliseconds)$/ },
]

function isExplained({ code, pointer }: Diagnostic): boolean {
  return semantic.has(code) || stricter.some((place) => place.code === code && place.pointer.test(pointer))
}

export function shown(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code, pointer, message }) => `${code} at ${pointer}: ${message}`)
}

/**
 * Expects errors for a document that the official schema refuses, and for one that it accepts only errors that are explained above.
 *
 * @returns whether the schema accepts the document
 */
export function expectAgreement(document: Json, errors: readonly Diagnostic[]): boolean {
  const schema = officialSchema()
  const accepted = schema(document)
  if (accepted) expect(shown(errors.filter((error) => !isExplained(error)))).toEqual([])
  else expect({ official: schema.errors?.at(-1), ours: errors.length > 0 }).toMatchObject({ ours: true })
  return accepted
}

import type { Diagnostic } from '#src/diagnostics/diagnostic.ts'
import { applyChanges } from '#src/edit/apply-changes.ts'
import { type DefinitionFormat, parseDefinition } from '#src/parse/parse-definition.ts'
import type { ValidateOptions } from '#src/validate/options.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'
import type { Fix } from './fix.ts'
import { proposalsFor } from './proposals.ts'

export interface FixOptions extends ValidateOptions {
  readonly syntax: DefinitionFormat
}

/**
 * The corrections of a diagnostic of a text, the most likely first.
 *
 * Each was tried: the text after it has all diagnostics of the text before but this one, and no other.
 */
export function fixesFor(text: string, diagnostic: Diagnostic, options: FixOptions): readonly Fix[] {
  const parsed = parseDefinition(text, { format: options.syntax })
  const { diagnostics } = validateDefinition(parsed, options)
  const expected = without(diagnostics.map(identity), identity(diagnostic))
  if (expected === undefined) return []
  return proposalsFor(parsed, diagnostic).filter(({ changes }) => {
    const after = validateDefinition(applyChanges(parsed.source, changes), { ...options, format: options.syntax })
    return isSame(after.diagnostics.map(identity), expected)
  })
}

/** What a diagnostic says, without the place in the text, which moves. */
function identity({ code, message }: Diagnostic): string {
  return `${code} ${message}`
}

function without(all: readonly string[], one: string): readonly string[] | undefined {
  const at = all.indexOf(one)
  return at === -1 ? undefined : all.toSpliced(at, 1)
}

function isSame(found: readonly string[], expected: readonly string[]): boolean {
  const sorted = expected.toSorted()
  return found.length === expected.length && found.toSorted().every((one, index) => one === sorted[index])
}

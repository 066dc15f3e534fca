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
 * Each was tried: the text after it has the diagnostics of the text before but this one, perhaps without others of its code, and no other.
 */
export function fixesFor(text: string, diagnostic: Diagnostic, options: FixOptions): readonly Fix[] {
  const parsed = parseDefinition(text, { format: options.syntax })
  const { diagnostics } = validateDefinition(parsed, options)
  const expected = without(diagnostics.map(identity), identity(diagnostic))
  if (expected === undefined) return []
  const found = proposalsFor(parsed, diagnostic, options.functions).filter(({ changes }) => {
    const after = validateDefinition(applyChanges(parsed.source, changes), { ...options, format: options.syntax })
    return isLeft(after.diagnostics, expected, diagnostic)
  })
  // The parsed text has no byte order mark.
  const mark = text.length - parsed.source.length
  return mark === 0
    ? found
    : found.map((fix) => ({
        ...fix,
        changes: fix.changes.map((change) => ({ ...change, from: change.from + mark, to: change.to + mark })),
      }))
}

/** What a diagnostic says, without the place in the text, which moves. */
function identity({ code, message }: Diagnostic): string {
  return `${code} ${message}`
}

function without(all: readonly string[], one: string): readonly string[] | undefined {
  const at = all.indexOf(one)
  return at === -1 ? undefined : all.toSpliced(at, 1)
}

/** Whether only what was expected is left; of the same kind, other diagnostics may be gone too, as where a step keeps what several others read. */
function isLeft(found: readonly Diagnostic[], expected: readonly string[], { code }: Diagnostic): boolean {
  const left = [...expected]
  for (const diagnostic of found) {
    const at = left.indexOf(identity(diagnostic))
    if (at === -1) return false
    left.splice(at, 1)
  }
  return left.every((one) => one.startsWith(`${code} `))
}

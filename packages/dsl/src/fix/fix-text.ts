import type { Diagnostic } from '#src/diagnostics/diagnostic.ts'
import { applyChanges } from '#src/edit/apply-changes.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'
import type { Fix } from './fix.ts'
import { fixesFor, type FixOptions } from './fixes-for.ts'

/** A mistake that was corrected. */
export interface Fixed {
  /** As it was in the text at that time. */
  readonly diagnostic: Diagnostic
  readonly fix: Fix
}

export interface FixedText {
  readonly text: string
  readonly fixed: readonly Fixed[]
  /** What is still wrong. */
  readonly left: readonly Diagnostic[]
}

const fixesMax = 200

/** Corrects what can be corrected: what can only mean one thing, and with `all` also what removes or adds something. */
export function fixText(text: string, options: FixOptions & { readonly all?: boolean }): FixedText {
  const fixed: Fixed[] = []
  let current = text
  let skipped = 0
  for (;;) {
    const { diagnostics } = validateDefinition(current, { ...options, format: options.syntax })
    const diagnostic = diagnostics[skipped]
    if (diagnostic === undefined || fixed.length >= fixesMax) return { text: current, fixed, left: diagnostics }
    const fix = fixesFor(current, diagnostic, options).find(({ safe }) => safe || options.all === true)
    if (fix === undefined) skipped += 1
    else {
      fixed.push({ diagnostic, fix })
      current = applyChanges(current, fix.changes)
    }
  }
}

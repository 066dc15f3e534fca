import type { Json } from '@millrace/engine'
import { textAt, unfenced } from './model.ts'
import { applyEdits, type Edit, type Patched } from './patch.ts'

/** The definition that a model gave, whole or by edits, or why there is no such. */
export type Answered =
  | { readonly kind: 'whole' | 'edited'; readonly definition: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly findings: string }

/** What a repair of a refused answer is to be. */
export interface Repair {
  /** Said to the model behind the findings. */
  readonly advice: string
  /** Whether the next answer may refer to the refused one. */
  readonly isReferred: boolean
}

/** What a prompt says of the form of a change. */
export const editingRules = `Return the change as "edits", and leave "definition" empty. Each edit replaces the text "search" by the text "replace":
- Copy "search" from the definition as it is, with its spaces, line breaks and comments. It must occur in the definition exactly once: take whole lines, and as few as make it unique.
- To insert lines, repeat a line beside them in "search" and in "replace". To delete lines, leave "replace" empty.
- All edits refer to the definition as it is shown, and they do not overlap. What no edit names stays as it is.
Only if most lines change, leave "edits" empty and return the whole definition.`

const editsMax = 50

/**
 * Reads answers with the form of `changeProperties`. Edits refer to the given definition, until the model writes a whole one: then to that, so that it
 * can be repaired by edits too.
 */
export function createAnswerReader(given: string | undefined) {
  let base = given

  function patched(edits: readonly unknown[]): Patched {
    if (base === undefined) return { ok: false, findings: 'There is no definition that edits could change.' }
    if (edits.length > editsMax) return { ok: false, findings: `There are more than ${editsMax} edits. Return the whole definition.` }
    const read = edits.flatMap((edit) => editOf(edit) ?? [])
    if (read.length < edits.length) return { ok: false, findings: 'Every edit needs the texts "search" and "replace".' }
    return applyEdits(base, read)
  }

  return {
    read(data: Json): Answered {
      const edits = editsOf(data)
      const whole = unfenced(textAt(data, 'definition'))
      const isWhole = whole.trim() !== ''
      if (edits.length > 0) {
        const result = patched(edits)
        if (result.ok) return { kind: 'edited', definition: result.text }
        if (!isWhole) return { kind: 'refused', findings: `The edits cannot be applied:\n${result.findings}` }
      }
      if (!isWhole) return { kind: 'none' }
      base = whole
      return { kind: 'whole', definition: whole }
    },

    repairOf({ kind }: Answered): Repair | undefined {
      if (kind === 'whole') return { advice: 'Correct the definition that you wrote. The edits refer to it.', isReferred: true }
      if (base === undefined) return undefined
      const of = base === given ? 'the definition that you were given' : 'the whole definition that you wrote'
      return { advice: `No edit was kept. Return all of them again, corrected, as edits of ${of}.`, isReferred: false }
    },
  }
}

function editsOf(data: Json): readonly unknown[] {
  const edits: unknown = Object(data)['edits']
  return Array.isArray(edits) ? edits : []
}

function editOf(given: unknown): Edit | undefined {
  const { search, replace } = Object(given)
  return typeof search === 'string' && typeof replace === 'string' ? { search, replace } : undefined
}

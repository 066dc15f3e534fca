import type { Json } from '#src/json.ts'
import { type DefinitionFormat, parseDefinition } from '#src/parse/parse-definition.ts'
import { readTree, withoutMark } from '#src/tree/read-tree.ts'
import { applyChanges } from './apply-changes.ts'
import type { Edit, EditFault, EditResult, TextChange } from './edit.ts'
import { layoutOf } from './print/layout.ts'
import type { Operation } from './plan/operation.ts'
import { operateOnJson } from './plan/operate-on-json.ts'
import { planOf } from './plan/plan.ts'
import { sameJson } from './plan/same-json.ts'
import { textChanges } from './changes/text-changes.ts'

/**
 * The changes of a text that make an edit.
 *
 * Only the text of what changes is touched; comments and formatting elsewhere stay byte for byte. The changed text is read again and compared with the
 * edit done on the data, so an edit that the text does not allow, such as one behind an alias, is refused and never applied wrongly.
 */
export function editText(written: string, syntax: DefinitionFormat, edit: Edit): EditResult {
  const text = withoutMark(written)
  const { document } = parseDefinition(text, { format: syntax })
  const { root } = readTree(text, syntax)
  if (document === undefined || root === undefined) return refused('unreadable', 'The syntax of the text has a mistake: correct it first.')
  const plan = planOf(document, edit)
  if ('fault' in plan) return plan
  const expected = operateOnJson(document, plan.operations)
  for (const literal of [true, false]) {
    const layout = layoutOf(text, syntax, root, literal)
    const changes = changesOf(plan.operations, (operation) => textChanges(layout, operation))
    if (changes === undefined || !isResult(applyChanges(text, changes), syntax, expected)) continue
    return { changes, selection: plan.selection, title: plan.title, document: expected }
  }
  return refused('unsafe', 'The text around the change does not allow it without touching more than that: change it in the text.')
}

function refused(code: EditFault['code'], message: string): { readonly fault: EditFault } {
  return { fault: { code, message } }
}

/** The changes of all operations in order; undefined when one cannot be made or two touch the same text. */
function changesOf(operations: readonly Operation[], make: (operation: Operation) => TextChange[] | undefined): TextChange[] | undefined {
  const all: TextChange[] = []
  for (const operation of operations) {
    const changes = make(operation)
    if (changes === undefined) return undefined
    all.push(...changes)
  }
  const sorted = all
    .filter(({ from, to, insert }) => to > from || insert !== '')
    .toSorted((one, other) => one.from - other.from || one.to - other.to)
  const overlaps = sorted.some((change, index) => change.from < (sorted[index - 1]?.to ?? 0))
  return overlaps ? undefined : sorted
}

function isResult(text: string, syntax: DefinitionFormat, expected: Json): boolean {
  const { document } = parseDefinition(text, { format: syntax })
  return document !== undefined && sameJson(document, expected)
}

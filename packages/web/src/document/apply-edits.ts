import { applyChanges, editText, type Edit, type EditFault, type TextChange } from '@millrace/dsl/edit'
import { changeBetween } from '#src/document/change-between.ts'

/** A text after edits, as one change. */
export interface Applied {
  readonly change: TextChange
  readonly text: string
  /** Pointer of the task to select. */
  readonly selection: string
  /** A sentence for the history. */
  readonly title: string
}

export type Syntax = 'yaml' | 'json'

/** Does edits one after the other; the pointers of each are those of the text after the ones before. The last one names the result. */
export function applyEdits(text: string, syntax: Syntax, edits: readonly Edit[]): Applied | { readonly fault: EditFault } {
  let current = text
  let last = { selection: '', title: '' }
  for (const edit of edits) {
    const result = editText(current, syntax, edit)
    if ('fault' in result) return result
    current = applyChanges(current, result.changes)
    last = result
  }
  return { change: changeBetween(text, current), text: current, selection: last.selection, title: last.title }
}

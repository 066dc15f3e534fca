import type { Edit, EditFault } from '@millrace/dsl/edit'
import { type Applied, applyEdits, type Syntax } from '#src/document/apply-edits.ts'
import { createReader, type Reading } from '#src/document/reading.ts'

/** Edits that were done on a text, with what the new text says. */
export type Edited = { readonly fault: EditFault } | (Applied & { readonly reading: Reading })

/** Reads and edits texts; in a browser by a worker, so that no key press waits for it. Replies come in the order of the requests. */
export interface DocumentComputer {
  readonly read: (text: string) => Promise<Reading>
  readonly edit: (text: string, edits: readonly Edit[]) => Promise<Edited>
  readonly stop: () => void
}

/** Does edits, and reads the result. */
export function editedBy(read: (text: string) => Reading, syntax: Syntax, text: string, edits: readonly Edit[]): Edited {
  const applied = applyEdits(text, syntax, edits)
  return 'fault' in applied ? applied : { ...applied, reading: read(applied.text) }
}

/** A computer in this thread. */
export function localComputer(syntax: Syntax): DocumentComputer {
  const read = createReader(syntax)
  return {
    read: (text) => Promise.resolve(read(text)),
    edit: (text, edits) => Promise.resolve(editedBy(read, syntax, text, edits)),
    stop: () => undefined,
  }
}

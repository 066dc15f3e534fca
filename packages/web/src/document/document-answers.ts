import type { Edit } from '@millrace/dsl/edit'
import type { Syntax } from '#src/document/apply-edits.ts'
import { editedBy } from '#src/document/document-computer.ts'
import { createReader } from '#src/document/reading.ts'
import { createPacker } from '#src/document/sent-reading.ts'

/** The calls of the worker that reads and edits the text of one document. */
export function createDocumentAnswers() {
  let read = createReader('yaml')
  const pack = createPacker()
  return {
    open: (syntax: Syntax) => void (read = createReader(syntax)),
    read: (text: string) => pack(read(text)),
    edit({ text, syntax, edits }: { readonly text: string; readonly syntax: Syntax; readonly edits: readonly Edit[] }) {
      const edited = editedBy(read, syntax, text, edits)
      return 'fault' in edited ? edited : { ...edited, reading: pack(edited.reading) }
    },
  }
}

import type { Edit } from '@millrace/dsl/edit'
import type { Syntax } from '#src/document/apply-edits.ts'
import { editedBy } from '#src/document/document-computer.ts'
import { createPacker, createReader, type Reading } from '#src/document/reading.ts'
import { answerCalls } from '#src/workers/answer-calls.ts'

// Reads and edits the text of one document.
let read: (text: string) => Reading = createReader('yaml')
const pack = createPacker()

answerCalls({
  open: (syntax: Syntax) => void (read = createReader(syntax)),
  read: (text: string) => pack(read(text)),
  edit: ({ text, syntax, edits }: { readonly text: string; readonly syntax: Syntax; readonly edits: readonly Edit[] }) => {
    const edited = editedBy(read, syntax, text, edits)
    return 'fault' in edited ? edited : { ...edited, reading: pack(edited.reading) }
  },
})

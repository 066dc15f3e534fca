import type { Saving } from '#src/document/draft-saver.ts'
import { m } from '#src/messages/messages.ts'

/** How far the text is kept. */
export function SavedMark({ at }: { readonly at: Saving }) {
  const words: Readonly<Record<Saving['kind'], string>> = m.flowEditor.saving
  return (
    <span
      className={at.kind === 'local' || at.kind === 'conflict' ? 't12 c-wait nowrap saved' : 't12 i3 nowrap saved'}
      role="status"
      data-saving={at.kind}
    >
      {words[at.kind]}
    </span>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FlowDocument } from '#src/document/document-store.ts'
import { suggestedNote } from '#src/editor/suggested-note.ts'
import type { Workflow } from '#src/editor/use-document.ts'
import { Field } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'

export interface PublishProps {
  readonly workflow: Workflow
  readonly doc: FlowDocument
  /** Without a note: with what is seen of the changes. */
  readonly onPublish: (note?: string) => Promise<boolean>
  readonly onClose: () => void
}

/** Publishes with a note: the changed steps at first, which a person replaces or keeps. */
export function PublishForm({ workflow, doc, onPublish, onClose }: PublishProps) {
  const queries = useQueryClient()
  const [typed, setTyped] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const suggestion = useQuery({
    queryKey: ['suggested-note', workflow.id],
    staleTime: 0,
    gcTime: 0,
    queryFn: () => suggestedNote(queries, workflow, doc),
  })
  // What is typed replaces the suggestion.
  useEffect(() => {
    if (suggestion.data !== undefined && typed === undefined) form.current?.querySelector('input')?.select()
  }, [suggestion.data, typed])
  return (
    <form
      ref={form}
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        setBusy(true)
        void onPublish((typed ?? suggestion.data)?.trim()).then(onClose)
      }}
    >
      <Field
        spec={{ name: 'note', label: m.flowEditor.publishNote }}
        value={typed ?? suggestion.data ?? ''}
        error={undefined}
        onChange={(value) => setTyped(String(value))}
      />
      <div className="row form-foot">
        <Button type="submit" look="primary" busy={busy}>
          {m.editor.publish}
        </Button>
        <Button onClick={onClose}>{m.common.cancel}</Button>
      </div>
    </form>
  )
}

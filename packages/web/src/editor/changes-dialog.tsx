import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useStore } from 'zustand'
import { api } from '#src/api/client.ts'
import type { FlowDocument } from '#src/document/document-store.ts'
import { Difference } from '#src/editor/difference.tsx'
import type { Workflow } from '#src/editor/use-document.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'

interface ChangesProps {
  readonly workflow: Workflow
  readonly doc: FlowDocument
  readonly onPublish: (note: string) => Promise<boolean>
  readonly onClose: () => void
}

/** What differs from the version that runs, with the way to publish it with a note. */
export function ChangesDialog({ workflow, doc, onPublish, onClose }: ChangesProps) {
  const text = useStore(doc.store, (state) => state.text)
  const [note, setNote] = useState('')
  const version = workflow.version ?? 1
  const published = useQuery({
    queryKey: ['workflow', workflow.id, 'version', version],
    queryFn: () => api.workflows.get({ params: { id: workflow.id }, query: { version } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog title={m.flowEditor.changesSince(version)} onClose={onClose}>
      <Loaded query={published}>{({ source }) => <Difference before={source} after={text} syntax={workflow.syntax} />}</Loaded>
      <input
        className="input"
        aria-label={m.flowEditor.publishNote}
        placeholder={m.flowEditor.publishNote}
        maxLength={2000}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <div className="row form-foot">
        <Button look="primary" onClick={() => void onPublish(note).then(onClose)}>
          {m.editor.publish}
        </Button>
        <Button onClick={onClose}>{m.common.cancel}</Button>
      </div>
    </Dialog>
  )
}

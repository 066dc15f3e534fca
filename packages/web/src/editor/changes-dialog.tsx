import { useQuery } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { isAskedFor } from '#src/editor/asked-for.ts'
import { ChangedFlow } from '#src/editor/changed-flow.tsx'
import { Difference } from '#src/editor/difference.tsx'
import { PublishForm, type PublishProps } from '#src/editor/publish-form.tsx'
import { versionQuery } from '#src/editor/suggested-note.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Dialog } from '#src/ui/dialog.tsx'

/** What differs from the version that runs, with the way to publish it, or to ask for that, with a note. */
export function ChangesDialog(props: PublishProps) {
  const { workflow, doc, onClose } = props
  const text = useStore(doc.store, (state) => state.text)
  const json = useStore(doc.store, (state) => state.json)
  const version = workflow.version ?? 1
  const published = useQuery(versionQuery(workflow.id, version))
  return (
    <Dialog title={m.flowEditor.changesSince(version)} onClose={onClose}>
      <Loaded query={published}>
        {({ source, definition }) => (
          <div className="changes-both">
            <ChangedFlow before={definition} after={json} />
            <Difference before={source} after={text} syntax={workflow.syntax} />
          </div>
        )}
      </Loaded>
      {!isAskedFor(workflow) && <PublishForm {...props} />}
    </Dialog>
  )
}

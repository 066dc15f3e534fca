import { PublishForm, type PublishProps } from '#src/editor/publish-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Dialog } from '#src/ui/dialog.tsx'

/** Asks what changed before a version is published. */
export function PublishDialog(props: PublishProps) {
  return (
    <Dialog title={m.flowEditor.publishVersion((props.workflow.version ?? 0) + 1)} onClose={props.onClose}>
      <PublishForm {...props} />
    </Dialog>
  )
}

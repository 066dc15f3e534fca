import { PublishForm, type PublishProps } from '#src/editor/publish-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Dialog } from '#src/ui/dialog.tsx'

/** Asks what changed before a version is published, or asked for. */
export function PublishDialog(props: PublishProps) {
  const { version, publishing } = props.workflow
  const e = m.flowEditor
  return (
    <Dialog title={publishing?.allowed === false ? e.asking.ask : e.publishVersion((version ?? 0) + 1)} onClose={props.onClose}>
      <PublishForm {...props} />
    </Dialog>
  )
}

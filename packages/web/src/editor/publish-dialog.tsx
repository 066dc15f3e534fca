import { PublishForm, type PublishProps } from '#src/editor/publish-form.tsx'
import { Dialog } from '#src/ui/dialog.tsx'

interface PublishDialogProps extends PublishProps {
  readonly title: string
}

/** Asks what changed before a version is published, or asked for. */
export function PublishDialog({ title, ...props }: PublishDialogProps) {
  return (
    <Dialog title={title} onClose={props.onClose}>
      <PublishForm {...props} />
    </Dialog>
  )
}

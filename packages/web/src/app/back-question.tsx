import { useBlocker } from '@tanstack/react-router'
import { DiscardQuestion } from '#src/ui/dialog.tsx'
import { isTypedInDialog } from '#src/ui/typed-dialogs.ts'

/** Asks before the buttons Back and Reload of the browser lose what was typed in a dialog. A page that a form opens once it was sent asks nothing. */
export function BackQuestion() {
  const blocker = useBlocker({
    shouldBlockFn: ({ action }) => (action === 'BACK' || action === 'FORWARD' || action === 'GO') && isTypedInDialog(),
    enableBeforeUnload: isTypedInDialog,
    withResolver: true,
  })
  return blocker.status === 'blocked' ? <DiscardQuestion onKeep={blocker.reset} onDiscard={blocker.proceed} /> : null
}

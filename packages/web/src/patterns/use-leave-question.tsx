import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { useTouchedFields } from '#src/ui/use-touched-fields.ts'

interface LeaveQuestion {
  /** Handlers of the element around the fields. */
  readonly watch: ReturnType<typeof useTouchedFields>['watch']
  /** Leaving needs no question any more, since what was typed is kept. */
  release(): void
  /** To be placed in the page. */
  readonly question: ReactNode
}

/** Asks before a page is left on which something was typed. */
export function useLeaveQuestion(): LeaveQuestion {
  const { watch, isTyped } = useTouchedFields()
  const released = useRef(false)
  const wouldLose = () => !released.current && isTyped()
  const blocker = useBlocker({ shouldBlockFn: wouldLose, enableBeforeUnload: wouldLose, withResolver: true })
  return {
    watch,
    release: () => {
      released.current = true
    },
    question:
      blocker.status === 'blocked' ? (
        <Dialog title={m.common.discardTyped} onClose={blocker.reset}>
          <div className="row">
            <Button onClick={blocker.reset}>{m.common.keepTyping}</Button>
            <Button look="danger" onClick={blocker.proceed}>
              {m.common.discardIt}
            </Button>
          </div>
        </Dialog>
      ) : null,
  }
}

import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { DiscardQuestion } from '#src/ui/dialog.tsx'
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
  const question = useLeaveQuestionIf(() => !released.current && isTyped())
  return {
    watch,
    release: () => {
      released.current = true
    },
    question,
  }
}

/** Asks before a page is left while something would be lost. To be placed in the page. */
export function useLeaveQuestionIf(wouldLose: () => boolean): ReactNode {
  const blocker = useBlocker({ shouldBlockFn: wouldLose, enableBeforeUnload: wouldLose, withResolver: true })
  return blocker.status === 'blocked' ? <DiscardQuestion onKeep={blocker.reset} onDiscard={blocker.proceed} /> : null
}

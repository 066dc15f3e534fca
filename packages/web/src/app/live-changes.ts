import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { create } from 'zustand'
import { useSession } from '#src/session/session.ts'

/** Whether lists learn of changes as they happen; otherwise they are read again every few seconds. */
export const useLive = create<{ readonly live: boolean }>(() => ({ live: false }))

/** How often a list that polls is read again: never while its changes arrive by themselves. */
export function usePolling(ms: number | undefined): number | false {
  const live = useLive((state) => state.live)
  return ms === undefined || live ? false : ms
}

/** Lists of the page follow the changes of the account while a person is signed in. */
export function useChanges(): void {
  const queries = useQueryClient()
  const isIn = useSession(({ state }) => state === 'in')
  useEffect(() => {
    if (!isIn) return undefined
    let end: (() => void) | undefined
    let isOver = false
    // The page is drawn before it follows. Where that cannot be loaded, lists are read every few seconds.
    void import('#src/app/follow-changes.ts')
      .then(({ followChanges }) => {
        if (!isOver) end = followChanges(queries)
      })
      .catch(() => undefined)
    return () => {
      isOver = true
      end?.()
    }
  }, [queries, isIn])
}

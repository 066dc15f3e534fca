import type { LocalRunDeps } from '@millrace/engine'
import type { Wait } from './describe-wait.ts'

type Journal = NonNullable<LocalRunDeps['journal']>
type Write = Parameters<Journal['write']>[0]

export interface OpenWait {
  readonly executionId: string
  readonly wait: Wait
  /** Aborted when the wait ends: answered, expired, or cancelled because another branch won. */
  readonly signal: AbortSignal
}

export interface OpenWaits extends Journal {
  readonly open: () => readonly Wait[]
}

export interface OpenWaitsDeps {
  /** Called as soon as a wait can be answered. */
  readonly opened: (open: OpenWait) => void
  /** Called with the reply of the root execution. */
  readonly answered: (body: NonNullable<Write['reply']>['body']) => void
}

/** A journal that stores only the open waits of a run and of the workflows that it runs. */
export function createOpenWaits({ opened, answered }: OpenWaitsDeps): OpenWaits {
  const open = new Map<string, { readonly wait: Wait; readonly controller: AbortController }>()
  let root: string | undefined
  return {
    open: () => [...open.values()].map(({ wait }) => wait),
    async write({ executionId, waits, reply: answer }) {
      root ??= executionId
      if (answer !== undefined && executionId === root) answered(answer.body)
      for (const wait of waits?.opened ?? []) {
        const one = { wait, controller: new AbortController() }
        open.set(keyOf(executionId, wait.position), one)
        // The run opens it after this write and before the turn after the next.
        setImmediate(() =>
          setImmediate(() => {
            if (!one.controller.signal.aborted) opened({ executionId, wait, signal: one.controller.signal })
          }),
        )
      }
      for (const position of waits?.closed ?? []) {
        const key = keyOf(executionId, position)
        open.get(key)?.controller.abort()
        open.delete(key)
      }
      return { refused: false }
    },
  }
}

function keyOf(executionId: string, position: string): string {
  return `${executionId} ${position}`
}

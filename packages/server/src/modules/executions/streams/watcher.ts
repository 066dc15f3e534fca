import { pause } from '@millrace/engine'
import type { ExecutionKey, ExecutionReader, ExecutionRevision } from '@millrace/engine/storage'

/** An execution under watch. */
export interface Watch {
  /** The last revision; `gone` once the execution was deleted. */
  readonly seen: ExecutionRevision | 'gone'
  /** Resolves when the revision differs from the given one, after `ms`, or when the signal aborts. */
  changed(from: ExecutionRevision, ms: number, signal: AbortSignal): Promise<void>
  close(): void
}

export interface Watcher {
  /** Undefined when the account has no such execution. */
  open(key: ExecutionKey): Promise<Watch | undefined>
}

interface Watched {
  readonly key: ExecutionKey
  seen: ExecutionRevision | 'gone'
  wake: (() => void) | undefined
}

export interface WatcherDeps {
  readonly reader: Pick<ExecutionReader, 'revisions'>
  /** Time between two reads. */
  readonly everyMs: number
}

/** Reads the revisions of all watched executions, wherever they run, in one statement at a time, and only while any is watched. */
export function createWatcher({ reader, everyMs }: WatcherDeps): Watcher {
  const watched = new Set<Watched>()
  const never = new AbortController().signal
  let polling = false

  async function poll(): Promise<void> {
    polling = true
    while (watched.size > 0) {
      await pause(everyMs, never)
      // While the database cannot be reached, streams stay open and the server's health shows the cause.
      await refresh([...watched]).catch(() => undefined)
    }
    polling = false
  }

  async function refresh(all: readonly Watched[]): Promise<void> {
    if (all.length === 0) return
    const revisions = await reader.revisions(all.map(({ key }) => key))
    for (const execution of all) {
      const now = revisions.get(execution.key.id) ?? 'gone'
      if (isSame(execution.seen, now)) continue
      execution.seen = now
      execution.wake?.()
    }
  }

  return {
    async open(key) {
      const first = (await reader.revisions([key])).get(key.id)
      if (first === undefined) return undefined
      const execution: Watched = { key, seen: first, wake: undefined }
      watched.add(execution)
      if (!polling) void poll()
      return {
        get seen() {
          return execution.seen
        },
        async changed(from, ms, signal) {
          if (!isSame(execution.seen, from)) return
          const woken = new AbortController()
          execution.wake = () => woken.abort()
          await pause(ms, AbortSignal.any([woken.signal, signal]))
          execution.wake = undefined
        },
        close: () => void watched.delete(execution),
      }
    },
  }
}

function isSame(a: ExecutionRevision | 'gone', b: ExecutionRevision | 'gone'): boolean {
  if (a === 'gone' || b === 'gone') return a === b
  return a.state === b.state && a.started === b.started && a.length === b.length
}

import { pause } from '@millrace/engine'
import type { ExecutionKey, ExecutionReader, ExecutionSnapshot } from '@millrace/engine/storage'

/** An execution that somebody watches. */
export interface Watch {
  /** As it was seen last; `gone` when there is no such execution any more. */
  readonly seen: ExecutionSnapshot | 'gone'
  /** Resolves when it is seen otherwise than `than`; after `ms`, or when the signal aborts, whichever comes first. */
  changed(than: ExecutionSnapshot, ms: number, signal: AbortSignal): Promise<void>
  close(): void
}

export interface Watcher {
  /** Undefined when the account has no such execution. */
  open(key: ExecutionKey): Promise<Watch | undefined>
}

interface Watched {
  readonly key: ExecutionKey
  seen: ExecutionSnapshot | 'gone'
  wake: (() => void) | undefined
}

export interface WatcherDeps {
  readonly reader: Pick<ExecutionReader, 'revisions'>
  /** How often is looked. */
  readonly everyMs: number
}

/** Looks after all executions that are watched, in this process and anywhere, with one statement at a time, and only while some are. */
export function createWatcher({ reader, everyMs }: WatcherDeps): Watcher {
  const watched = new Set<Watched>()
  const never = new AbortController().signal
  let looking = false

  async function look(): Promise<void> {
    looking = true
    while (watched.size > 0) {
      await pause(everyMs, never)
      // The database may be away for a while. Streams stay open then, and the health of the server tells why nothing comes.
      await refresh([...watched]).catch(() => undefined)
    }
    looking = false
  }

  async function refresh(all: readonly Watched[]): Promise<void> {
    if (all.length === 0) return
    const revisions = await reader.revisions(all.map(({ key }) => key))
    for (const one of all) {
      const now = revisions.get(one.key.id) ?? 'gone'
      if (isSame(one.seen, now)) continue
      one.seen = now
      one.wake?.()
    }
  }

  return {
    async open(key) {
      const first = (await reader.revisions([key])).get(key.id)
      if (first === undefined) return undefined
      const one: Watched = { key, seen: first, wake: undefined }
      watched.add(one)
      if (!looking) void look()
      return {
        get seen() {
          return one.seen
        },
        async changed(than, ms, signal) {
          if (!isSame(one.seen, than)) return
          const woken = new AbortController()
          one.wake = () => woken.abort()
          await pause(ms, AbortSignal.any([woken.signal, signal]))
          one.wake = undefined
        },
        close: () => void watched.delete(one),
      }
    },
  }
}

function isSame(one: ExecutionSnapshot | 'gone', other: ExecutionSnapshot | 'gone'): boolean {
  if (one === 'gone' || other === 'gone') return one === other
  return one.state === other.state && one.started === other.started && one.length === other.length
}

import { type ExecutionState, pause } from '@millrace/engine'
import type { Prepared } from '#platform/db/prepared.ts'
import type { ExecutionKey } from './find-started.ts'

/** As much of an execution as tells whether there is something new to be told. */
export interface Glimpse {
  readonly state: ExecutionState
  readonly started: boolean
  /** Entries in its journal. */
  readonly length: number
}

/** An execution that somebody watches. */
export interface Watch {
  /** As it was seen last; `gone` when there is no such execution any more. */
  readonly seen: Glimpse | 'gone'
  /** Resolves when it is seen otherwise than `than`; after `ms`, or when the signal aborts, whichever comes first. */
  changed(than: Glimpse, ms: number, signal: AbortSignal): Promise<void>
  close(): void
}

export interface Watcher {
  /** Undefined when the account has no such execution. */
  open(key: ExecutionKey): Promise<Watch | undefined>
}

interface Watched {
  readonly key: ExecutionKey
  seen: Glimpse | 'gone'
  wake: (() => void) | undefined
}

export interface WatcherDeps {
  readonly pool: Prepared
  /** How often is looked. */
  readonly everyMs: number
}

/** Looks after all executions that are watched, in this process and anywhere, with one statement at a time, and only while some are. */
export function createWatcher({ pool, everyMs }: WatcherDeps): Watcher {
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
    const glimpses = await glimpse(
      pool,
      all.map(({ key }) => key),
    )
    for (const one of all) {
      const now = glimpses.get(one.key.id) ?? 'gone'
      if (isSame(one.seen, now)) continue
      one.seen = now
      one.wake?.()
    }
  }

  return {
    async open(key) {
      const first = (await glimpse(pool, [key])).get(key.id)
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

interface GlimpseRow extends Glimpse {
  readonly id: string
}

async function glimpse(pool: Prepared, keys: readonly ExecutionKey[]): Promise<ReadonlyMap<string, Glimpse>> {
  const { rows } = await pool.query<GlimpseRow>({
    name: 'glimpse',
    // Two descents of primary keys for each: the row, and the end of the journal.
    text: `select e.id, e.state, e.started_at is not null as started,
        coalesce((select j.seq from journal j where j.execution_id = e.id order by j.seq desc limit 1), -1) + 1 as length
      from (select distinct * from unnest($1::uuid[], $2::uuid[]) as k(account_id, id)) k
      join executions e on e.id = k.id and e.account_id = k.account_id`,
    values: [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)],
  })
  return new Map(rows.map(({ id, state, started, length }) => [id, { state, started, length }]))
}

function isSame(one: Glimpse | 'gone', other: Glimpse | 'gone'): boolean {
  if (one === 'gone' || other === 'gone') return one === other
  return one.state === other.state && one.started === other.started && one.length === other.length
}

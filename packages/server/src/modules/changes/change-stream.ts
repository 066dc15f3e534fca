import type { Readable } from 'node:stream'
import { type ChangeKind, Fault } from '@millrace/contract'
import { pause } from '@millrace/engine'
import { type EventStreams, eventText, heartbeatText, retryText, type StreamCaller } from '#platform/http/index.ts'
import type { ChangeFeed, Follower } from './change-feed.ts'
import type { ChangeFilter, Watched } from './change-store.ts'
import { type Change, type ChangePosition, readableMs } from './model.ts'
import { changeView } from './views.ts'

export interface ChangeStreamsDeps {
  readonly eventStreams: EventStreams
  readonly feed: ChangeFeed
  readonly watch: (accountId: string) => Promise<Watched>
  readonly read: (accountId: string, filter: ChangeFilter) => Promise<readonly Change[]>
  readonly now: () => number
  readonly heartbeatMs: number
}

export interface ChangeSubscription {
  readonly userId: string
  readonly kinds: readonly ChangeKind[]
  readonly lastEventId: string | undefined
  readonly seconds: number
}

const pageSize = 200
/** How often, with the pause between, a new watch waits for the transactions that began before it. */
const settleTries = 8
const settlePauseMs = 250

/** Opens streams of the changes of accounts. */
export function createChangeStreams(deps: ChangeStreamsDeps) {
  const { now, read, heartbeatMs } = deps
  return {
    /** Faults: `request_invalid` for an id of no event, `too_many_streams`, `overloaded`. */
    open(caller: StreamCaller, { userId, kinds, lastEventId, seconds }: ChangeSubscription): Promise<Readable> {
      const { accountId } = caller
      const last = lastEventId === undefined ? undefined : placeOf(lastEventId)

      async function* events(watched: Watched, follower: Follower, signal: AbortSignal): AsyncGenerator<string> {
        yield retryText
        const resumed = last !== undefined && canResume(last, watched, now())
        let at = resumed ? last.position : { xid: watched.settled, id: 0n }
        if (!resumed) await settle(watched, follower, signal)
        yield eventText({ name: 'ready', id: idOf(at, now()), data: { resumed, kinds } })
        while (!signal.aborted) {
          const { settled } = follower
          const page = await read(accountId, { userId, kinds, after: at, settled, limit: pageSize })
          for (const change of page) {
            if (signal.aborted) return
            at = change.position
            yield eventText({ name: change.kind, id: idOf(at, change.at.getTime()), data: changeView(change) })
          }
          if (page.length === pageSize) continue
          // All below it was read, also of other kinds.
          if (settled > at.xid) at = { xid: settled, id: 0n }
          const quiet = await isQuiet(follower, settled, signal)
          if (quiet && !signal.aborted) yield heartbeatText
        }
      }

      /** Waits for changes; true when no change came for the time of a heartbeat. */
      async function isQuiet(follower: Follower, settled: bigint, signal: AbortSignal): Promise<boolean> {
        const before = now()
        await follower.changed(settled, heartbeatMs, signal)
        return now() - before >= heartbeatMs
      }

      return deps.eventStreams.open(caller, async () => {
        const watched = await deps.watch(accountId)
        const follower = deps.feed.follow(accountId, watched.settled)
        return {
          make: (signal) => events(watched, follower, signal),
          onClose: () => follower.close(),
          durationMs: seconds * 1000,
        }
      })
    },
  }
}

/** Waits, for a bounded time, until the transactions have ended that may have changed something before the watch began. */
async function settle({ since, settled, watchedBy }: Watched, follower: Follower, signal: AbortSignal): Promise<void> {
  if (since !== settled) return
  for (let tries = 0; tries < settleTries && follower.settled <= watchedBy && !signal.aborted; tries += 1)
    await pause(settlePauseMs, signal)
}

interface Place {
  readonly position: ChangePosition
  readonly atMs: number
}

function canResume({ position, atMs }: Place, { since, settled }: Watched, nowMs: number): boolean {
  return position.xid >= since && position.xid <= settled && nowMs - atMs < readableMs
}

function idOf({ xid, id }: ChangePosition, atMs: number): string {
  return `${xid}-${id}-${atMs}`
}

function placeOf(eventId: string): Place {
  const [, xid, id, at] = /^(\d{1,18})-(\d{1,18})-(\d{1,15})$/.exec(eventId) ?? []
  if (xid !== undefined && id !== undefined) return { position: { xid: BigInt(xid), id: BigInt(id) }, atMs: Number(at) }
  throw new Fault('request_invalid', {
    errors: [{ pointer: '/last-event-id', detail: 'This is not the `id` of an event of this stream.', in: 'header' }],
  })
}

import type { Readable } from 'node:stream'
import { Fault } from '@millrace/contract'
import type { EventStreams, StreamCaller } from '#platform/http/index.ts'
import { type StreamEventsDeps, streamEvents } from './stream-events.ts'
import type { StreamPosition } from './stream-position.ts'
import type { Watcher } from './watcher.ts'

export interface StreamsDeps extends StreamEventsDeps {
  readonly watcher: Watcher
  readonly eventStreams: EventStreams
}

export type Streams = ReturnType<typeof createStreams>

/** Opens streams of the events of executions. */
export function createStreams(deps: StreamsDeps) {
  return {
    /** Faults: `not_found`, `too_many_streams`, `overloaded`. */
    open(caller: StreamCaller, id: string, from: StreamPosition): Promise<Readable> {
      const { accountId } = caller
      return deps.eventStreams.open(caller, async () => {
        const watch = await deps.watcher.open({ accountId, id })
        if (watch === undefined) throw new Fault('not_found', { detail: 'There is no such execution.' })
        return { make: (signal) => streamEvents(deps, { accountId, id }, from, watch, signal), onClose: () => watch.close() }
      })
    },
  }
}

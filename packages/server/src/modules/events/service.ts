import { eventBytesMax, Fault } from '@millrace/contract'
import { completeEvent, type Engine, type JsonObject } from '@millrace/engine'
import type { Tx } from '#platform/http/index.ts'
import { type EventFilter, findEvent, listEvents } from './event-store.ts'
import type { KeptEvent } from './model.ts'

export interface EventsDeps {
  readonly engine: Pick<Engine, 'publish'>
  readonly now: () => number
  /** There may be something to deliver. */
  readonly onPublished: () => void
}

export type Events = ReturnType<typeof createEvents>

/** Events of an account as they come from outside and as they are kept. */
export function createEvents({ engine, now, onPublished }: EventsDeps) {
  return {
    /** Puts CloudEvents on the bus: all of them, or none. Fault `payload_too_large` for one that is. */
    async publish(accountId: string, events: readonly (JsonObject & Identity)[]) {
      const time = new Date(now()).toISOString()
      const complete = events.map(({ id, source, ...event }) => completeEvent(event, { id, source, time }))
      for (const [index, event] of complete.entries()) {
        if (Buffer.byteLength(JSON.stringify(event)) <= eventBytesMax) continue
        const detail = `The event ${index + 1} of ${complete.length} is larger than ${eventBytesMax / 1024} KiB. Keep the data elsewhere and send where.`
        throw new Fault('payload_too_large', { detail })
      }
      const accepted = await engine.publish(accountId, complete)
      if (accepted > 0) onPublished()
      return { accepted, duplicates: events.length - accepted }
    },

    list: (tx: Tx, accountId: string, filter: EventFilter, page: { readonly before: string | undefined; readonly limit: number }) =>
      listEvents(tx, accountId, filter, page),

    async get(tx: Tx, accountId: string, id: string): Promise<KeptEvent> {
      const event = await findEvent(tx, accountId, id)
      if (event === undefined) throw new Fault('not_found', { detail: 'There is no such event; events are kept for a week.' })
      return event
    },
  }
}

/** Attributes that every event has when it comes in. */
interface Identity {
  readonly id: string
  readonly source: string
}

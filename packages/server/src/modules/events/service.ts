import { eventBytesMax, Fault } from '@millrace/contract'
import { completeEvent, type Engine, type JsonObject } from '@millrace/engine'
import { type EventListFilter, findEvent, listEvents, type WholeEvent } from '@millrace/engine/storage'
import type { Tx } from '#platform/http/index.ts'
import { causedDepth } from '#platform/net/depth.ts'

export interface EventsDeps {
  readonly engine: Pick<Engine, 'publish'>
  readonly now: () => number
  /** Called after new events were committed. */
  readonly onPublished: () => void
}

export type Events = ReturnType<typeof createEvents>

/** Publishes and reads the events of an account. */
export function createEvents({ engine, now, onPublished }: EventsDeps) {
  return {
    /** Publishes CloudEvents, all or none. Fault `payload_too_large` if one is too large. */
    async publish(accountId: string, events: readonly (JsonObject & Identity)[]) {
      const time = new Date(now()).toISOString()
      const complete = events.map(({ id, source, ...event }) => completeEvent(event, { id, source, time }))
      for (const [index, event] of complete.entries()) {
        if (Buffer.byteLength(JSON.stringify(event)) <= eventBytesMax) continue
        const detail = `The event ${index + 1} of ${complete.length} is larger than ${eventBytesMax / 1024} KiB. Store the data elsewhere and send a reference.`
        throw new Fault('payload_too_large', { detail })
      }
      const accepted = await engine.publish(accountId, complete, Math.max(0, causedDepth() - 1))
      if (accepted > 0) onPublished()
      return { accepted, duplicates: events.length - accepted }
    },

    list: (tx: Tx, accountId: string, filter: EventListFilter, page: { readonly before: string | undefined; readonly limit: number }) =>
      listEvents(tx, accountId, filter, page),

    async get(tx: Tx, accountId: string, id: string): Promise<WholeEvent> {
      const event = await findEvent(tx, accountId, id)
      if (event === undefined) throw new Fault('not_found', { detail: 'There is no such event. Events are deleted after a week.' })
      return event
    },
  }
}

/** The attributes that the API requires of an event. */
interface Identity {
  readonly id: string
  readonly source: string
}

import type { Json, JsonObject } from '#core/json.ts'
import type { Wait } from '#core/request.ts'
import { type MatchState, createMatchState, failureOf, messageOf } from '#events/match-state.ts'
import { createEvaluator } from '#events/evaluate.ts'
import { createFilterCache } from '#events/filter-cache.ts'
import { listenersOfWait } from '#events/listeners-of-wait.ts'
import type { StoredEvent, StoredListener } from '#events/stored.ts'
import type { Message } from '#durable/ports/bus.ts'

/** Delivers events and messages to the waits of a local run and of its children. It keeps in memory what the PostgreSQL bus keeps in tables. */
export interface LocalBus {
  publish(event: JsonObject): void
  /** Connects one execution. @param deliver receives the messages to its waits. */
  connect(deliver: (messages: readonly Message[]) => void): BusConnection
}

/** The connection of one execution to the bus, with its open waits. */
export interface BusConnection {
  open(wait: Wait): void
  /** Closes a wait. Its events that were not consumed are offered to other waits. */
  close(position: string): void
  /** Notes that these messages are in the journal. */
  consumed(messageIds: readonly string[]): void
  /** Answers a wait. @returns false if no wait is open at the position. */
  answer(position: string, value: Json): boolean
  /** Open waits for messages other than events. */
  waits(): readonly Wait[]
}

interface LocalEvent extends StoredEvent {
  readonly number: number
  /** The number of waits that have received the event and not given it back. */
  recipients: number
}

const FILTERS_MAX = 1_000
const accountId = 'local'

export function createLocalBus(): LocalBus {
  const { evaluate } = createEvaluator()
  const filters = createFilterCache(FILTERS_MAX)
  const seen = new Set<string>()
  const eventReceivers = new Map<string, (event: LocalEvent, position: string, value: Json) => void>()
  const messageReceivers = new Map<string, (position: string, value: Json) => void>()
  let kept: readonly LocalEvent[] = []
  let listeners: readonly StoredListener[] = []
  let ids = 0
  const newId = () => `${++ids}`

  /** Matches events with listeners. It updates the state of the bus first, because a delivery may call the bus again. */
  function match(events: readonly LocalEvent[], offerTo: (state: MatchState, event: LocalEvent) => void): void {
    const state = createMatchState(evaluate)
    state.add(listeners)
    for (const event of events) offerTo(state, event)
    listeners = state.remaining(listeners)
    const byId = new Map(events.map((event) => [event.id, event]))
    const deliveries = state.matches.flatMap((matched) => {
      const event = byId.get(matched.event.id)
      return event === undefined ? [] : [{ event, listener: matched.listener, value: messageOf(matched) }]
    })
    for (const { event } of deliveries) event.recipients += 1
    kept = [...new Set([...kept, ...events])]
      .filter(({ recipients: takers }) => takers === 0)
      .toSorted((left, right) => left.number - right.number)
    for (const failed of state.failures) messageReceivers.get(failed.listener.executionId)?.(failed.listener.position, failureOf(failed))
    for (const { event, listener, value } of deliveries) eventReceivers.get(listener.executionId)?.(event, listener.position, value)
  }

  function offer(events: readonly LocalEvent[]): void {
    match(events, (state, event) => state.offerAll(event, listeners))
  }

  return {
    publish(event) {
      const identity = JSON.stringify([event.source, event.id])
      if (seen.has(identity)) return
      seen.add(identity)
      offer([
        {
          id: newId(),
          accountId,
          type: typeof event.type === 'string' ? event.type : '',
          event,
          expired: false,
          number: seen.size,
          recipients: 0,
        },
      ])
    },
    connect(deliver) {
      const executionId = newId()
      const unconsumed = new Map<string, { readonly position: string; readonly event: LocalEvent }>()
      let waits: Wait[] = []
      eventReceivers.set(executionId, (event, position, value) => {
        const id = newId()
        unconsumed.set(id, { position, event })
        deliver([{ id, position, value }])
      })
      messageReceivers.set(executionId, (position, value) => deliver([{ id: newId(), position, value }]))
      return {
        open(wait) {
          if (wait.topic !== 'events') return void waits.push(wait)
          const added = listenersOfWait({ accountId, executionId, wait }, filters, newId)
          listeners = [...listeners, ...added]
          match(kept, (state, event) => state.offerFirst(event, added))
        },
        close(position) {
          listeners = listeners.filter((listener) => listener.executionId !== executionId || listener.position !== position)
          waits = waits.filter((wait) => wait.position !== position)
          const returned = [...unconsumed].filter(([, message]) => message.position === position)
          for (const [id, { event }] of returned) {
            unconsumed.delete(id)
            event.recipients -= 1
          }
          offer([...new Set(returned.map(([, { event }]) => event))].filter(({ recipients: takers }) => takers === 0))
        },
        consumed(messageIds) {
          for (const id of messageIds) unconsumed.delete(id)
        },
        answer(position, value) {
          if (!waits.some((wait) => wait.position === position)) return false
          waits = waits.filter((wait) => wait.position !== position)
          messageReceivers.get(executionId)?.(position, value)
          return true
        },
        waits: () => waits,
      }
    },
  }
}

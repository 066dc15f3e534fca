import type { Json, JsonObject } from '#core/json.ts'
import type { Wait } from '#core/request.ts'
import { type MatchState, createMatchState, failureOf, messageOf } from '#events/match-state.ts'
import { createEvaluator } from '#events/evaluate.ts'
import { createFilterCache } from '#events/filter-cache.ts'
import { listenersOfWait } from '#events/listeners-of-wait.ts'
import type { StoredEvent, StoredListener } from '#events/stored.ts'
import type { Message } from '#durable/ports/bus.ts'

/** Events and messages of one local run and of all that it runs: as the database has them, in memory. */
export interface LocalBus {
  publish(event: JsonObject): void
  /** @param deliver gets what comes to the waits of the member. */
  join(deliver: (messages: readonly Message[]) => void): LocalMember
}

/** The waits of one execution. */
export interface LocalMember {
  open(wait: Wait): void
  /** What came to the wait and was not taken is there for others again. */
  close(position: string): void
  /** These messages are in the journal. */
  taken(messageIds: readonly string[]): void
  /** @returns false when nothing waits there. */
  answer(position: string, value: Json): boolean
  /** Waits that are open and are for something else than events. */
  waits(): readonly Wait[]
}

interface LocalEvent extends StoredEvent {
  readonly number: number
  /** How many it was given to. */
  takers: number
}

const FILTERS_MAX = 1_000
const accountId = 'local'

export function createLocalBus(): LocalBus {
  const { evaluate } = createEvaluator()
  const filters = createFilterCache(FILTERS_MAX)
  const seen = new Set<string>()
  const givers = new Map<string, (event: LocalEvent, position: string, value: Json) => void>()
  const deliverers = new Map<string, (position: string, value: Json) => void>()
  let kept: readonly LocalEvent[] = []
  let listeners: readonly StoredListener[] = []
  let ids = 0
  const newId = () => `${++ids}`

  /** Brings events and listeners together, and notes what came of it before anybody hears of it. */
  function look(events: readonly LocalEvent[], bring: (state: MatchState, event: LocalEvent) => void): void {
    const state = createMatchState(evaluate)
    state.add(listeners)
    for (const event of events) bring(state, event)
    listeners = state.remaining(listeners)
    const byId = new Map(events.map((event) => [event.id, event]))
    const given = state.matches.flatMap((handed) => {
      const event = byId.get(handed.event.id)
      return event === undefined ? [] : [{ event, listener: handed.listener, value: messageOf(handed) }]
    })
    for (const { event } of given) event.takers += 1
    kept = [...new Set([...kept, ...events])].filter(({ takers }) => takers === 0).toSorted((one, other) => one.number - other.number)
    for (const failed of state.failures) deliverers.get(failed.listener.executionId)?.(failed.listener.position, failureOf(failed))
    for (const { event, listener, value } of given) givers.get(listener.executionId)?.(event, listener.position, value)
  }

  function offer(events: readonly LocalEvent[]): void {
    look(events, (state, event) => state.offerAll(event, listeners))
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
          takers: 0,
        },
      ])
    },
    join(deliver) {
      const executionId = newId()
      const given = new Map<string, { readonly position: string; readonly event: LocalEvent }>()
      let waits: Wait[] = []
      givers.set(executionId, (event, position, value) => {
        const id = newId()
        given.set(id, { position, event })
        deliver([{ id, position, value }])
      })
      deliverers.set(executionId, (position, value) => deliver([{ id: newId(), position, value }]))
      return {
        open(wait) {
          if (wait.topic !== 'events') return void waits.push(wait)
          const fresh = listenersOfWait({ accountId, executionId, wait }, filters, newId)
          listeners = [...listeners, ...fresh]
          look(kept, (state, event) => state.offerFirst(event, fresh))
        },
        close(position) {
          listeners = listeners.filter((one) => one.executionId !== executionId || one.position !== position)
          waits = waits.filter((wait) => wait.position !== position)
          const untaken = [...given].filter(([, message]) => message.position === position)
          for (const [id, { event }] of untaken) {
            given.delete(id)
            event.takers -= 1
          }
          offer([...new Set(untaken.map(([, { event }]) => event))].filter(({ takers }) => takers === 0))
        },
        taken(messageIds) {
          for (const id of messageIds) given.delete(id)
        },
        answer(position, value) {
          if (!waits.some((wait) => wait.position === position)) return false
          waits = waits.filter((wait) => wait.position !== position)
          deliverers.get(executionId)?.(position, value)
          return true
        },
        waits: () => waits,
      }
    },
  }
}

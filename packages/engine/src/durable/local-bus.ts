import { compileEventFilter, type EventFilter, isEqual } from '#compile/event-filter.ts'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import type { Wait } from '#core/request.ts'
import type { Message } from './ports.ts'

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

interface Kept {
  readonly event: JsonObject
  readonly number: number
  /** How many it was given to. */
  takers: number
}

interface Listener {
  readonly wait: Wait
  readonly role: Json
  readonly index: Json
  readonly takes: Json
  readonly filter: EventFilter
  readonly scope: JsonObject
  expected: JsonObject
  give(one: Kept, value: Json): void
}

export function createLocalBus(): LocalBus {
  const seen = new Set<string>()
  let kept: Kept[] = []
  let listeners: Listener[] = []
  let messages = 0

  function offer(one: Kept, listener: Listener): void {
    if (!listeners.includes(listener)) return
    const values = listener.filter.values(one.event, listener.scope)
    if (values === undefined || !Object.entries(listener.expected).every(([name, value]) => isEqual(value, values[name] ?? null))) return
    one.takers += 1
    for (const other of listeners)
      if (other.wait === listener.wait) other.expected = { ...pick(values, other.filter.correlations), ...other.expected }
    if (listener.takes === 'one') listeners = listeners.filter(({ wait }) => wait !== listener.wait)
    else if (listener.takes === 'each') listeners = listeners.filter((other) => other !== listener)
    listener.give(one, { role: listener.role, index: listener.index, event: one.event })
  }

  function giveBack(one: Kept): void {
    one.takers -= 1
    if (one.takers === 0) kept = [...kept, one].toSorted((first, second) => first.number - second.number)
  }

  return {
    publish(event) {
      const identity = JSON.stringify([event.source, event.id])
      if (seen.has(identity)) return
      seen.add(identity)
      const one = { event, number: seen.size, takers: 0 }
      for (const listener of listeners) offer(one, listener)
      if (one.takers === 0) kept.push(one)
    },
    join(deliver) {
      const given = new Map<string, { readonly position: string; readonly one: Kept }>()
      const listening = new Map<string, Wait>()
      let waits: Wait[] = []
      const give = ({ position }: Wait) => {
        return (one: Kept, value: Json) => {
          const id = `${++messages}`
          given.set(id, { position, one })
          deliver([{ id, position, value }])
        }
      }
      return {
        open(wait) {
          if (wait.topic !== 'events') return void waits.push(wait)
          listening.set(wait.position, wait)
          const fresh = listenersOf(wait, give(wait))
          listeners.push(...fresh)
          for (const one of kept) for (const listener of fresh) if (one.takers === 0) offer(one, listener)
          kept = kept.filter(({ takers }) => takers === 0)
        },
        close(position) {
          listeners = listeners.filter(({ wait }) => wait !== listening.get(position))
          listening.delete(position)
          waits = waits.filter((wait) => wait.position !== position)
          for (const [id, message] of given) {
            if (message.position !== position) continue
            given.delete(id)
            giveBack(message.one)
          }
        },
        taken(messageIds) {
          for (const id of messageIds) given.delete(id)
        },
        answer(position, value) {
          if (!waits.some((wait) => wait.position === position)) return false
          waits = waits.filter((wait) => wait.position !== position)
          deliver([{ id: `${++messages}`, position, value }])
          return true
        },
        waits: () => waits,
      }
    },
  }
}

function listenersOf(wait: Wait, give: Listener['give']): Listener[] {
  const { takes, filters } = isObject(wait.arguments) ? wait.arguments : {}
  return (Array.isArray(filters) ? filters : []).flatMap((item: Json): Listener[] => {
    if (!isObject(item) || item.filter === undefined || !isObject(item.filter)) return []
    const { role = null, index = null, filter, expected, scope } = item
    const compiled = compileEventFilter(filter)
    return [{ wait, role, index, takes: takes ?? null, filter: compiled, scope: objectOf(scope), expected: objectOf(expected), give }]
  })
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {}
}

function pick(values: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
}

import { compileEventFilter, type EventFilter, isEqual } from '#compile/event-filter.ts'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import type { Wait } from '#core/request.ts'
import type { Message } from './ports.ts'

interface Listener {
  readonly wait: Wait
  readonly role: Json
  readonly index: Json
  readonly takes: Json
  readonly filter: EventFilter
  readonly scope: JsonObject
  expected: JsonObject
}

interface Kept {
  readonly event: JsonObject
  taken: boolean
}

/** Events and messages of one local run and what it runs: as the database has them, in memory. */
export interface LocalBus {
  publish(event: JsonObject): void
  open(wait: Wait): void
  close(position: string): void
  /** @returns false when nothing waits there. */
  answer(position: string, value: Json): boolean
  /** Waits that are open and are for something else than events. */
  waits(): readonly Wait[]
}

export function createLocalBus(deliver: (messages: readonly Message[]) => void): LocalBus {
  const kept: Kept[] = []
  const seen = new Set<string>()
  let listeners: Listener[] = []
  let waits: Wait[] = []
  let messages = 0

  function offer(one: Kept, listener: Listener): void {
    if (!listeners.includes(listener)) return
    const values = listener.filter.values(one.event, listener.scope)
    if (values === undefined || !Object.entries(listener.expected).every(([name, value]) => isEqual(value, values[name] ?? null))) return
    one.taken = true
    for (const other of listeners)
      if (other.wait === listener.wait) other.expected = { ...pick(values, other.filter.correlations), ...other.expected }
    if (listener.takes === 'one') listeners = listeners.filter(({ wait }) => wait !== listener.wait)
    else if (listener.takes === 'each') listeners = listeners.filter((other) => other !== listener)
    deliver([{ id: `${++messages}`, position: listener.wait.position, value: messageOf(listener, one.event) }])
  }

  return {
    publish(event) {
      const identity = JSON.stringify([event.source, event.id])
      if (seen.has(identity)) return
      seen.add(identity)
      const one = { event, taken: false }
      for (const listener of listeners) offer(one, listener)
      if (!one.taken) kept.push(one)
    },
    open(wait) {
      if (wait.topic !== 'events') return void waits.push(wait)
      const fresh = listenersOf(wait)
      listeners.push(...fresh)
      for (const one of kept) for (const listener of fresh) if (!one.taken) offer(one, listener)
    },
    close(position) {
      listeners = listeners.filter(({ wait }) => wait.position !== position)
      waits = waits.filter((wait) => wait.position !== position)
    },
    answer(position, value) {
      if (!waits.some((wait) => wait.position === position)) return false
      waits = waits.filter((wait) => wait.position !== position)
      deliver([{ id: `${++messages}`, position, value }])
      return true
    },
    waits: () => waits,
  }
}

function listenersOf(wait: Wait): Listener[] {
  const { takes, filters } = isObject(wait.arguments) ? wait.arguments : {}
  return (Array.isArray(filters) ? filters : []).flatMap((item: Json): Listener[] => {
    if (!isObject(item) || item.filter === undefined || !isObject(item.filter)) return []
    const { role = null, index = null, filter, expected, scope } = item
    const compiled = compileEventFilter(filter)
    return [{ wait, role, index, takes: takes ?? null, filter: compiled, scope: objectOf(scope), expected: objectOf(expected) }]
  })
}

function messageOf({ role, index }: Listener, event: JsonObject): Json {
  return { role, index, event }
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {}
}

function pick(values: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
}

import { settled } from './evaluate.ts'
import { readEvent } from './event.ts'
import { finish } from './finish.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { messageOf } from './simple-tasks.ts'
import type { FilterNode, ListenBody } from './node.ts'
import type { Walk } from './request.ts'
import { recordChoice, type Scope } from './scope.ts'
import { type BodyResult, insideIteration, type Walker } from './walker.ts'

/** A message of the topic `events`. */
interface Arrival {
  /** `until` for an event that only ends the listening. */
  readonly role: 'event' | 'until'
  readonly index: number
  readonly event: JsonObject
}

/**
 * Consumes events until the strategy is satisfied, each processed before the next. The output is the array of the consumed events, in order,
 * without the events of an `until`. Source: Open Workflow Specification DSL 1.0.3, "Listen".
 */
export function* runListen(walker: Walker, body: ListenBody, scope: Scope, position: string): Walk<BodyResult> {
  const { strand } = scope.place
  const wanted = yield* subscription(body, scope)
  const had = new Map<string, Json>()
  const consumed: Json[] = []
  const missing = new Set(body.filters.keys())
  const { until } = body
  const missingUntil = new Set(typeof until === 'object' ? until.filters.keys() : [])
  try {
    for (let arrivals = 0; ; arrivals++) {
      const wait = { position, topic: 'events', arguments: had.size === 0 ? wanted : { ...wanted, had: [...had.values()] } }
      const arrival = arrivalOf(messageOf(yield { kind: 'message', position: `${position}/event/${arrivals}`, strand, wait }))
      const filter = `${arrival.role} ${arrival.index}`
      if (!had.has(filter)) had.set(filter, { ...arrival })
      if (arrival.role === 'until') {
        missingUntil.delete(arrival.index)
        if (typeof until === 'object' && (!until.all || missingUntil.size === 0)) break
        continue
      }
      // The execution that this one retries may have had another version with other filters.
      if (body.mode === 'all' && !missing.has(arrival.index)) continue
      consumed.push(
        yield* consume(walker, body, scope, `${position}[${consumed.length}]`, readEvent(body.read, arrival.event), consumed.length),
      )
      missing.delete(arrival.index)
      if (typeof until === 'object') continue
      if (typeof until === 'function') {
        const ends = yield* settled(until(consumed, scope))
        recordChoice(strand, 'u', ends ? 1 : 0)
        if (ends) break
      } else if (body.mode !== 'all' || missing.size === 0) break
    }
  } finally {
    yield { kind: 'close', position }
  }
  return { output: consumed }
}

function* consume(walker: Walker, { foreach }: ListenBody, scope: Scope, position: string, event: Json, index: number): Walk<Json> {
  if (foreach === undefined) return event
  const place = insideIteration(scope, `${position}/foreach/do`, { name: foreach.item, value: event }, { name: foreach.at, value: index })
  const raw = foreach.tasks === undefined ? event : (yield* walker.sequence(foreach.tasks, event, place)).output
  return yield* finish(foreach, raw, { ...scope, place, input: event, rawOutput: raw })
}

/**
 * The arguments of the wait: the filters, with every part evaluated that depends on the execution. A wait that is opened after events were consumed, as in a retried
 * execution, has the first event of each filter in `had`.
 */
function* subscription({ mode, filters, until }: ListenBody, scope: Scope): Walk<JsonObject> {
  const filterArguments: Json[] = []
  for (const [index, filter] of filters.entries()) filterArguments.push(yield* subscribed(filter, scope, 'event', index))
  const ends = typeof until === 'object' ? until.filters : []
  for (const [index, filter] of ends.entries()) filterArguments.push(yield* subscribed(filter, scope, 'until', index))
  // With `all` an event ends the wait for its own filter, with `one` and `any` the whole wait, and with `until` neither.
  return { takes: until !== undefined ? 'many' : mode === 'all' ? 'each' : 'one', filters: filterArguments }
}

function* subscribed(
  { filter, scope: variables, correlations }: FilterNode,
  scope: Scope,
  role: Arrival['role'],
  index: number,
): Walk<Json> {
  const expected: [string, Json][] = []
  for (const { name, expect } of correlations) if (expect !== undefined) expected.push([name, yield* settled(expect(scope.input, scope))])
  return {
    role,
    index,
    filter,
    expected: Object.fromEntries(expected),
    ...(variables === undefined ? {} : { scope: variables(scope.input, scope) }),
  }
}

function arrivalOf(message: Json): Arrival {
  const { role, index, event } = isObject(message) ? message : {}
  if ((role !== 'event' && role !== 'until') || typeof index !== 'number' || event === undefined || !isObject(event)) {
    throw new Error('a message of the topic "events" has no event')
  }
  return { role, index, event }
}

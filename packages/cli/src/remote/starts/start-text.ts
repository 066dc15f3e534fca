import { isDeepStrictEqual } from 'node:util'
import { every } from '@millrace/client'
import type { Reply, triggers } from '@millrace/contract'
import { durationMs } from '@millrace/dsl'
import type { Json, JsonObject } from '@millrace/engine'
import { isObject } from '@millrace/engine/definition'
import type { Connection } from '#remote/connect.ts'

export type PresentStart = Reply<typeof triggers.get>

/** The starts of a workflow that belong to no definition, in the order in which the server lists them. */
export async function presentStarts({ client }: Connection, workflowId: string): Promise<readonly PresentStart[]> {
  const all: PresentStart[] = []
  for await (const start of every((cursor) => client.triggers.ofWorkflow({ params: { workflowId }, query: { cursor, limit: 100 } })))
    all.push(start)
  return all.filter(({ origin }) => origin === 'user')
}

/** A start of the server with the members that a file has. */
export function contentOf({ name, kind, enabled, input, mapping, filter, schedule, webhook, event, watch }: PresentStart): JsonObject {
  return withoutEmpty({
    name,
    kind,
    enabled,
    input,
    mapping,
    filter,
    schedule: schedule && withoutEmpty({ ...schedule, nextAt: null, nextLocal: null }),
    webhook: webhook && withoutEmpty({ ...webhook, url: null, testUrl: null, formProblem: null, listensUntil: null }),
    event,
    watch: watch?.settings,
  })
}

/** Members that are neither null nor undefined. */
export function withoutEmpty(members: Readonly<Record<string, unknown>>): JsonObject {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined && value !== null)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- They come from JSON.
  return Object.fromEntries(kept) as JsonObject
}

/**
 * Whether a start of the server has the content that a file wants, both with all defaults. What the file leaves to the server does not count: whether it is
 * enabled, and the first time of an interval.
 */
export function isSameContent(present: JsonObject, wanted: JsonObject): boolean {
  const hasFrom = isObject(wanted['schedule']) && 'from' in wanted['schedule']
  const comparable = ({ enabled: _enabled, ...start }: JsonObject) =>
    Object.fromEntries(Object.entries(start).map(([name, value]) => [name, isObject(value) ? withTimes(value, hasFrom) : value]))
  return isDeepStrictEqual(comparable(present), comparable(wanted))
}

/** Settings with lengths of time in milliseconds and the first time of an interval as an instant. */
function withTimes(settings: JsonObject, hasFrom: boolean): JsonObject {
  const kept = Object.entries(settings).filter(([name]) => name !== 'from' || hasFrom)
  return withoutEmpty(Object.fromEntries(kept.map(([name, value]) => [name, timeOf(name, value)])))
}

function timeOf(name: string, value: Json): Json {
  if (name === 'from' && typeof value === 'string') return Date.parse(value)
  return name === 'every' || name === 'after' ? (durationMs(value) ?? value) : value
}

import { END_TYPES, type JsonObject, LIFECYCLE_TYPE_PREFIX } from '@millrace/engine/definition'
import { fromTypeId } from '#platform/ids.ts'

/** Whether a type that a trigger names, exact or with a trailing `*`, is that of lifecycle events, which only the engine makes. */
export function isLifecycleType(named: string): boolean {
  return named.startsWith(LIFECYCLE_TYPE_PREFIX)
}

/** Whether a type that a trigger names is that of the end of an execution. */
export function namesEnd(named: string): boolean {
  return END_TYPES.some((type) => (named.endsWith('*') ? type.startsWith(named.slice(0, -1)) : type === named))
}

/** The last execution whose end is among events. */
export function causeOf(events: readonly JsonObject[]): string | undefined {
  const last = events.findLast(({ type }) => typeof type === 'string' && END_TYPES.includes(type))
  return typeof last?.subject === 'string' ? fromTypeId('exec', last.subject) : undefined
}

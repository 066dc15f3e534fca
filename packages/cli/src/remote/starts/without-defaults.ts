import { isDeepStrictEqual } from 'node:util'
import { TriggerContent } from '@millrace/contract'
import type { JsonObject } from '@millrace/engine'
import { isObject } from '@millrace/engine/definition'

/** A start without the members that mean the same when they are left out, so that a file says what was decided. */
export function withoutDefaults(start: JsonObject): JsonObject {
  const meaning = TriggerContent.safeParse(start).data
  const shortened = (now: JsonObject, path: readonly string[]): JsonObject => {
    const shorter = without(now, path)
    return isDeepStrictEqual(TriggerContent.safeParse(shorter).data, meaning) ? shorter : now
  }
  return meaning === undefined ? start : pathsOf(start).reduce(shortened, start)
}

/** The paths of all members, those of a member before it. */
function pathsOf(members: JsonObject): readonly (readonly string[])[] {
  return Object.entries(members).flatMap(([name, value]) => [
    ...(isObject(value) ? pathsOf(value).map((path) => [name, ...path]) : []),
    [name],
  ])
}

function without(members: JsonObject, [name = '', ...path]: readonly string[]): JsonObject {
  const { [name]: value, ...others } = members
  if (path.length === 0) return others
  return isObject(value) ? { ...members, [name]: without(value, path) } : members
}

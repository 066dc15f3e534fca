import { isObject, type Json } from '@millrace/engine'

/** Applies a JSON merge patch: null removes a member, objects are merged, any other value replaces. Source: RFC 7396, section 2. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch
  const members = new Map<string, Json>(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name)
    else members.set(name, mergePatch(members.get(name) ?? null, value))
  }
  return Object.fromEntries(members)
}

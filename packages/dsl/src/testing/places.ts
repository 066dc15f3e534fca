import { childPointer } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Json, JsonObject } from '#src/json.ts'

/** Every place in a value, with what is there. */
export function places(value: Json, pointer = ''): (readonly [pointer: string, value: Json])[] {
  const children = Array.isArray(value)
    ? value.map((item: Json, index) => places(item, childPointer(pointer, index)))
    : isObject(value)
      ? Object.entries(value).map(([key, item]) => places(item, childPointer(pointer, key)))
      : []
  return [[pointer, value], ...children.flat()]
}

/** A copy in which the value at a place is another. */
export function replaced(value: Json, keys: readonly string[], change: (owner: Json, key: string) => Json): Json {
  const [key, ...rest] = keys
  if (key === undefined) return value
  if (rest.length === 0) return change(value, key)
  if (Array.isArray(value)) return value.map((item: Json, index) => (String(index) === key ? replaced(item, rest, change) : item))
  return isObject(value) ? { ...value, [key]: replaced(value[key] ?? null, rest, change) } : value
}

/**
 * A definition with no more than a place in it needs: the task or the component that it is in, what that refers to, and the tasks that may be
 * led to. Checking it takes a fraction of the time, and what is wrong at the place is wrong there as well. Gives the place in it, too.
 */
export function around(document: Json, pointer: string, ledTo: readonly string[]): { readonly document: Json; readonly pointer: string } {
  const [, index, below] = /^\/do\/(\d+)(.*)$/.exec(pointer) ?? []
  const [, name] = /^\/use\/\w+\/([A-Za-z]\w*)\/.+$/.exec(pointer) ?? []
  if (!isObject(document)) return { document, pointer }
  const { document: info = null, use = null, do: tasks = null } = document
  const isWhole = index === undefined && name === undefined && /^\/(?:do|use)?(?:\/|$)/.test(pointer)
  if (isWhole || !Array.isArray(tasks) || !isObject(use)) return { document, pointer }
  const kept: readonly Json[] = index === undefined ? [] : tasks.slice(Number(index), Number(index) + 1)
  const others = ledTo
    .filter((other) => !kept.some((item) => isObject(item) && other in item))
    .map((other) => ({ [other]: { set: { x: 1 } } }))
  if (index === undefined && name === undefined) return { document: { ...document, do: others }, pointer }
  const started = name === undefined ? JSON.stringify(kept) : `"${name}"`
  const small = { document: info, use: usedBy(use, started), do: [...kept, ...others] }
  return { document: small, pointer: below === undefined ? pointer : `/do/0${below}` }
}

/** The components that a text names, and those that these name. */
function usedBy(use: JsonObject, text: string): JsonObject {
  const named = (by: string): JsonObject =>
    Object.fromEntries(
      Object.entries(use).flatMap(([section, components]): [string, Json][] => {
        if (!isObject(components)) return section === 'secrets' ? [[section, components]] : []
        return [[section, Object.fromEntries(Object.entries(components).filter(([name]) => by.includes(name)))]]
      }),
    )
  const first = named(text)
  return named(`${text} ${JSON.stringify(first)}`)
}

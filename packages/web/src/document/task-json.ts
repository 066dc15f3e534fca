import type { Json, JsonObject } from '@millrace/dsl'

/** The keys of a JSON Pointer. */
export function pointerKeys(pointer: string): readonly string[] {
  return pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A JSON Pointer one level deeper. */
export function below(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at a pointer. */
export function jsonAt(document: Json | undefined, pointer: string): Json | undefined {
  let value = document
  for (const key of pointerKeys(pointer)) {
    if (Array.isArray(value)) value = value[Number(key)]
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key]
    else return undefined
  }
  return value
}

/** The names of the tasks of a list. */
export function namesIn(document: Json | undefined, list: string): readonly string[] {
  const items = jsonAt(document, list)
  return Array.isArray(items) ? items.flatMap((item) => (isObject(item) ? Object.keys(item).slice(0, 1) : [])) : []
}

/** The names of all tasks of a document, however deep. */
export function allNames(document: Json | undefined): readonly string[] {
  const names = (value: Json | undefined): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap((item) => (isTaskItem(item) ? [...Object.keys(item), ...names(item)] : names(item)))
    return isObject(value) ? Object.values(value).flatMap(names) : []
  }
  return names(jsonAt(document, '/do'))
}

/** Whether an item of a list is a task, or a case, under its name. */
function isTaskItem(item: Json): item is JsonObject {
  return isObject(item) && Object.keys(item).length === 1 && Object.values(item).every(isObject)
}

/** A name that is not taken: itself, or with a number. */
export function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name
  let number = 2
  while (taken.includes(`${name}${number}`)) number++
  return `${name}${number}`
}

/** The pointer of the task at an index of a list. */
export function taskAt(document: Json | undefined, list: string, index: number): string | undefined {
  const name = namesIn(document, list)[index]
  return name === undefined ? undefined : below(below(list, index), name)
}

/** The list and the index of a task, from its pointer. */
export function placeOf(task: string): { readonly list: string; readonly index: number; readonly name: string } {
  const keys = pointerKeys(task)
  const list = keys.slice(0, -2).reduce<string>(below, '')
  return { list, index: Number(keys.at(-2) ?? 0), name: keys.at(-1) ?? '' }
}

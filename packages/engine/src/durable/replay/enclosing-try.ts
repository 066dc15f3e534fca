import { isObject, type Json } from '#core/json.ts'

const around = /\/(do|try|branches)\/\d+\/([^/!~[\]]+)(?=(\/try\/\d+)\/([^/!~[\]]+))/g

/**
 * The positions that a task had if one of the `try` tasks around it was put around it since: those that have this task alone, on the first attempt, in a
 * list without another task of its name. An odd name, or a position in a function or an extension, has none.
 */
export function positionsWithoutTry(definition: Json, position: string): readonly string[] {
  return Array.from(position.matchAll(around)).flatMap(({ 0: part, 1: list = '', 2: outer = '', 3: block = '', 4: name = '', index }) => {
    const tasks = tasksAt(definition, `${position.slice(0, index)}/${list}`)
    const places = tasks.filter(([own, task]) => own === name || (isObject(task) && tasksIn(task['try']).some(([inner]) => inner === name)))
    const [place] = places
    const isAlone = places.length === 1 && place?.[0] === outer && isObject(place[1]) && tasksIn(place[1]['try']).length === 1
    return isAlone ? [`${position.slice(0, index)}/${list}/0${position.slice(index + part.length + block.length)}`] : []
  })
}

/** The tasks of a list, with their names. */
function tasksIn(list: Json | undefined): readonly (readonly [string, Json])[] {
  return Array.isArray(list) ? list.flatMap((entry: Json) => (isObject(entry) ? Object.entries(entry) : [])) : []
}

/** @param position of a list; its parts may name iterations, attempts and visits. */
function tasksAt(definition: Json, position: string): readonly (readonly [string, Json])[] {
  let at: Json | undefined = definition
  for (const part of position.slice(1).split('/')) {
    const key = part.replace(/(?:\[\d+\]|[!~]\d+)+$/, '')
    at = Array.isArray(at) ? at[Number(key)] : isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return tasksIn(at)
}

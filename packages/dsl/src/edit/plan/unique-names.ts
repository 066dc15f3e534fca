import type { Json, JsonObject } from '#src/json.ts'
import { childPointer } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import { operateOnJson } from './operate-on-json.ts'
import { renameReferences } from './references.ts'

/** The name of an item of a list of tasks; empty when it has none. */
export function nameOf(item: Json | undefined): string {
  return isObject(item) ? (Object.keys(item)[0] ?? '') : ''
}

export function namesIn(list: readonly Json[]): ReadonlySet<string> {
  return new Set(list.map(nameOf))
}

/** The name, with the first free number behind it when it is taken. */
export function uniqueName(name: string, used: ReadonlySet<string>): string {
  if (!used.has(name)) return name
  const stem = /^(.*?)\d*$/.exec(name)?.[1] ?? name
  for (let number = 2; ; number++) if (!used.has(`${stem}${number}`)) return `${stem}${number}`
}

/** Tasks whose names differ from those that are used and from each other; references among them follow. */
export function withUniqueNames(tasks: readonly JsonObject[], used: ReadonlySet<string>): readonly JsonObject[] {
  const taken = new Set([...used, ...tasks.map(nameOf)])
  let document: Json = { do: tasks }
  for (const [index, task] of tasks.entries()) {
    const name = nameOf(task)
    if (!used.has(name) && tasks.findIndex((other) => nameOf(other) === name) === index) continue
    const next = uniqueName(name, taken)
    taken.add(next)
    const pointer = childPointer(`/do/${index}`, name)
    document = operateOnJson(document, [{ kind: 'key', pointer, name: next }, ...renameReferences(document, '/do', name, next)])
  }
  const list = isObject(document) ? document['do'] : undefined
  return Array.isArray(list) ? list.filter(isObject) : tasks
}

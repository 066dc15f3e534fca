import { isMap, isScalar, parseDocument } from 'yaml'
import { pointerKeys } from '#src/document/task-json.ts'

/** The line of a definition, in YAML or JSON, on which a member begins; 1 if there is no such member. */
export function lineOfMember(text: string, pointer: string): number {
  const keys = pointerKeys(pointer)
  const around = parseDocument(text).getIn(keys.slice(0, -1), true)
  const found = isMap(around) ? around.items.find(({ key }) => isScalar(key) && String(key.value) === keys.at(-1)) : undefined
  const start = isScalar(found?.key) ? (found.key.range?.[0] ?? 0) : 0
  return text.slice(0, start).split('\n').length
}

import type { Json, JsonObject } from '#src/json.ts'
import { pointerKeys } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { AbsentRead } from './data-lacks.ts'

/** A step that can pass on the data that it got, and its `output.as` for it. */
export interface KeptData {
  readonly task: string
  /** JSON Pointer of the task. */
  readonly pointer: string
  readonly as: string
}

/** How the step that replaced the data can keep it: instead of what it returns if nothing reads that, else beside it. */
export function keptData(document: JsonObject, { makers, members, task: reader }: AbsentRead): KeptData | undefined {
  const [maker, ...others] = makers
  if (maker === undefined || others.length > 0 || maker.kind !== 'step' || maker.task === reader) return undefined
  const { task, pointer } = maker
  const data = valueAt(document, pointer)
  if (!isObject(data) || data['output'] !== undefined) return undefined
  // Of a step with an own input that is what the task got before.
  const got = data['input'] === undefined ? '$input' : '$task.input'
  const isForEffect = 'call' in data || 'run' in data
  return { task, pointer, as: isForEffect && !isRead(document, { task, pointer }, members) ? `\${ ${got} }` : `\${ ${got} + . }` }
}

/** Whether a text outside of the step may read what it returns. */
function isRead(document: JsonObject, { task, pointer }: Omit<KeptData, 'as'>, members: readonly string[]): boolean {
  const step = valueAt(document, pointer)
  const names = [
    ...members.map((name) => new RegExp(`[.{,"]\\s*${escaped(name)}(?!\\w)`)),
    new RegExp(`\\$steps\\s*\\W+${escaped(task)}\\b`),
  ]
  const texts = textsOf(document['do'] ?? null, step).concat(textsOf(document['output'] ?? null, step))
  return texts.some((text) => names.some((name) => name.test(text)))
}

function textsOf(value: Json, except: Json | undefined): readonly string[] {
  if (value === except) return []
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsOf(item, except))
  return isObject(value) ? Object.values(value).flatMap((item) => textsOf(item, except)) : []
}

function escaped(name: string): string {
  return name.replaceAll(/[^\w]/g, String.raw`\$&`)
}

function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document
  for (const key of pointerKeys(pointer)) {
    if (Array.isArray(value)) value = value[Number(key)]
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
}

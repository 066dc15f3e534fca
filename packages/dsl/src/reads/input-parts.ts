import type { Json } from '#src/json.ts'
import type { InputRead } from './input-read.ts'

/** The name of a member, or every element of a list. */
export type PathStep = string | typeof each

const each = Symbol('each')
const stepPattern = /\.?([A-Za-z_]\w*)|\[("(?:[^"\\]|\\.)*")\]|(\[\])/g

/** The steps of a path such as `items[].price`. */
export function stepsOf(path: string): readonly PathStep[] {
  return Array.from(path.matchAll(stepPattern), ([, plain, quoted]) => {
    if (plain !== undefined) return plain
    return quoted === undefined ? each : String(JSON.parse(quoted))
  })
}

/** Of the parts that a workflow needs, those that an input does not have. An explicit null counts as given, and so does an empty list. */
export function readsNotIn<Read extends Pick<InputRead, 'path' | 'needed'>>(reads: readonly Read[], input: unknown): readonly Read[] {
  return reads.filter(({ path, needed }) => needed && lacksPart(input, stepsOf(path)))
}

export function lacksPart(value: unknown, [step, ...rest]: readonly PathStep[]): boolean {
  if (step === undefined) return false
  const isObject = typeof value === 'object' && value !== null
  if (step === each) {
    const elements: unknown[] = isObject ? Object.values(value) : []
    return elements.length > 0 && elements.every((element) => lacksPart(element, rest))
  }
  if (!isObject || Array.isArray(value)) return true
  const member = new Map<string, unknown>(Object.entries(value)).get(step)
  return member === undefined || lacksPart(member, rest)
}

/** An input with the parts that a workflow reads, to be filled in. */
export function inputSkeleton(reads: readonly Pick<InputRead, 'path'>[]): Json {
  return reads.reduce<Json>((skeleton, { path }) => withPart(skeleton, stepsOf(path)), {})
}

function withPart(skeleton: Json | undefined, [step, ...rest]: readonly PathStep[]): Json {
  if (step === undefined) return skeleton ?? ''
  const inside = typeof skeleton === 'object' && skeleton !== null ? skeleton : {}
  if (step === each) return [withPart(Array.isArray(inside) ? inside[0] : undefined, rest)]
  if (Array.isArray(inside)) return inside
  const members = new Map(Object.entries(inside))
  return Object.fromEntries(members.set(step, withPart(members.get(step), rest)))
}

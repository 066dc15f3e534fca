import type { groups, JsonValue, Received } from '@millrace/contract'
import { below, freeName, pointerKeys } from '#src/document/task-json.ts'

type Parameter = NonNullable<Received<(typeof groups)['marketplace']['publish']>['body']['parameters']>[number]

/** A value of a definition that an import may ask for, at all places that have it. */
export interface Askable {
  readonly value: string | number
  readonly kind: 'text' | 'email' | 'url' | 'number'
  /** JSON Pointers. */
  readonly at: readonly string[]
  /** The name of the member at the first place, such as `to`. */
  readonly member: string
  /** The name of the task at the first place. */
  readonly task: string
}

const placesMax = 50
const parametersMax = 50
/** Members whose values say how a step works, not for whom. */
const ofTheStep = new Set(['method', 'output', 'format', 'redirect', 'type', 'language', 'contentType', 'operation'])

/** The texts without expressions and the numbers that steps have as arguments or set. */
export function askableIn(definition: JsonValue): readonly Askable[] {
  const found = new Map<string, Askable>()
  for (const [pointer, value] of leavesOf(definition, '')) {
    const keys = pointerKeys(pointer)
    const member = keys.findLast((key) => !/^\d+$/.test(key)) ?? ''
    const place = keys.findIndex((key) => key === 'with' || key === 'set')
    if (keys[0] !== 'do' || place === -1 || ofTheStep.has(member)) continue
    const known = found.get(JSON.stringify(value))
    if (known !== undefined && known.at.length >= placesMax) continue
    const at = [...(known?.at ?? []), pointer]
    const first = known ?? { value, kind: kindOf(value), member, task: keys[place - 1] ?? '' }
    found.set(JSON.stringify(value), { ...first, at })
  }
  return [...found.values()].slice(0, parametersMax)
}

/** The parameters by which an import asks for chosen values. @param describe what is asked for. */
export function parametersOf(chosen: readonly Askable[], describe: (value: Askable) => string): readonly Parameter[] {
  const taken: string[] = []
  return chosen.map((asked) => {
    const name = freeName(nameOf(asked.member), taken)
    taken.push(name)
    return { name, kind: asked.kind, description: describe(asked), at: [...asked.at], example: exampleOf(asked) }
  })
}

function* leavesOf(value: JsonValue, pointer: string): Generator<readonly [string, string | number]> {
  if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && !value.includes('${'))) yield [pointer, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) if (member !== undefined) yield* leavesOf(member, below(pointer, key))
}

function kindOf(value: string | number): Askable['kind'] {
  if (typeof value === 'number') return 'number'
  if (/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(value)) return 'email'
  return /^https?:\/\/\S+$/.test(value) ? 'url' : 'text'
}

/** A number says nothing about its publisher, so it is the example; other values are taken out. */
function exampleOf({ kind, value, member }: Askable): JsonValue {
  if (kind === 'number') return value
  if (kind === 'email') return 'name@example.com'
  return kind === 'url' ? 'https://example.com' : `example ${member}`.slice(0, 100)
}

/** A letter, followed by letters, digits and underscores. */
function nameOf(member: string): string {
  const plain = member.replaceAll(/[^A-Za-z0-9_]+/g, '_').replace(/^[^A-Za-z]+/, '')
  return plain === '' ? 'value' : plain.slice(0, 60)
}

import type { Json } from '#src/json.ts'
import { childPointer } from '#src/parse/pointer.ts'
import { type ShapeStep, shapeAt } from '#src/shape/shape-at.ts'
import { type Stage, stageVariables } from '#src/shape/stage.ts'
import { isObject } from '#src/shape/variables.ts'
import { type FlowEntry, flowOfList, reach, targets } from '#src/tasks/list-flow.ts'

/** A task whose output `$steps` may have. */
export interface ReadableStep {
  readonly name: string
  readonly pointer: string
  /** Whether every way to the place leads through the task. A task that its `if` skips counts: its output is its input. */
  readonly certain: boolean
}

/** What an expression at a place can read besides its input. */
export interface ScopeAt {
  readonly stage: Stage
  /** Variables of the language, without `$`. */
  readonly variables: readonly string[]
  /** Variables of loops, iterators and catches around the place, innermost first. */
  readonly locals: readonly string[]
  /** The steps of `$steps`, those of the nearest list first. Of several with one name, the nearest. */
  readonly steps: readonly ReadableStep[]
}

/** What an expression at a pointer can read, in a document that need not be valid; undefined where the language has no value. */
export function scopeAt(document: Json, pointer: string): ScopeAt | undefined {
  const locals: string[] = []
  const lists: (readonly ReadableStep[])[] = []
  const found = shapeAt(document, pointer, (step) => {
    const { shape, value, key } = step
    if (shape.kind === 'tasks' && !shape.branches) lists.unshift(stepsBefore(step))
    if (shape.kind === 'object' && isObject(value)) locals.unshift(...(shape.properties.get(key)?.variables?.(value) ?? []))
  })
  if (found === undefined) return undefined
  const steps = new Map<string, ReadableStep>()
  for (const step of lists.flat()) if (!steps.has(step.name)) steps.set(step.name, step)
  return { stage: found.stage, variables: stageVariables[found.stage], locals: [...new Set(locals)], steps: [...steps.values()] }
}

/** The tasks of a list that may have run before one of them begins. */
function stepsBefore({ value, key, pointer }: ShapeStep): readonly ReadableStep[] {
  const entries = entriesOf(value)
  const flow = flowOfList(entries)
  const own = Number(key)
  const fromStart = new Set(reach(flow, [0]))
  return entries
    .flatMap(({ name }, index): readonly (ReadableStep & { readonly index: number })[] => {
      if (name === '' || !fromStart.has(index) || !new Set(reach(flow, targets(flow, index))).has(own)) return []
      const certain = index !== own && !new Set(reach(flow, [0], index)).has(own)
      return [{ name, pointer: childPointer(childPointer(pointer, index), name), certain, index }]
    })
    .toSorted((one, other) => distance(one.index, own) - distance(other.index, own))
    .map(({ index: _index, ...step }) => step)
}

/** Tasks before the place come first, the nearest at the head; later ones lead back to it. */
function distance(index: number, own: number): number {
  return index < own ? own - index : own + index
}

function entriesOf(value: Json | undefined): readonly FlowEntry[] {
  if (!Array.isArray(value)) return []
  return value.map((item: Json): FlowEntry => {
    const [name = '', data = null] = (isObject(item) ? Object.entries(item)[0] : undefined) ?? []
    return { name, data }
  })
}

import type { Json } from '#src/json.ts'
import { isObject } from '#src/shape/variables.ts'
import { flowOf } from './directives.ts'

/** A task as the flow sees it: `data` may lack the lists in it. */
export interface FlowEntry {
  readonly name: string
  readonly data: Json
}

export type Target = number | 'exit' | 'end'

export interface Exit {
  readonly target: Target
  readonly label?: string
}

/** Where each task of a list leads. */
export interface ListFlow {
  readonly exits: readonly (readonly Exit[])[]
  /** For each index the indexes that lead to it. */
  readonly sources: readonly (readonly number[])[]
  readonly isSwitch: readonly boolean[]
}

/** Where the tasks of a list lead, by its directives. */
export function flowOfList(entries: readonly FlowEntry[]): ListFlow {
  const indexes = indexesByName(entries)
  const sources: number[][] = Array.from({ length: entries.length + 1 }, () => [])
  const exits = entries.map(({ data }, index) => {
    const { directives, fallsThrough } = flowOf(data)
    const found: Exit[] = directives
      .filter(({ effective }) => effective)
      .map(({ target, label }) => ({ target: targetOf(target, index, indexes), ...(label === undefined ? {} : { label }) }))
    if (fallsThrough) found.push({ target: index + 1 })
    for (const { target } of found) if (typeof target === 'number') sources[target]?.push(index)
    return found
  })
  return { exits, sources, isSwitch: entries.map(({ data }) => isObject(data) && 'switch' in data) }
}

/** The indexes of tasks by name. Duplicate names are reported elsewhere; the first task counts. */
export function indexesByName(entries: readonly { readonly name: string }[]): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>()
  for (const [index, { name }] of entries.entries()) if (!indexes.has(name)) indexes.set(name, index)
  return indexes
}

/** The indexes that a task of a list leads to. */
export function targets({ exits }: ListFlow, index: number): readonly number[] {
  return (exits[index] ?? []).flatMap(({ target }) => (typeof target === 'number' ? [target] : []))
}

/** The indexes that a run of a list can reach from some of them, which come first, without entering one. */
export function* reach(flow: ListFlow, from: readonly number[], without?: number): Generator<number, void> {
  const seen = new Set<number>()
  const open = [...from]
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (seen.has(index) || index === without) continue
    seen.add(index)
    yield index
    open.push(...targets(flow, index))
  }
}

function targetOf(target: string, index: number, indexes: ReadonlyMap<string, number>): Target {
  if (target === 'exit' || target === 'end') return target
  return (target === 'continue' ? undefined : indexes.get(target)) ?? index + 1
}

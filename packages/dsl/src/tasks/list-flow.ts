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
  const indexes = new Map<string, number>()
  for (const [index, { name }] of entries.entries()) if (!indexes.has(name)) indexes.set(name, index)
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

function targetOf(target: string, index: number, indexes: ReadonlyMap<string, number>): Target {
  if (target === 'exit' || target === 'end') return target
  return (target === 'continue' ? undefined : indexes.get(target)) ?? index + 1
}

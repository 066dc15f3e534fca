import type { Path } from '#src/parse/pointer.ts'
import { flowOfList, indexesByName, type ListFlow, reach, targets } from '#src/tasks/list-flow.ts'
import type { Facts, ListEntry } from '#src/validate/facts.ts'

/** The order of one list of tasks. */
interface OrderedList {
  readonly indexes: ReadonlyMap<string, number>
  readonly flow: () => ListFlow
}

/** Tasks that are visited for one document, since a document of many jumps and many reads would cost their product. */
const visitsMax = 200_000

/** Decides whether a task can have run before an expression is evaluated; true where that is not known. */
export function createStepOrder(facts: Facts): (path: Path | undefined, name: string) => boolean {
  const places = new Map<Path, { readonly list: OrderedList; readonly index: number }>()
  for (const { branches, entries } of facts.lists) {
    if (branches) continue
    const list = orderedList(entries)
    for (const [index, entry] of entries.entries()) places.set(entry.path, { list, index })
  }
  let visitsLeft = visitsMax

  function leadsTo(flow: ListFlow, from: number, to: number): boolean {
    for (const index of reach(flow, targets(flow, from))) {
      if (index === to || visitsLeft <= 0) return true
      visitsLeft -= 1
    }
    return false
  }

  return (path, name) => {
    for (let outer = path; outer !== undefined; outer = outer.parent) {
      const place = places.get(outer)
      const named = place?.list.indexes.get(name)
      if (place === undefined || named === undefined) continue
      return named === place.index || leadsTo(place.list.flow(), named, place.index)
    }
    return true
  }
}

function orderedList(entries: readonly ListEntry[]): OrderedList {
  let flow: ListFlow | undefined
  return { indexes: indexesByName(entries), flow: () => (flow ??= flowOfList(entries.map(({ name, task }) => ({ name, data: task })))) }
}

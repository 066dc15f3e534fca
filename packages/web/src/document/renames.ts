import type { Outline } from '@millrace/dsl/outline'

/** A task or a member that has another name now. */
export interface Rename {
  /** JSON Pointers before and after. */
  readonly from: string
  readonly to: string
}

/** A rename in the reading of a text that was the first to have it. */
export interface DatedRename extends Rename {
  readonly edition: number
}

/** The pointer now of what had a pointer in an edition of the document. */
export function presentPointer(pointer: string, edition: number, renames: readonly DatedRename[]): string {
  return renames.reduce((now, rename) => {
    const isInside = rename.edition > edition && (now === rename.from || now.startsWith(`${rename.from}/`))
    return isInside ? rename.to + now.slice(rename.from.length) : now
  }, pointer)
}

/** The paths of the tasks that have another path because they, or tasks around them, were renamed between two readings. */
export function renamedPaths(before: Outline, after: Outline): ReadonlyMap<string, string> {
  const gone = before.places.size === after.places.size ? [...before.places].filter(([path]) => !after.places.has(path)) : []
  if (gone.length === 0) return new Map()
  const added = new Map([...after.places].flatMap(([path, { pointer }]) => (before.places.has(path) ? [] : [[placeIn(pointer), path]])))
  return new Map(
    gone.flatMap(([path, { pointer }]) => {
      const now = added.get(placeIn(pointer))
      return now === undefined ? [] : [[path, now]]
    }),
  )
}

/** The tasks whose own names differ between two readings. */
export function renamesBetween(before: Outline, after: Outline, paths: ReadonlyMap<string, string>): readonly Rename[] {
  return [...paths].flatMap(([path, now]) => {
    const from = before.places.get(path)?.pointer
    const to = after.places.get(now)?.pointer
    if (from === undefined || to === undefined || nameIn(from) === nameIn(to)) return []
    return [{ from, to }]
  })
}

/** Where a task stands, without the names of the tasks. */
function placeIn(pointer: string): string {
  return pointer.replaceAll(/\/(\d+)\/[^/]+/g, '/$1')
}

function nameIn(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

/** The tasks right inside of each task that have not ended, by their indices. */
export function createOpenInside(indexOf: (position: string) => number | undefined) {
  const byOwner = new Map<number, Set<number>>()
  const owners = new Map<number, number>()

  /** The task around a position: behind the name of a task, a position has the round of a loop and the attempt of a `try`. */
  function ownerOf(position: string): number | undefined {
    for (let end = position.lastIndexOf('/'); end > 0; end = position.lastIndexOf('/', end - 1)) {
      const around = position.slice(0, end)
      const found = indexOf(around) ?? indexOf(around.replace(/(?:\[\d+\]|!\d+)+$/, ''))
      if (found !== undefined) return found
    }
    return undefined
  }

  return {
    /** Takes a task in, or out when it has ended. */
    note(index: number, { position, state }: { readonly position: string; readonly state: string }): void {
      const isKnown = owners.has(index)
      if (state !== 'running' && state !== 'waiting') {
        if (isKnown) byOwner.get(owners.get(index) ?? 0)?.delete(index)
        owners.delete(index)
        return
      }
      const owner = isKnown ? undefined : ownerOf(position)
      if (owner === undefined) return
      owners.set(index, owner)
      const inside = byOwner.get(owner) ?? new Set()
      byOwner.set(owner, inside.add(index))
    },

    of: (index: number): readonly number[] => [...(byOwner.get(index) ?? [])],
  }
}

export interface FairQueue<T> {
  readonly add: (key: string, item: T) => void
  /** Takes the first item of the key whose turn it is, of those that may be served; by default all may. */
  readonly take: (mayServe?: (key: string, first: T) => boolean) => T | undefined
  /** @returns whether it was still in the queue. */
  readonly remove: (key: string, item: T) => boolean
  /** How many items of one key wait. */
  readonly count: (key: string) => number
  /** How many keys have items that wait. */
  readonly keyCount: () => number
}

/** First come, first served within each key; the keys take turns. A key with many items delays its own items alone. */
export function createFairQueue<T>(): FairQueue<T> {
  // A Map keeps the order in which keys were added; the first is the one whose turn it is.
  const waiting = new Map<string, T[]>()
  return {
    add(key, item) {
      const items = waiting.get(key)
      if (items === undefined) waiting.set(key, [item])
      else items.push(item)
    },
    take(mayServe = () => true) {
      for (const [key, items] of waiting) {
        const [first] = items
        if (first === undefined || !mayServe(key, first)) continue
        items.shift()
        waiting.delete(key)
        if (items.length > 0) waiting.set(key, items)
        return first
      }
      return undefined
    },
    remove(key, item) {
      const items = waiting.get(key) ?? []
      const index = items.indexOf(item)
      if (index === -1) return false
      items.splice(index, 1)
      if (items.length === 0) waiting.delete(key)
      return true
    },
    count: (key) => waiting.get(key)?.length ?? 0,
    keyCount: () => waiting.size,
  }
}

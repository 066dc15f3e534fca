export interface FairQueue<T> {
  readonly add: (key: string, item: T) => void
  readonly take: () => T | undefined
  /** @returns whether it was still in the queue. */
  readonly remove: (key: string, item: T) => boolean
  /** How many items of one key wait. */
  readonly count: (key: string) => number
}

/** First come first served for each key, and the keys in turn: who brings much makes nobody wait but himself. */
export function createFairQueue<T>(): FairQueue<T> {
  // A Map keeps the order in which keys were added; the first is the one whose turn it is.
  const waiting = new Map<string, T[]>()
  return {
    add(key, item) {
      const items = waiting.get(key)
      if (items === undefined) waiting.set(key, [item])
      else items.push(item)
    },
    take() {
      const [next] = waiting
      if (next === undefined) return undefined
      const [key, items] = next
      const item = items.shift()
      waiting.delete(key)
      if (items.length > 0) waiting.set(key, items)
      return item
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
  }
}

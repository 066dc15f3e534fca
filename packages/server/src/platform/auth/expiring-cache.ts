/** Remembers values until their time is over, and so many at most. */
export interface ExpiringCache<V> {
  get(key: string, nowMs: number): V | undefined
  set(key: string, value: V, untilMs: number): void
}

/** Makes a cache that gives up its oldest entries first when it is full. */
export function createExpiringCache<V>(entriesMax: number): ExpiringCache<V> {
  const entries = new Map<string, { readonly value: V; readonly untilMs: number }>()
  return {
    get(key, nowMs) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (nowMs < entry.untilMs) return entry.value
      entries.delete(key)
      return undefined
    },
    set(key, value, untilMs) {
      entries.delete(key)
      entries.set(key, { value, untilMs })
      if (entries.size <= entriesMax) return
      const oldest = entries.keys().next()
      if (oldest.done !== true) entries.delete(oldest.value)
    },
  }
}

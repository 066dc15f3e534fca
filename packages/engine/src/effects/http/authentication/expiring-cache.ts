export interface Expiring<T> {
  readonly value: T
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number
}

/** Values that are made when asked for and live until they expire; callers who ask at once share one making. */
export interface ExpiringCache<T> {
  /** The cached value, unless it has expired. */
  peek(key: string): T | undefined
  /** The cached value, or else the result of `load`, which receives the expired value if there is one. A failed load is not cached. */
  take(key: string, load: (expired: T | undefined) => Promise<Expiring<T>>): Promise<T>
  put(key: string, entry: Expiring<T>): void
  /** Ends the life of a value, if it is still the one there: another caller may have replaced it already. */
  expire(key: string, value: T): void
}

/** Makes a cache in memory of at most `entriesMax` entries, of which the one longest unused goes first. */
export function createExpiringCache<T>(clock: () => number, entriesMax: number): ExpiringCache<T> {
  const entries = new Map<string, Expiring<T>>()
  const loading = new Map<string, Promise<T>>()

  const put = (key: string, entry: Expiring<T>): void => {
    entries.delete(key)
    entries.set(key, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= entriesMax) break
      entries.delete(oldest)
    }
  }
  const peek = (key: string): T | undefined => {
    const entry = entries.get(key)
    if (entry === undefined || entry.expiresAtMs <= clock()) return undefined
    put(key, entry)
    return entry.value
  }
  const load = async (key: string, make: (expired: T | undefined) => Promise<Expiring<T>>): Promise<T> => {
    try {
      const entry = await make(entries.get(key)?.value)
      put(key, entry)
      return entry.value
    } finally {
      loading.delete(key)
    }
  }
  return {
    peek,
    put,
    take: async (key, make) => {
      const present = peek(key)
      if (present !== undefined) return present
      const underway = loading.get(key) ?? load(key, make)
      loading.set(key, underway)
      return underway
    },
    expire: (key, value) => {
      if (entries.get(key)?.value === value) put(key, { value, expiresAtMs: Number.NEGATIVE_INFINITY })
    },
  }
}

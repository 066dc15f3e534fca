export interface UsageRecorderDeps<V> {
  /** Writes what was used since the last time. */
  readonly write: (used: ReadonlyMap<string, V>) => Promise<void>
  readonly delayMs: number
  readonly onError: (error: unknown) => void
}

/** Gathers when things were last used, so that reading a credential does not cost a write for each request. */
export interface UsageRecorder<V> {
  record(id: string, use: V): void
  /** Writes now what has been gathered. */
  flush(): Promise<void>
}

/** Makes a recorder that writes at most once in `delayMs`; what a crash loses is at most that much of "last used". */
export function createUsageRecorder<V>({ write, delayMs, onError }: UsageRecorderDeps<V>): UsageRecorder<V> {
  let used = new Map<string, V>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (used.size === 0) return
    const gathered = used
    used = new Map()
    try {
      await write(gathered)
    } catch (error) {
      onError(error)
    }
  }

  return {
    record(id, use) {
      used.set(id, use)
      timer ??= setTimeout(() => void flush(), delayMs).unref()
    },
    flush,
  }
}

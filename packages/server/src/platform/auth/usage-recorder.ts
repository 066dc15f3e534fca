export interface UsageRecorderDeps<V> {
  /** Writes all uses since the last call. */
  readonly write: (used: ReadonlyMap<string, V>) => Promise<void>
  readonly delayMs: number
  readonly onError: (error: unknown) => void
}

/** Collects the last uses of credentials, so that not every request needs a write. */
export interface UsageRecorder<V> {
  record(id: string, use: V): void
  /** Writes the collected uses now. */
  flush(): Promise<void>
}

/** Makes a recorder that writes at most once in `delayMs`; a crash loses the uses of at most that time. */
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

export interface BatcherOptions<K, V> {
  /** Loads the values of all keys, in their order. */
  readonly load: (keys: readonly K[]) => Promise<readonly V[]>
  /** Concurrent loads. Keys that arrive while all lanes are busy are loaded together by the next load. */
  readonly lanes: number
  readonly keysMax: number
  /** Whether a single key may be the reason of a failure, such as a text that cannot be stored: then each is loaded alone, and one fails no others. */
  readonly isOfKey?: (cause: unknown) => boolean
}

interface Waiting<K, V> {
  readonly key: K
  readonly resolve: (value: V) => void
  readonly reject: (cause: unknown) => void
}

/**
 * Combines many look-ups of one key into few look-ups of many keys: those of one turn of the event loop, and those that arrive while all lanes are
 * busy, share a load. Nothing is cached, and no key joins a load that has started, so a value is never older than its request.
 */
export function createBatcher<K, V>(options: BatcherOptions<K, V>): (key: K) => Promise<V> {
  const waiting: Waiting<K, V>[] = []
  let busy = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || busy >= options.lanes || waiting.length === 0) return
    scheduled = true
    // The requests of a turn arrive in callbacks of sockets, between which microtasks run; the check phase follows all of them.
    setImmediate(() => {
      scheduled = false
      while (busy < options.lanes && waiting.length > 0) void load(waiting.splice(0, options.keysMax))
    })
  }

  async function load(batch: readonly Waiting<K, V>[]): Promise<void> {
    busy += 1
    await loadAll(batch)
    busy -= 1
    schedule()
  }

  async function loadAll(batch: readonly Waiting<K, V>[]): Promise<void> {
    try {
      const values = await options.load(batch.map(({ key }) => key))
      if (values.length !== batch.length) throw new Error(`${batch.length} keys were loaded as ${values.length} values`)
      for (const [index, { resolve }] of batch.entries()) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- As many values as keys, which V may allow to be undefined.
        resolve(values[index] as V)
      }
    } catch (cause) {
      if (batch.length > 1 && options.isOfKey?.(cause) === true) for (const waiter of batch) await loadAll([waiter])
      else for (const { reject } of batch) reject(cause)
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      schedule()
    })
}

export interface BatcherOptions<K, V> {
  /** Answers all keys at once, in their order. */
  readonly load: (keys: readonly K[]) => Promise<readonly V[]>
  /** Loads under way at the same time: what comes while all are busy goes out together with the next. */
  readonly lanes: number
  readonly keysMax: number
}

interface Waiting<K, V> {
  readonly key: K
  readonly resolve: (value: V) => void
  readonly reject: (cause: unknown) => void
}

/**
 * Turns many look-ups of one into few of many: those of one turn of the event loop, and those that come while the lanes are busy, share a
 * statement. Nothing is remembered, and none joins a load that has begun, so an answer is never older than its question.
 */
export function createBatcher<K, V>(options: BatcherOptions<K, V>): (key: K) => Promise<V> {
  const waiting: Waiting<K, V>[] = []
  let busy = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || busy >= options.lanes || waiting.length === 0) return
    scheduled = true
    // The requests of a turn come by callbacks of sockets, between which microtasks run; this phase comes after all of them.
    setImmediate(() => {
      scheduled = false
      while (busy < options.lanes && waiting.length > 0) void load(waiting.splice(0, options.keysMax))
    })
  }

  async function load(batch: readonly Waiting<K, V>[]): Promise<void> {
    busy += 1
    try {
      const values = await options.load(batch.map(({ key }) => key))
      if (values.length !== batch.length) throw new Error(`${batch.length} keys were asked for and ${values.length} answered`)
      for (const [index, { resolve }] of batch.entries()) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- As many values as keys, which V may allow to be undefined.
        resolve(values[index] as V)
      }
    } catch (cause) {
      for (const { reject } of batch) reject(cause)
    } finally {
      busy -= 1
      schedule()
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      schedule()
    })
}

interface Waiting {
  readonly key: string
  readonly start: () => void
}

/** Runs so many tasks at a time, any number unless given, and so many of one key; the others wait in their order. */
export function createFairGate({ max = Infinity, maxOfKey }: { readonly max?: number; readonly maxOfKey: number }) {
  const waiting: Waiting[] = []
  const running = new Map<string, number>()
  let total = 0

  function count(key: string, change: 1 | -1): void {
    const after = (running.get(key) ?? 0) + change
    total += change
    if (after === 0) running.delete(key)
    else running.set(key, after)
  }

  function startNext(): void {
    while (total < max) {
      const index = waiting.findIndex(({ key }) => (running.get(key) ?? 0) < maxOfKey)
      const [next] = index === -1 ? [] : waiting.splice(index, 1)
      if (next === undefined) return
      count(next.key, 1)
      next.start()
    }
  }

  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    await new Promise<void>((start) => {
      waiting.push({ key, start })
      startNext()
    })
    try {
      return await task()
    } finally {
      count(key, -1)
      startNext()
    }
  }
}
